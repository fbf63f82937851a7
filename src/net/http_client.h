// The `HttpClient` seam: one request out, one response back, whole or piece by piece.
//
// A response of any status is a success here; what a 404 means is the caller's question. Errors
// name the host and the remedy, never a header, a query or a body, since keys travel there:
//   kInvalidArgument    an address or a header that cannot be sent
//   kUnavailable        no such host, refused, the connection broke or ended too early
//   kPermission         the certificate is not trusted, or the network is switched off for tests
//   kTimeout            the deadline passed, connecting took too long, or nothing came for too long
//   kResourceExhausted  the response is larger than allowed
//   kCancelled          the token was set
// Thread safety: a client may be shared by threads. What this leaves to others: retries, cookies,
// caching, authentication schemes.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/error.h"

namespace precedent {

struct HttpHeader {
  std::string name;
  std::string value;
  bool operator==(const HttpHeader&) const = default;
};

struct HttpRequest {
  std::string method = "GET";
  std::string url;  // http or https
  std::vector<HttpHeader> headers = {};
  std::string body = {};
  std::chrono::milliseconds connect_timeout{10'000};
  // The longest silence, from sending on and between two pieces; 0: as long as the deadline allows.
  std::chrono::milliseconds stall_timeout{0};
  // The longest answer of a model or a service that anybody reads stays far below 8 MB.
  size_t max_response_bytes = 8 * 1024 * 1024;
  bool follow_redirects = false;  // at most five, and never from https to http
};

struct HttpContext {
  const CancelToken& cancel;
  std::optional<std::chrono::steady_clock::time_point> deadline = std::nullopt;
};

struct HttpResponse {
  int status = 0;
  std::vector<HttpHeader> headers = {};
  std::string body = {};
  // The value of the first header of this name in any case, or "".
  std::string_view header(std::string_view name) const;
};

// Called with each piece of the body as it comes; `head` has status and headers. False stops the
// transfer, which then counts as complete.
using OnHttpBody = std::function<bool(const HttpResponse& head, std::string_view piece)>;

class HttpClient {
 public:
  virtual ~HttpClient() = default;

  // The response with an empty body, once `on_body` has had all of it.
  virtual Result<HttpResponse> stream(const HttpRequest& request, const HttpContext& context,
                                      const OnHttpBody& on_body) = 0;
  // The whole response.
  Result<HttpResponse> send(const HttpRequest& request, const HttpContext& context);
};

}  // namespace precedent
