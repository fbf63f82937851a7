#include "net/http_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <map>
#include <set>
#include <thread>
#include <tuple>

#include "base/mutex.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = asio::ip::tcp;
using asio::use_awaitable;
using boost::system::error_code;
constexpr auto kQuietly = asio::as_tuple(use_awaitable);

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

// Cancels what waits on a stream once the time is up. The stream stays open, so that a client can
// be told; its own timeouts close it.
class Deadline {
 public:
  Deadline(beast::tcp_stream& stream, std::chrono::milliseconds time)
      : timer_(stream.get_executor()) {
    stream.expires_never();
    timer_.expires_after(time);
    timer_.async_wait([state = state_, &stream](const error_code& error) {
      if (error || state->over) return;
      state->passed = true;
      stream.cancel();
    });
  }
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;
  ~Deadline() { state_->over = true; }
  bool passed() const { return state_->passed; }

 private:
  struct State {
    bool over = false;
    bool passed = false;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
  asio::steady_timer timer_;
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

class BeastServer;

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(BeastServer& server, tcp::socket socket, std::string client, size_t max_buffer)
      : server_(server),
        stream_(std::move(socket)),
        buffer_(max_buffer),
        client_(std::move(client)) {}
  ~Connection();

  asio::awaitable<void> run();
  // From any thread: ends it if it waits for a request, else after the response.
  void close_when_idle();
  // From any thread.
  void close_now();
  const std::string& client() const { return client_; }
  // The answer that it waits for, if any. Once no thread runs it any longer.
  std::shared_ptr<Once> asked() const { return asked_.lock(); }

 private:
  enum class Read : uint8_t { kRequest, kGone, kAnswered };
  asio::awaitable<Read> read(ServedRequest& request, BodyShare& share, unsigned& version,
                             bool& keep_alive);
  asio::awaitable<ServedResponse> ask(ServedRequest request);
  asio::awaitable<bool> write(const ServedResponse& response, unsigned version, bool keep_alive,
                              bool head);
  asio::awaitable<bool> write_stream(HttpStream& stream, bool chunked);
  asio::awaitable<bool> send(std::string_view bytes, bool chunked);
  asio::awaitable<Read> refuse(int status, std::string_view detail);
  asio::awaitable<void> let_finish();

  BeastServer& server_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  std::string client_;
  // All on its strand.
  std::string target_;  // of the request that is read or answered, as far as it is known
  bool idle_ = true;
  bool closed_ = false;
  asio::steady_timer* waiting_ = nullptr;  // of a stream that has nothing to say
  std::weak_ptr<Once> asked_;              // the last answer that was waited for
};

class BeastServer final : public HttpServer {
 public:
  BeastServer(const HttpServerOptions& options, HttpHandler handler, HttpErrorBody error_body)
      : options_(options),
        handler_(std::move(handler)),
        error_body_(std::move(error_body)),
        bodies_(options.max_bodies_bytes),
        desk_(options.handlers),
        acceptor_(asio::make_strand(io_)) {}
  ~BeastServer() override {
    asio::post(acceptor_.get_executor(), [this] {
      error_code ignored;
      std::ignore = acceptor_.close(ignored);
    });
    {
      const MutexLock lock(mutex_);
      for (Connection* connection : connections_) connection->close_now();
    }
    wait_until_gone(std::chrono::seconds(5));
    desk_.join();
    work_.reset();
    io_.stop();
    for (std::thread& thread : threads_) thread.join();
    // Whoever still works at an answer must not find half a server.
    std::vector<std::shared_ptr<Once>> unanswered;
    {
      const MutexLock lock(mutex_);
      for (const Connection* connection : connections_)
        if (auto asked = connection->asked()) unanswered.push_back(std::move(asked));
    }
    for (const auto& asked : unanswered) asked->let_go();
  }

  Result<void> listen();
  uint16_t port() const override { return port_; }
  size_t connections() const override {
    const MutexLock lock(mutex_);
    return connections_.size();
  }
  void drain(std::chrono::milliseconds time) override {
    draining_ = true;
    asio::post(acceptor_.get_executor(), [this] {
      error_code ignored;
      std::ignore = acceptor_.close(ignored);
    });
    {
      const MutexLock lock(mutex_);
      for (Connection* connection : connections_) connection->close_when_idle();
    }
    wait_until_gone(time);
  }

