#include "stream_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio.hpp>
#include <charconv>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <thread>
#include <tuple>

#include "scripted_model.h"

namespace precedent::bench {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

tcp::endpoint loopback(uint16_t port) { return {asio::ip::address_v4::loopback(), port}; }

std::string post(const Target& target, size_t turn) {
  const std::string& body = target.bodies[turn % target.bodies.size()];
  return fmt::format(
      "POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Content-Length: {}\r\n\r\n{}",
      target.path, body.size(), body);
}

int status_of(std::string_view head) {
  constexpr std::string_view kStart = "HTTP/1.1 ";
  int status = 0;
  if (head.starts_with(kStart))
    std::from_chars(head.data() + kStart.size(), head.data() + head.size(), status);
  return status;
}

size_t length_of(std::string_view head) {
  std::string lower(head);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  constexpr std::string_view kName = "content-length: ";
  const size_t at = lower.find(kName);
  size_t length = 0;
  if (at != std::string::npos)
    std::from_chars(lower.data() + at + kName.size(), lower.data() + lower.size(), length);
  return length;
}

class PromptClient {
 public:
  PromptClient(asio::io_context& io, const Target& target, size_t first, PromptFigures& figures)
      : target_(target), turn_(first), figures_(figures), socket_(io) {}
  void connect() {
    socket_.async_connect(loopback(target_.port), [this](error_code error) {
      if (error) return fail();
      ask();
    });
  }

 private:
  void fail() { ++figures_.failed; }
  void ask() {
    request_ = post(target_, turn_++);
    asked_ = now_us();
    in_.clear();
    asio::async_write(socket_, asio::buffer(request_), [this](error_code error, size_t) {
      if (error) return fail();
      read();
    });
  }
  void read() {
    socket_.async_read_some(asio::buffer(piece_), [this](error_code error, size_t size) {
      if (error) return fail();
      in_.append(piece_.data(), size);
      const size_t head = in_.find("\r\n\r\n");
      if (head == std::string::npos || in_.size() < head + 4 + length_of(in_.substr(0, head)))
        return read();
      if (status_of(in_) == 200) {
        ++figures_.answered;
        figures_.took.sorted.push_back(now_us() - asked_);
      } else {
        ++figures_.failed;
      }
      ask();
    });
  }

  const Target& target_;
  size_t turn_;
  PromptFigures& figures_;
  tcp::socket socket_;
  std::string request_, in_;
  std::array<char, 16384> piece_;
  int64_t asked_ = 0;
};

struct Mark {
  size_t call, sentence;
  int64_t sent;
};

// The next " mkCALLxSENTENCExTIME." of `text`, which is cut behind it.
std::optional<Mark> next_mark(std::string_view& text) {
  for (size_t at = text.find("mk"); at != std::string_view::npos; at = text.find("mk")) {
    text.remove_prefix(at + 2);
    Mark mark{};
    const char *here = text.data(), *const end = text.data() + text.size();
    const auto number = [&](auto& value, char behind) {
      const auto [rest, error] = std::from_chars(here, end, value);
      if (error != std::errc() || rest == end || *rest != behind) return false;
      here = rest + 1;
      return true;
    };
    if (number(mark.call, 'x') && number(mark.sentence, 'x') && number(mark.sent, '.')) return mark;
  }
  return std::nullopt;
}

// The body of a chunked response, as it comes.
class Dechunker {
 public:
  // False once the last chunk has passed.
  bool feed(std::string_view bytes, std::string& out) {
    for (const char c : bytes) {
      if (left_ > 0) {
        out += c;
        --left_;
      } else if (c == '\n' && !line_.empty()) {
        std::from_chars(line_.data(), line_.data() + line_.size(), left_, 16);
        line_.clear();
        if (left_ == 0) return false;
      } else if (c != '\r' && c != '\n') {
        line_ += c;
      }
    }
    return true;
  }

 private:
  size_t left_ = 0;
  std::string line_;
};

struct Streams {
  const Target& target;
  const size_t sentences;
  const int64_t late;
  StreamFigures figures;
  std::set<size_t> calls = {};
  size_t open = 0;
  asio::io_context io{1};
};

class StreamClient {
 public:
  StreamClient(Streams& all, size_t number) : all_(all), number_(number), socket_(all.io) {}
  void connect() {
    ++all_.open;
    socket_.async_connect(loopback(all_.target.port), [this](error_code error) {
      if (error) return end(false);
      request_ = post(all_.target, number_);
      asio::async_write(socket_, asio::buffer(request_), [this](error_code failed, size_t) {
        if (failed) return end(false);
        read();
      });
    });
  }
  size_t next_sentence() const { return next_; }

