#include "cli/command/input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <span>
#include <utility>

#include "cli/command/command.h"
#include "files/files.h"

namespace precedent {
namespace {

// So long a signal that comes between the look and the wait is not seen.
constexpr int kWaitMilliseconds = 200;

std::string shown(const std::string& name) { return name == "-" ? "standard input" : name; }

Result<int> open_input(const std::string& name) {
  if (name == "-") return STDIN_FILENO;
  // A pipe is opened at once; without O_NONBLOCK that waits for who writes, and no signal ends it.
  const int fd = ::open(name.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return std::unexpected(system_error("open", name, errno));
  return fd;
}

void close_input(int fd) {
  if (fd > STDIN_FILENO) ::close(fd);
}

// How many bytes came; 0 at the end.
Result<size_t> read_bytes(int fd, const std::string& name, std::span<char> bytes) {
  for (;;) {
    TRY(interrupted().check());
    pollfd waiting{fd, POLLIN, 0};
    if (::poll(&waiting, 1, kWaitMilliseconds) == 0) continue;
    TRY(interrupted().check());
    const ssize_t n = ::read(fd, bytes.data(), bytes.size());
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n < 0) return std::unexpected(system_error("read", shown(name), errno));
    return static_cast<size_t>(n);
  }
}

// Appends what comes next; false at the end.
Result<bool> read_more(int fd, const std::string& name, std::string& text) {
  std::array<char, 1 << 16> bytes;
  const size_t n = TRY(read_bytes(fd, name, bytes));
  text.append(bytes.data(), n);
  return n > 0;
}

Error too_large(const std::string& name, std::string_view what, size_t max_bytes) {
  return {ErrorCode::kResourceExhausted,
          fmt::format("{}{} is larger than {} KB, the most that is read; shorten it", what,
                      shown(name), max_bytes >> 10)};
}

}  // namespace

Result<std::string> read_input(const std::string& name, size_t max_bytes) {
  const int fd = TRY(open_input(name));
  std::string text;
  Result<bool> more = true;
  while (more && *more && text.size() <= max_bytes) more = read_more(fd, name, text);
  close_input(fd);
  if (!more) return std::unexpected(std::move(more).error());
  if (text.size() > max_bytes) return std::unexpected(too_large(name, "", max_bytes));
  return text;
}

Result<InputLines> InputLines::open(const std::string& name, size_t max_line) {
  return InputLines(name, TRY(open_input(name)), max_line);
}

InputLines InputLines::standard_input(size_t max_line) { return {"-", STDIN_FILENO, max_line}; }

InputLines::InputLines(InputLines&& other) noexcept
    : name_(std::move(other.name_)),
      fd_(std::exchange(other.fd_, -1)),
      max_line_(other.max_line_),
      buffer_(std::move(other.buffer_)),
      begin_(other.begin_),
      looked_(other.looked_),
      ended_(other.ended_) {}

InputLines::~InputLines() { close_input(fd_); }

Result<bool> InputLines::next(std::string& line) {
  for (;;) {
    const size_t end = buffer_.find('\n', looked_);
    if (end != std::string::npos || (ended_ && begin_ < buffer_.size())) {
      const size_t last = std::min(end, buffer_.size());
      line = buffer_.substr(begin_, last - begin_);
      begin_ = looked_ = std::min(last + 1, buffer_.size());
      if (line.ends_with('\r')) line.pop_back();
      return true;
    }
    if (ended_) return false;
    buffer_.erase(0, begin_);
    begin_ = 0;
    looked_ = buffer_.size();
    if (buffer_.size() > max_line_)
      return std::unexpected(too_large(name_, "a line of ", max_line_));
    ended_ = !TRY(read_more(fd_, name_, buffer_));
  }
}

Result<std::unique_ptr<InputBuffer>> InputBuffer::open(const std::string& name) {
  // Not within the expression: TRY would leave it with the memory taken and nobody owning it.
  const int fd = TRY(open_input(name));
  return std::unique_ptr<InputBuffer>(new InputBuffer(name, fd));
}

InputBuffer::~InputBuffer() { close_input(fd_); }

InputBuffer::int_type InputBuffer::underflow() {
  if (!failure_) return traits_type::eof();
  const Result<size_t> n = read_bytes(fd_, name_, bytes_);
  if (!n) failure_ = std::unexpected(n.error());
  if (!n || *n == 0) return traits_type::eof();
  setg(bytes_.data(), bytes_.data(), bytes_.data() + *n);
  return traits_type::to_int_type(bytes_.front());
}

}  // namespace precedent
