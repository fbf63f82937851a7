// One connection of an HTTP server: requests are read within limits, asked of the handler, and
// answered, one after another, in a coroutine.
//
// Thread safety: a Connection runs on the strand of its socket; members that say so may be called
// from any thread. Ownership: whoever runs it shares it; it borrows its host, which outlives it.
#pragma once

#include <atomic>
#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "net/served_request.h"

namespace precedent {

// The way of one answer to its connection. Answers 500 if nobody does. Copies of a Respond may
// outlive the server, and a turn may end while it goes: what an answer needs of the server is let
// go with the answer, or when the server says so.
class Once {
 public:
  explicit Once(std::function<void(ServedResponse)> give) : give_(std::move(give)) {}
  Once(const Once&) = delete;
  Once& operator=(const Once&) = delete;
  ~Once() { answer({.status = 500}); }
  void answer(ServedResponse response) {
    const MutexLock lock(mutex_);
    if (const auto give = std::exchange(give_, nullptr)) give(std::move(response));
  }
  // Nobody waits any longer.
  void let_go() {
    const MutexLock lock(mutex_);
    give_ = nullptr;
  }

 private:
  Mutex mutex_;
  std::function<void(ServedResponse)> give_ GUARDED_BY(mutex_);
};

// How much the bodies of all requests hold together.
class Bodies {
 public:
  explicit Bodies(size_t most) : most_(most) {}
  bool take(size_t bytes) {
    if (held_.fetch_add(bytes) + bytes <= most_) return true;
    held_ -= bytes;
    return false;
  }
  void give_back(size_t bytes) { held_ -= bytes; }

 private:
  const size_t most_;
  std::atomic<size_t> held_{0};
};

// The body of one request among them, until its end. Small ones are always let in, so that whoever
// sends large ones slowly keeps nobody from asking.
class BodyShare {
 public:
  explicit BodyShare(Bodies& all) : all_(all) {}
  BodyShare(const BodyShare&) = delete;
  BodyShare& operator=(const BodyShare&) = delete;
  ~BodyShare() { all_.give_back(held_); }
  // False: there is no room for it.
  bool grow_to(size_t size) {
    constexpr size_t kSmall = 16 * 1024;
    if (size <= kSmall + held_) return true;
    const size_t more = size - kSmall - held_;
    if (!all_.take(more)) return false;
    held_ += more;
    return true;
  }

 private:
  Bodies& all_;
  size_t held_ = 0;
};

class Connection;

// What the connections of one server share.
struct ConnectionHost {
  ConnectionHost(HttpServerOptions asked, HttpHandler answers, HttpErrorBody errors,
                 std::function<void(Connection*)> at_end)
      : options(std::move(asked)),
        handler(std::move(answers)),
        error_body(std::move(errors)),
        forget(std::move(at_end)),
        bodies(options.max_bodies_bytes),
        desk(options.handlers) {}

  const HttpServerOptions options;
  const HttpHandler handler;
  const HttpErrorBody error_body;
  const std::function<void(Connection*)> forget;  // called by each as it ends
  Bodies bodies;
  std::atomic<bool> draining{false};
  boost::asio::thread_pool desk;  // where the handler is called: it may read a file or a database
  // Last, so that connections that are left find all of the above as they go with it.
  const std::shared_ptr<boost::asio::io_context> context =
      std::make_shared<boost::asio::io_context>();
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(ConnectionHost& host, boost::asio::ip::tcp::socket socket, std::string client,
             size_t max_buffer)
      : host_(host), stream_(std::move(socket)), buffer_(max_buffer), client_(std::move(client)) {}
  ~Connection();

  boost::asio::awaitable<void> run();
  // From any thread: ends it if it waits for a request, else after the response.
  void close_when_idle();
  // From any thread.
  void close_now();
  const std::string& client() const { return client_; }
  // The answer that it waits for, if any. Once no thread runs it any longer.
  std::shared_ptr<Once> asked() const { return asked_.lock(); }

 private:
  enum class Read : uint8_t { kRequest, kGone, kAnswered };
  struct Way;
  boost::asio::awaitable<Read> read(ServedRequest& request, BodyShare& share, unsigned& version,
                                    bool& keep_alive);
  boost::asio::awaitable<ServedResponse> ask(ServedRequest request);
  boost::asio::awaitable<bool> write(const ServedResponse& response, unsigned version,
                                     bool keep_alive, bool head);
  boost::asio::awaitable<bool> write_stream(HttpStream& stream, bool chunked);
  boost::asio::awaitable<bool> send(std::string_view bytes, bool chunked);
  boost::asio::awaitable<Read> refuse(int status, std::string_view detail);
  boost::asio::awaitable<void> let_finish();

  ConnectionHost& host_;
  boost::beast::tcp_stream stream_;
  boost::beast::flat_buffer buffer_;
  std::string client_;
  // All on its strand.
  std::string target_;  // of the request that is read or answered, as far as it is known
  bool idle_ = true;
  bool closed_ = false;
  boost::asio::steady_timer* waiting_ = nullptr;  // of a stream that has nothing to say
  std::weak_ptr<Once> asked_;                     // the last answer that was waited for
};

}  // namespace precedent