 private:
  void end(bool complete) {
    ++(complete ? all_.figures.completed : all_.figures.failed);
    error_code ignored;
    std::ignore = socket_.close(ignored);
    if (--all_.open == 0) all_.io.stop();
  }
  void read() {
    socket_.async_read_some(asio::buffer(piece_), [this](error_code error, size_t size) {
      if (error) return end(false);
      if (take({piece_.data(), size})) read();
    });
  }
  // False: it has ended.
  bool take(std::string_view bytes) {
    if (!began_) {
      head_ += bytes;
      const size_t close = head_.find("\r\n\r\n");
      if (close == std::string::npos) return true;
      if (status_of(head_) != 200) return end(false), false;
      began_ = true;
      ++all_.figures.opened;
      head_.erase(0, close + 4);
      bytes = head_;
    }
    const bool more = chunks_.feed(bytes, text_);
    size_t begin = 0;
    for (size_t at = text_.find("\n\n"); at != std::string::npos; at = text_.find("\n\n", begin)) {
      const std::string_view event = std::string_view(text_).substr(begin, at - begin);
      begin = at + 2;
      if (event.find("event: complete") != std::string_view::npos) return end(true), false;
      if (event.find("event: error") != std::string_view::npos) return end(false), false;
      if (event.find("event: reset") != std::string_view::npos) drafts_ = false;
      if (drafts_ && event.find("event: token") != std::string_view::npos) take_token(event);
      if (drafts_ && event.find("event: grounding") != std::string_view::npos) take_verdict(event);
    }
    text_.erase(0, begin);
    if (!more) end(false);
    return more;
  }
  // Each claim quotes its sentence, and with it the mark at its end.
  void take_verdict(std::string_view event) {
    const int64_t now = now_us();
    while (const auto mark = next_mark(event))
      all_.figures.verdict.sorted.push_back(now - mark->sent);
  }
  void take_token(std::string_view event) {
    const int64_t now = now_us();
    while (const auto mark = next_mark(event)) {
      if (!call_) {
        call_ = mark->call;
        if (!all_.calls.insert(*call_).second) ++all_.figures.foreign;
      }
      if (mark->call != *call_) ++all_.figures.foreign;
      if (mark->sentence != next_) ++all_.figures.lost;
      next_ = mark->sentence + 1;
      ++all_.figures.marks;
      const int64_t delay = now - mark->sent;
      all_.figures.delay.sorted.push_back(delay);
      if (delay > all_.late) ++all_.figures.late;
    }
  }

  Streams& all_;
  const size_t number_;
  tcp::socket socket_;
  std::string request_, head_, text_;
  std::array<char, 8192> piece_;
  Dechunker chunks_;
  bool began_ = false, drafts_ = true;
  std::optional<size_t> call_;
  size_t next_ = 0;
};

}  // namespace

int64_t Times::at(double share) const {
  if (sorted.empty()) return 0;
  const auto place = static_cast<size_t>(share * static_cast<double>(sorted.size()));
  return sorted[std::min(place, sorted.size() - 1)];
}

PromptFigures ask_prompts(const Target& target, size_t clients, std::chrono::milliseconds time) {
  PromptFigures figures;
  asio::io_context io{1};
  std::vector<std::unique_ptr<PromptClient>> all;
  for (size_t i = 0; i < clients; ++i)
    all.push_back(std::make_unique<PromptClient>(io, target, i * 7, figures));
  const int64_t began = now_us();
  for (const auto& client : all) client->connect();
  io.run_for(time);
  figures.seconds = static_cast<double>(now_us() - began) / 1e6;
  std::ranges::sort(figures.took.sorted);
  return figures;
}

StreamFigures read_streams(const Target& target, size_t streams, size_t sentences,
                           std::chrono::microseconds late, std::chrono::milliseconds time) {
  Streams all{target, sentences, late.count(), {}};
  all.figures.delay.sorted.reserve(streams * sentences);
  std::vector<std::unique_ptr<StreamClient>> clients;
  for (size_t i = 0; i < streams; ++i) clients.push_back(std::make_unique<StreamClient>(all, i));
  for (const auto& client : clients) client->connect();
  all.io.run_for(time);
  for (const auto& client : clients)
    all.figures.lost += sentences - std::min(sentences, client->next_sentence());
  std::ranges::sort(all.figures.delay.sorted);
  std::ranges::sort(all.figures.verdict.sorted);
  return std::move(all.figures);
}

struct Ballast::Parts {
  asio::io_context io{1};
  std::vector<std::unique_ptr<tcp::socket>> sockets;
  std::atomic<bool> over = false;
  std::vector<std::jthread> readers;

  size_t open(uint16_t port, size_t count, std::string_view said, int receive_buffer = 0) {
    size_t opened = 0;
    for (size_t i = 0; i < count; ++i) {
      auto socket = std::make_unique<tcp::socket>(io, tcp::v4());
      error_code error;
      if (receive_buffer > 0)
        std::ignore =
            socket->set_option(asio::socket_base::receive_buffer_size(receive_buffer), error);
      std::ignore = socket->connect(loopback(port), error);
      if (!error && !said.empty()) asio::write(*socket, asio::buffer(said), error);
      if (error) continue;
      sockets.push_back(std::move(socket));
      ++opened;
    }
    return opened;
  }
};

Ballast::Ballast() : parts_(new Parts) {}
Ballast::~Ballast() {
  parts_->over = true;
  delete parts_;
}

size_t Ballast::open_idle(uint16_t port, size_t count) { return parts_->open(port, count, ""); }

size_t Ballast::open_half(uint16_t port, size_t count) {
  return parts_->open(port, count, "POST /chat/prompt HTTP/1.1\r\nHost: localhost\r\nContent-Le");
}

size_t Ballast::open_slow(uint16_t port, const std::string& path, size_t count) {
  constexpr int kRequests = 100, kBuffer = 4096;
  std::string said;
  for (int i = 0; i < kRequests; ++i)
    said += fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
  const size_t first = parts_->sockets.size();
  const size_t opened = parts_->open(port, count, said, kBuffer);
  parts_->readers.emplace_back([parts = parts_, first, opened] {
    for (char byte = 0; !parts->over;) {
      for (size_t i = first; i < first + opened; ++i) {
        error_code ignored;
        parts->sockets[i]->non_blocking(true, ignored);
        parts->sockets[i]->read_some(asio::buffer(&byte, 1), ignored);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  });
  return opened;
}

}  // namespace precedent::bench