  const HttpServerOptions& options() const { return options_; }
  const HttpHandler& handler() const { return handler_; }
  ServedResponse error_body(int status, std::string_view detail, std::string_view target) const {
    return error_body_(status, detail, target);
  }
  asio::thread_pool& desk() { return desk_; }
  std::shared_ptr<asio::io_context> context() const { return context_; }
  Bodies& bodies() { return bodies_; }
  bool draining() const { return draining_; }
  void forget(Connection* connection) {
    const MutexLock lock(mutex_);
    connections_.erase(connection);
    const auto of_client = per_client_.find(connection->client());
    if (of_client != per_client_.end() && --of_client->second == 0) per_client_.erase(of_client);
    if (connections_.empty()) gone_.notify_all();
  }

 private:
  asio::awaitable<void> accept();
  void wait_until_gone(std::chrono::milliseconds time) {
    const auto until = std::chrono::steady_clock::now() + time;
    const MutexLock lock(mutex_);
    while (!connections_.empty() && gone_.wait_until(mutex_, until)) {
    }
  }
  // Null: there are too many.
  std::shared_ptr<Connection> admit(tcp::socket& socket) {
    error_code error;
    const auto remote = socket.remote_endpoint(error);
    if (error) return nullptr;
    const std::string client = remote.address().to_string();
    const MutexLock lock(mutex_);
    if (connections_.size() >= options_.max_connections ||
        per_client_[client] >= options_.max_connections_per_client)
      return nullptr;
    // A header and one read. Without a limit, an extension of a chunk that never ends would fill
    // it.
    constexpr size_t kOneRead = 64 * 1024;
    auto connection = std::make_shared<Connection>(*this, std::move(socket), client,
                                                   options_.max_header_bytes + kOneRead);
    ++per_client_[client];
    connections_.insert(connection.get());
    return connection;
  }

