#include "scripted_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/asio.hpp>
#include <charconv>
#include <deque>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <vector>

namespace precedent::bench {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using std::chrono::milliseconds;

int64_t now_us() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

namespace {

constexpr size_t kSentencesPerParagraph = 5;
// A request of an agent is some ten kilobytes; more is a mistake of the bench.
constexpr size_t kMaxRequest = 4 << 20;

std::string chunked(std::string_view bytes) {
  return fmt::format("{:x}\r\n{}\r\n", bytes.size(), bytes);
}

std::string token_chunk(std::string_view text) {
  return chunked(
      fmt::format(R"(data: {{"id":"c1","object":"chat.completion.chunk","created":1,)"
                  R"("model":"scripted","choices":[{{"index":0,"delta":{{"content":"{}"}},)"
                  R"("finish_reason":null}}]}})"
                  "\n\n",
                  text));
}

std::string last_chunks() {
  return chunked(
             R"(data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"scripted",)"
             R"("choices":[{"index":0,"delta":{},"finish_reason":"stop"}],)"
             R"("usage":{"prompt_tokens":900,"completion_tokens":480,"total_tokens":1380}})"
             "\n\n") +
         chunked("data: [DONE]\n\n") + "0\r\n\r\n";
}

constexpr std::string_view kHead =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

// The words of a sentence, but for the mark.
const std::array<std::string, kTokensPerSentence - 1>& words() {
  static const auto made = [] {
    constexpr std::string_view kWords[] = {"The",  " model", " says",  " one", " more", " thing",
                                           " and", " then",  " marks", " its", " time"};
    std::array<std::string, kTokensPerSentence - 1> chunks;
    std::ranges::transform(kWords, chunks.begin(),
                           [](std::string_view w) { return token_chunk(w); });
    return chunks;
  }();
  return made;
}

class ModelServer;

class Call : public std::enable_shared_from_this<Call> {
 public:
  Call(ModelServer& server, tcp::socket socket) : server_(server), socket_(std::move(socket)) {}
  void read();
  // Sends the next token; false once all are sent.
  bool tick();
  size_t number = 0;

 private:
  void answer();
  void send(std::string_view bytes);
  void flush();

  ModelServer& server_;
  tcp::socket socket_;
  std::string in_;
  std::array<char, 16384> piece_;
  std::string out_;  // what the receiver has not taken
  bool flushing_ = false;
  bool gone_ = false;
  size_t token_ = 0;
};

class ModelServer final : public ScriptedModelServer {
 public:
  explicit ModelServer(const ScriptedModelOptions& options)
      : options_(options), acceptor_(io_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)) {
    acceptor_.listen(4096);
    accept();
    thread_ = std::jthread([this] { io_.run(); });
  }
  ~ModelServer() override { io_.stop(); }
  uint16_t port() const override { return acceptor_.local_endpoint().port(); }
  size_t main_calls() const override { return main_; }
  size_t other_calls() const override { return other_; }
  std::chrono::microseconds worst_lag() const override {
    return std::chrono::microseconds(worst_lag_);
  }

  const ScriptedModelOptions& options() const { return options_; }
  void count_other() { ++other_; }
  void add_main(std::shared_ptr<Call> call) {
    call->number = main_++;
    if (options_.between_tokens.count() == 0) {
      while (call->tick()) {
      }
      return;
    }
    waiting_.push_back(std::move(call));
    if (started_ || waiting_.size() >= options_.together) return start_all();
    if (waiting_.size() > 1) return;
    patience_.expires_after(options_.patience);
    patience_.async_wait([this](error_code error) {
      if (!error) start_all();
    });
  }

 private:
  void accept() {
    acceptor_.async_accept([this](error_code error, tcp::socket socket) {
      if (error) return;
      error_code ignored;
      std::ignore = socket.set_option(tcp::no_delay(true), ignored);
      std::ignore = socket.non_blocking(true, ignored);
      std::make_shared<Call>(*this, std::move(socket))->read();
      accept();
    });
  }
  void start_all() {
    started_ = true;
    patience_.cancel();
    // Spread over the pace, so that not all tokens leave in the same millisecond.
    for (auto& call : waiting_) phases_[next_phase_++ % phases_.size()].push_back(std::move(call));
    waiting_.clear();
    if (ticking_) return;
    ticking_ = true;
    due_ = std::chrono::steady_clock::now();
    tick();
  }
  void tick() {
    const auto now = std::chrono::steady_clock::now();
    for (; due_ <= now; due_ += milliseconds(1)) {
      worst_lag_ =
          std::max(worst_lag_.load(),
                   std::chrono::duration_cast<std::chrono::microseconds>(now - due_).count());
      auto& phase = phases_[phase_++ % phases_.size()];
      std::erase_if(phase, [](const std::shared_ptr<Call>& call) { return !call->tick(); });
    }
    timer_.expires_at(due_);
    timer_.async_wait([this](error_code error) {
      if (!error) tick();
    });
  }

