// What an HTTP server is asked and answers: requests, responses, streams that are pulled, and
// within which limits. Plain values, and the two seams that whoever serves implements.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/http_client.h"

namespace precedent {

struct ServedRequest {
  std::string method;
  std::string path;                                        // decoded; begins with '/'
  std::vector<std::pair<std::string, std::string>> query;  // decoded
  std::vector<HttpHeader> headers;
  std::string body;
  std::string client;  // its address, without the port

  // The value of the first of this name (of headers: in any case), or "".
  std::string_view header(std::string_view name) const;
  std::string_view parameter(std::string_view name) const;
};

// A body that comes piece by piece. Asked by one thread at a time; nothing here may block.
class HttpStream {
 public:
  enum class State : uint8_t { kPiece, kWaiting, kDone };
  virtual ~HttpStream() = default;
  // kPiece: `piece` is to be sent. kWaiting: nothing yet; `wake` will be called.
  virtual State next(std::string& piece) = 0;
  // What to call, from any thread, when next() has something to say. Replaces the one before; an
  // empty one: nobody listens any more.
  virtual void wake_with(std::function<void()> wake) = 0;
  // Sent while there is nothing to say, so that a line that is dead is noticed.
  virtual std::string heartbeat() const { return ": \n\n"; }
};

struct ServedResponse {
  int status = 200;
  std::vector<HttpHeader> headers = {};
  std::string body = {};
  std::shared_ptr<HttpStream> stream = nullptr;  // instead of the body
};

struct HttpServerOptions {
  std::string address = "127.0.0.1";
  uint16_t port = 0;    // 0: any that is free
  size_t threads = 2;   // of connections
  size_t handlers = 4;  // threads that call the handler
  size_t max_header_bytes = 16 * 1024;
  size_t max_body_bytes = 16 * 1024 * 1024;
  size_t max_bodies_bytes = 256 * 1024 * 1024;  // of all requests together, but for small bodies
  size_t max_connections = 12'000;
  size_t max_connections_per_client = 4'000;      // one address, which may be a proxy, leaves room
  std::chrono::milliseconds header_time{10'000};  // for the whole header, from its first byte
  std::chrono::milliseconds body_time{60'000};    // for the whole body
  std::chrono::milliseconds idle_time{75'000};    // between two requests
  std::chrono::milliseconds write_time{30'000};   // for one piece, or one response
  std::chrono::milliseconds heartbeat{15'000};
};

using Respond = std::function<void(ServedResponse)>;
// `respond` is to be called once; dropped without a call, it answers 500. Copies may outlive the
// server; what they answer then goes nowhere.
using HttpHandler = std::function<void(ServedRequest request, Respond respond)>;
// The body and the headers of an error that the server itself finds. `target`: of the request line,
// "/v1/models?x=y"; "" where none was read.
using HttpErrorBody =
    std::function<ServedResponse(int status, std::string_view detail, std::string_view target)>;

// Takes path and query from the target of a request line: "/a%20b?c=d", or "http://host/a%20b",
// whose authority then replaces the Host header (RFC 9112, 3.2.2). False: it is none.
bool read_target(std::string_view target, ServedRequest& request);

// "/a%20b" → "/a b". Nothing for what is ill-formed, holds a NUL or is no UTF-8.
std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_space = false);

}  // namespace precedent