  const HttpServerOptions options_;
  const HttpHandler handler_;
  const HttpErrorBody error_body_;
  Bodies bodies_;
  mutable Mutex mutex_;
  ConditionVariable gone_;
  std::set<Connection*> connections_ GUARDED_BY(mutex_);
  std::map<std::string, size_t> per_client_ GUARDED_BY(mutex_);
  asio::thread_pool desk_;
  // Below what connections use: those that are left go with it.
  const std::shared_ptr<asio::io_context> context_ = std::make_shared<asio::io_context>();
  asio::io_context& io_ = *context_;
  std::optional<asio::executor_work_guard<asio::io_context::executor_type>> work_{
      asio::make_work_guard(io_)};
  tcp::acceptor acceptor_;
  uint16_t port_ = 0;
  std::atomic<bool> draining_{false};
  std::vector<std::thread> threads_;
};

Connection::~Connection() { server_.forget(this); }

void Connection::close_when_idle() {
  asio::post(stream_.get_executor(), [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (self && self->idle_) self->stream_.cancel();
  });
}

void Connection::close_now() {
  asio::post(stream_.get_executor(), [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    self->closed_ = true;
    self->stream_.close();
    if (self->waiting_ != nullptr) self->waiting_->cancel();
  });
}

// Why two programs could disagree where a request ends or whom it is for, which is how requests are
// smuggled past a proxy (RFC 9112, 3.2, 6.1, 6.3, 11.2); "" if none could.
std::string_view ambiguity(const http::request_header<>& head) {
  using http::field;
  const auto encoding = head[field::transfer_encoding];
  if (head.count(field::transfer_encoding) > 0 &&
      (head.version() < 11 || head.count(field::transfer_encoding) > 1 ||
       !iequals(trim({encoding.data(), encoding.size()}), "chunked")))
    return "the one transfer encoding that is read is chunked, in HTTP/1.1";
  if (head.count(field::transfer_encoding) + head.count(field::content_length) > 1)
    return "the body has two lengths";
  if (head.version() >= 11 && head.count(field::host) == 0) return "the header Host is missing";
  if (head.count(field::host) > 1) return "the header Host is there twice";
  if (head.count(field::origin) > 1) return "the header Origin is there twice";
  if (head.count(field::authorization) > 1) return "the header Authorization is there twice";
  if (head.count(field::content_type) > 1) return "the header Content-Type is there twice";
  return "";
}

asio::awaitable<Connection::Read> Connection::refuse(int status, std::string_view detail) {
  co_await write(server_.error_body(status, detail, target_), 11, false, false);
  co_return Read::kAnswered;
}

asio::awaitable<Connection::Read> Connection::read(ServedRequest& request, BodyShare& share,
                                                   unsigned& version, bool& keep_alive) {
  const HttpServerOptions& options = server_.options();
  target_.clear();
  // Until the first byte it is idle, and ends without a word.
  if (buffer_.size() == 0) {
    stream_.expires_after(options.idle_time);
    const auto [error, count] = co_await stream_.async_read_some(buffer_.prepare(4096), kQuietly);
    if (error) co_return Read::kGone;
    buffer_.commit(count);
  }
  idle_ = false;
  http::request_parser<http::string_body> parser;
  parser.header_limit(static_cast<std::uint32_t>(options.max_header_bytes));
  parser.body_limit(options.max_body_bytes);
  {
    const Deadline deadline(stream_, options.header_time);
    const auto [error, count] =
        co_await http::async_read_header(stream_, buffer_, parser, kQuietly);
    target_ = std::string(parser.get().target());
    if (error == http::error::header_limit)
      co_return co_await refuse(431, "the header is too large");
    if (error == http::error::body_limit) co_return co_await refuse(413, "the body is too large");
    if (deadline.passed()) co_return co_await refuse(408, "the header did not come in time");
    if (error.category() == http::make_error_code(http::error::bad_method).category() &&
        error != http::error::end_of_stream && error != http::error::partial_message)
      co_return co_await refuse(400, "this is no HTTP request: " + error.message());
    if (error == http::error::partial_message)
      co_return co_await refuse(400, "the header breaks off");
    if (error) co_return Read::kGone;
  }
  if (const std::string_view why = ambiguity(parser.get()); !why.empty())
    co_return co_await refuse(400, why);
  // Before the body: what may follow it is no part of the header, and passed no proxy as one.
  for (const auto& field : parser.get())
    request.headers.push_back({std::string(field.name_string()), std::string(field.value())});
  // Without it a client waits a second, or for ever.
  if (iequals(std::string(parser.get()[http::field::expect]), "100-continue")) {
    constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    const auto [error, count] =
        co_await asio::async_write(stream_, asio::buffer(kContinue), kQuietly);
    if (error) co_return Read::kGone;
  }
  {
    const Deadline deadline(stream_, options.body_time);
    while (!parser.is_done()) {
      const auto [error, count] =
          co_await http::async_read_some(stream_, buffer_, parser, kQuietly);
      if (error == http::error::body_limit) co_return co_await refuse(413, "the body is too large");
      if (deadline.passed()) co_return co_await refuse(408, "the body did not come in time");
      if (error.category() == http::make_error_code(http::error::bad_method).category() &&
          error != http::error::end_of_stream && error != http::error::partial_message)
        co_return co_await refuse(400, "the body is malformed: " + error.message());
      if (error == http::error::partial_message || error == asio::error::eof)
        co_return co_await refuse(400, "the body breaks off before its end");
      if (error) co_return Read::kGone;
      if (!share.grow_to(parser.get().body().size()))
        co_return co_await refuse(503, "too many large requests at once; try again in a moment");
    }
  }
  http::request<http::string_body> message = parser.release();
  request.method = std::string(message.method_string());
  request.client = client_;
  request.body = std::move(message.body());
  version = message.version();
  keep_alive = message.keep_alive();
  if (!read_target(target_, request))
    co_return co_await refuse(400, "the path or the query is malformed");
  co_return Read::kRequest;
}

asio::awaitable<ServedResponse> Connection::ask(ServedRequest request) {
  co_return co_await asio::async_initiate<const asio::use_awaitable_t<>&, void(ServedResponse)>(
      [this, &request](auto done) {
        // Handlers are copied, and what waits for the answer is not.
        auto waiting = std::make_shared<decltype(done)>(std::move(done));
        // Whoever answers may let go of this after the connection has gone, and the server with it:
        // the context outlives its executor.
        struct Way {
          std::shared_ptr<asio::io_context> context;
          asio::any_io_executor executor;
        };
        auto once =
            std::make_shared<Once>([waiting, way = Way{server_.context(), stream_.get_executor()},
                                    self = shared_from_this()](ServedResponse response) mutable {
              asio::post(way.executor, [waiting = std::move(waiting), self = std::move(self),
                                        response = std::move(response)]() mutable {
                std::move (*waiting)(std::move(response));
              });
            });
        asked_ = once;
        server_.handler()(std::move(request),
                          [once](ServedResponse response) { once->answer(std::move(response)); });
      },
      use_awaitable);
}

asio::awaitable<bool> Connection::send(std::string_view bytes, bool chunked) {
  stream_.expires_after(server_.options().write_time);
  error_code failed;
  if (chunked) {
    const auto [error, count] = co_await asio::async_write(
        stream_, http::make_chunk(asio::buffer(bytes.data(), bytes.size())), kQuietly);
    failed = error;
  } else {
    const auto [error, count] =
        co_await asio::async_write(stream_, asio::buffer(bytes.data(), bytes.size()), kQuietly);
    failed = error;
  }
  co_return !failed;
}

asio::awaitable<bool> Connection::write_stream(HttpStream& stream, bool chunked) {
  asio::steady_timer timer(stream_.get_executor());
  // Shared: a wake may come after this has ended.
  auto bell = std::make_shared<std::pair<asio::steady_timer*, bool>>(&timer, false);
  const auto executor = stream_.get_executor();
  stream.wake_with([bell, executor] {
    asio::post(executor, [bell] {
      bell->second = true;
      if (bell->first != nullptr) bell->first->cancel();
    });
  });
  waiting_ = &timer;
  bool sent = true;
  for (std::string piece; sent && !closed_;) {
    piece.clear();
    bell->second = false;
    const HttpStream::State state = stream.next(piece);
    if (state == HttpStream::State::kDone) break;
    if (state == HttpStream::State::kPiece) {
      sent = piece.empty() || co_await send(piece, chunked);
      continue;
    }
    stream_.expires_never();
    timer.expires_after(server_.options().heartbeat);
    const auto [error] = co_await timer.async_wait(kQuietly);
    if (!error && !bell->second && !closed_) sent = co_await send(stream.heartbeat(), chunked);
  }
  bell->first = waiting_ = nullptr;
  stream.wake_with({});
  if (sent && chunked) {
    const auto [error, count] =
        co_await asio::async_write(stream_, http::make_chunk_last(), kQuietly);
    sent = !error;
  }
  co_return sent;
}

asio::awaitable<bool> Connection::write(const ServedResponse& response, unsigned version,
                                        bool keep_alive, bool head) {
  stream_.expires_after(server_.options().write_time);
  const auto status = static_cast<unsigned>(response.status);
  if (response.stream != nullptr) {
    const bool chunked = version >= 11;
    http::response<http::empty_body> start{http::int_to_status(status), version};
    start.result(status);
    for (const HttpHeader& header : response.headers) start.insert(header.name, header.value);
    start.keep_alive(keep_alive && chunked);
    if (chunked) start.chunked(true);
    http::response_serializer<http::empty_body> serializer{start};
    const auto [error, count] = co_await http::async_write_header(stream_, serializer, kQuietly);
    if (error) co_return false;
    if (head) co_return keep_alive&& chunked;
    const bool sent = co_await write_stream(*response.stream, chunked);
    co_return sent&& chunked;
  }
  http::response<http::string_body> whole{http::int_to_status(status), version};
  whole.result(status);
  for (const HttpHeader& header : response.headers) whole.insert(header.name, header.value);
  whole.keep_alive(keep_alive);
  whole.body() = response.body;
  const bool bodiless = status == 204 || status == 304;
  if (!bodiless) whole.prepare_payload();
  if (head) whole.body().clear();  // the length is that of the body it would have
  const auto [error, count] = co_await http::async_write(stream_, whole, kQuietly);
  co_return !error;
}

asio::awaitable<void> Connection::run() {
  bool refused = false;
  for (;;) {
    idle_ = true;
    if (server_.draining()) break;
    ServedRequest request;
    unsigned version = 11;
    bool keep_alive = true;
    BodyShare share(server_.bodies());
    const Read read_one = co_await read(request, share, version, keep_alive);
    refused = read_one == Read::kAnswered;
    if (read_one != Read::kRequest) break;
    const bool head = request.method == "HEAD";
    stream_.expires_never();
    ServedResponse response = co_await ask(std::move(request));
    if (response.status == 500 && response.body.empty() && response.stream == nullptr)
      response = server_.error_body(500, "the request was not answered", target_);
    keep_alive = keep_alive && !server_.draining();
    if (!co_await write(response, version, keep_alive, head) || !keep_alive) break;
  }
  error_code ignored;
  std::ignore = stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
  if (refused) co_await let_finish();
}

// A client that still sends must be able to: closing at once would throw away the answer with it.
asio::awaitable<void> Connection::let_finish() {
  constexpr std::chrono::seconds kMost{2};
  constexpr size_t kMostBytes = 64 << 20;
  std::array<char, 64 * 1024> thrown_away;
  stream_.expires_after(kMost);
  for (size_t bytes = 0; bytes < kMostBytes && !server_.draining();) {
    const auto [error, count] =
        co_await stream_.async_read_some(asio::buffer(thrown_away), kQuietly);
    if (error) break;
    bytes += count;
  }
}

asio::awaitable<void> BeastServer::accept() {
  for (;;) {
    tcp::socket socket(asio::make_strand(io_));
    const auto [error] = co_await acceptor_.async_accept(socket, kQuietly);
    if (error == asio::error::operation_aborted || !acceptor_.is_open()) co_return;
    if (error) {
      // No file descriptor is left: others must end first.
      asio::steady_timer rest(co_await asio::this_coro::executor, std::chrono::milliseconds(50));
      co_await rest.async_wait(kQuietly);
      continue;
    }
    error_code ignored;
    std::ignore = socket.set_option(tcp::no_delay(true), ignored);
    const auto executor = socket.get_executor();
    std::shared_ptr<Connection> connection = admit(socket);
    if (connection == nullptr) {
      std::ignore = socket.close(ignored);
      continue;
    }
    asio::co_spawn(
        executor, [connection] { return connection->run(); },
        [connection](const std::exception_ptr&) {});
  }
}

Result<void> BeastServer::listen() {
  error_code error;
  const auto address = asio::ip::make_address(options_.address, error);
  if (error)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'{}' is no address to listen at; write 127.0.0.1, ::1 or 0.0.0.0",
                            options_.address));
  const tcp::endpoint endpoint(address, options_.port);
  const auto failed = [&] {
    const ErrorCode code = error == asio::error::address_in_use  ? ErrorCode::kConflict
                           : error == asio::error::access_denied ? ErrorCode::kPermission
                                                                 : ErrorCode::kUnavailable;
    return fail(code, fmt::format("cannot listen at {}:{}: {}{}", options_.address, options_.port,
                                  error.message(),
                                  code == ErrorCode::kConflict ? "; choose another --port" : ""));
  };
  std::ignore = acceptor_.open(endpoint.protocol(), error);
  if (error) return failed();
  std::ignore = acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
  std::ignore = acceptor_.bind(endpoint, error);
  if (error) return failed();
  std::ignore = acceptor_.listen(4096, error);
  if (error) return failed();
  port_ = acceptor_.local_endpoint(error).port();
  asio::co_spawn(acceptor_.get_executor(), accept(), asio::detached);
  for (size_t i = 0; i < std::max<size_t>(options_.threads, 1); ++i)
    threads_.emplace_back([this] { io_.run(); });
  return {};
}

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::start(const HttpServerOptions& options,
                                                      HttpHandler handler,
                                                      HttpErrorBody error_body) {
  auto server = std::make_unique<BeastServer>(options, std::move(handler), std::move(error_body));
  TRY(server->listen());
  return server;
}

}  // namespace precedent