  const ScriptedModelOptions options_;
  asio::io_context io_{1};
  tcp::acceptor acceptor_;
  asio::steady_timer timer_{io_}, patience_{io_};
  std::vector<std::shared_ptr<Call>> waiting_;
  std::vector<std::vector<std::shared_ptr<Call>>> phases_ =
      std::vector<std::vector<std::shared_ptr<Call>>>(
          static_cast<size_t>(std::max<int64_t>(options_.between_tokens.count(), 1)));
  size_t phase_ = 0, next_phase_ = 0;
  bool started_ = false, ticking_ = false;
  std::chrono::steady_clock::time_point due_;
  std::atomic<size_t> main_ = 0, other_ = 0;
  std::atomic<int64_t> worst_lag_ = 0;
  std::jthread thread_;
};

void Call::read() {
  socket_.async_read_some(asio::buffer(piece_),
                          [self = shared_from_this()](error_code error, size_t size) {
                            if (error || self->in_.size() + size > kMaxRequest) {
                              self->gone_ = true;
                              return;
                            }
                            self->in_.append(self->piece_.data(), size);
                            self->answer();
                            self->read();
                          });
}

// Once the request is whole.
void Call::answer() {
  const size_t head = in_.find("\r\n\r\n");
  if (head == std::string::npos) return;
  constexpr std::string_view kLength = "ontent-Length: ", kLower = "ontent-length: ";
  size_t at = in_.find(kLength);
  if (at > head) at = in_.find(kLower);
  size_t length = 0;
  if (at < head) std::from_chars(in_.data() + at + kLength.size(), in_.data() + head, length);
  if (in_.size() < head + 4 + length) return;
  const std::string_view body = std::string_view(in_).substr(head + 4, length);
  const bool main =
      server_.options().every_call_is_main || body.find("\"tools\":") != std::string_view::npos;
  in_.erase(0, head + 4 + length);
  token_ = 0;
  if (main) return server_.add_main(shared_from_this());
  server_.count_other();
  send(std::string(kHead) + token_chunk("Scripted") + last_chunks());
}

bool Call::tick() {
  if (gone_) return false;
  if (token_ == 0) send(kHead);
  const size_t sentence = token_ / kTokensPerSentence, word = token_ % kTokensPerSentence;
  ++token_;
  if (word < words().size()) {
    send(words()[word]);
    return true;
  }
  const bool last = sentence + 1 >= server_.options().sentences;
  const bool ends_paragraph = sentence % kSentencesPerParagraph + 1 == kSentencesPerParagraph;
  send(token_chunk(
      fmt::format(" mk{}x{}x{}.{}", number, sentence, now_us(), ends_paragraph ? R"(\n\n)" : " ")));
  if (last) send(last_chunks());
  return !last;
}

void Call::send(std::string_view bytes) {
  if (out_.empty() && !flushing_) {
    error_code error;
    const size_t sent = socket_.write_some(asio::buffer(bytes.data(), bytes.size()), error);
    if (error && error != asio::error::would_block) {
      gone_ = true;
      return;
    }
    bytes.remove_prefix(error ? 0 : sent);
  }
  if (bytes.empty()) return;
  out_ += bytes;
  flush();
}

void Call::flush() {
  if (flushing_) return;
  flushing_ = true;
  socket_.async_wait(tcp::socket::wait_write, [self = shared_from_this()](error_code error) {
    self->flushing_ = false;
    size_t sent = 0;
    if (!error) sent = self->socket_.write_some(asio::buffer(self->out_), error);
    if (error && error != asio::error::would_block) {
      self->gone_ = true;
      return;
    }
    self->out_.erase(0, error ? 0 : sent);
    if (!self->out_.empty()) self->flush();
  });
}

}  // namespace

std::unique_ptr<ScriptedModelServer> ScriptedModelServer::start(
    const ScriptedModelOptions& options) {
  return std::make_unique<ModelServer>(options);
}

}  // namespace precedent::bench
