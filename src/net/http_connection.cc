#include "net/http_connection.h"

#include <array>
#include <boost/beast/http.hpp>
#include <tuple>

#include "base/strings.h"

namespace precedent {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = asio::ip::tcp;
using asio::use_awaitable;
using boost::system::error_code;

namespace {

constexpr auto kQuietly = asio::as_tuple(use_awaitable);

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

}  // namespace

Connection::~Connection() { host_.forget(this); }

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

asio::awaitable<Connection::Read> Connection::refuse(int status, std::string_view detail) {
  co_await write(host_.error_body(status, detail, target_), 11, false, false);
  co_return Read::kAnswered;
}

asio::awaitable<Connection::Read> Connection::read(ServedRequest& request, BodyShare& share,
                                                   unsigned& version, bool& keep_alive) {
  const HttpServerOptions& options = host_.options;
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

// To the connection, for whoever answers: it may let go of this after the connection has gone, and
// the server with it. The context outlives its executor.
struct Connection::Way {
  std::shared_ptr<asio::io_context> context;
  asio::any_io_executor executor;
};

asio::awaitable<ServedResponse> Connection::ask(ServedRequest request) {
  co_return co_await asio::async_initiate<const asio::use_awaitable_t<>&, void(ServedResponse)>(
      [this, &request](auto done) {
        // Handlers are copied, and what waits for the answer is not.
        auto waiting = std::make_shared<decltype(done)>(std::move(done));
        auto once =
            std::make_shared<Once>([waiting, way = Way{host_.context, stream_.get_executor()},
                                    self = shared_from_this()](ServedResponse response) mutable {
              asio::post(way.executor, [waiting = std::move(waiting), self = std::move(self),
                                        response = std::move(response)]() mutable {
                std::move (*waiting)(std::move(response));
              });
            });
        asked_ = once;
        asio::post(host_.desk, [this, once, request = std::move(request)]() mutable {
          // Whatever is thrown, `once` answers 500 as it goes.
          try {
            host_.handler(std::move(request),
                          [once](ServedResponse response) { once->answer(std::move(response)); });
          } catch (const std::exception&) {
            return;
          }
        });
      },
      use_awaitable);
}

asio::awaitable<bool> Connection::send(std::string_view bytes, bool chunked) {
  stream_.expires_after(host_.options.write_time);
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
  stream.wake_with([bell, way = Way{host_.context, stream_.get_executor()}] {
    asio::post(way.executor, [bell] {
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
    timer.expires_after(host_.options.heartbeat);
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
  stream_.expires_after(host_.options.write_time);
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
    if (host_.draining) break;
    ServedRequest request;
    unsigned version = 11;
    bool keep_alive = true;
    BodyShare share(host_.bodies);
    const Read read_one = co_await read(request, share, version, keep_alive);
    refused = read_one == Read::kAnswered;
    if (read_one != Read::kRequest) break;
    const bool head = request.method == "HEAD";
    stream_.expires_never();
    ServedResponse response = co_await ask(std::move(request));
    if (response.status == 500 && response.body.empty() && response.stream == nullptr)
      response = host_.error_body(500, "the request was not answered", target_);
    keep_alive = keep_alive && !host_.draining;
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
  for (size_t bytes = 0; bytes < kMostBytes && !host_.draining;) {
    const auto [error, count] =
        co_await stream_.async_read_some(asio::buffer(thrown_away), kQuietly);
    if (error) break;
    bytes += count;
  }
}

}  // namespace precedent
