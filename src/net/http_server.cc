#include "net/http_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio.hpp>
#include <map>
#include <set>
#include <thread>
#include <tuple>

#include "base/mutex.h"
#include "net/http_connection.h"

namespace precedent {
namespace {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using boost::system::error_code;
constexpr auto kQuietly = asio::as_tuple(asio::use_awaitable);

class BeastServer final : public HttpServer {
 public:
  BeastServer(const HttpServerOptions& options, HttpHandler handler, HttpErrorBody error_body)
      : host_(options, std::move(handler), std::move(error_body),
              [this](Connection* connection) { forget(connection); }),
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
    host_.desk.join();
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
    host_.draining = true;
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

 private:
  void forget(Connection* connection) {
    const MutexLock lock(mutex_);
    connections_.erase(connection);
    const auto of_client = per_client_.find(connection->client());
    if (of_client != per_client_.end() && --of_client->second == 0) per_client_.erase(of_client);
    if (connections_.empty()) gone_.notify_all();
  }
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
    if (connections_.size() >= host_.options.max_connections ||
        per_client_[client] >= host_.options.max_connections_per_client)
      return nullptr;
    // A header and one read. Without a limit, an extension of a chunk that never ends would fill
    // it.
    constexpr size_t kOneRead = 64 * 1024;
    auto connection = std::make_shared<Connection>(host_, std::move(socket), client,
                                                   host_.options.max_header_bytes + kOneRead);
    ++per_client_[client];
    connections_.insert(connection.get());
    return connection;
  }

  mutable Mutex mutex_;
  ConditionVariable gone_;
  std::set<Connection*> connections_ GUARDED_BY(mutex_);
  std::map<std::string, size_t> per_client_ GUARDED_BY(mutex_);
  // Below what connections use as they end: those that are left go with it.
  ConnectionHost host_;
  asio::io_context& io_ = *host_.context;
  std::optional<asio::executor_work_guard<asio::io_context::executor_type>> work_{
      asio::make_work_guard(io_)};
  tcp::acceptor acceptor_;
  uint16_t port_ = 0;
  std::vector<std::thread> threads_;
};

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
  const auto address = asio::ip::make_address(host_.options.address, error);
  if (error)
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("'{}' is no address to listen at; write 127.0.0.1, ::1 or 0.0.0.0",
                            host_.options.address));
  const tcp::endpoint endpoint(address, host_.options.port);
  const auto failed = [&] {
    const ErrorCode code = error == asio::error::address_in_use  ? ErrorCode::kConflict
                           : error == asio::error::access_denied ? ErrorCode::kPermission
                                                                 : ErrorCode::kUnavailable;
    return fail(code, fmt::format("cannot listen at {}:{}: {}{}", host_.options.address,
                                  host_.options.port, error.message(),
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
  for (size_t i = 0; i < std::max<size_t>(host_.options.threads, 1); ++i)
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
