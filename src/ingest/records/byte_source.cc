#include "ingest/records/byte_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/utf8.h"
#include "files/files.h"

namespace precedent {

Result<ByteSource> ByteSource::open(const std::string& path) {
  ByteSource in;
  in.path_ = path;
  // O_NONBLOCK: a named pipe must be refused below, not waited for.
  in.fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (in.fd_ < 0) return std::unexpected(system_error("open", path, errno));
  struct stat status;
  if (::fstat(in.fd_, &status) != 0) return std::unexpected(system_error("read", path, errno));
  if (!S_ISREG(status.st_mode)) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("{} is not a regular file", path));
  }
  in.buffer_.resize(kWindow);
  in.data_ = in.buffer_.data();
  return in;
}

ByteSource ByteSource::of(std::string_view text) {
  ByteSource in;
  in.data_ = text.data();
  in.end_ = text.size();
  return in;
}

ByteSource::ByteSource(ByteSource&& other) noexcept
    : path_(std::move(other.path_)),
      fd_(std::exchange(other.fd_, -1)),
      buffer_(std::move(other.buffer_)),
      data_(other.data_),
      pos_(other.pos_),
      end_(other.end_),
      block_start_(other.block_start_),
      line_end_(other.line_end_),
      line_(other.line_),
      line_start_(other.line_start_),
      error_(std::move(other.error_)) {}

ByteSource::~ByteSource() {
  if (fd_ >= 0) ::close(fd_);
}

// Moves what is unread to the front and reads behind it until the buffer is full or the file ends.
bool ByteSource::fill() {
  if (fd_ < 0 || error_) return pos_ < end_;
  std::memmove(buffer_.data(), buffer_.data() + pos_, end_ - pos_);
  block_start_ += pos_;
  end_ -= pos_;
  pos_ = 0;
  while (end_ < buffer_.size()) {
    const ssize_t n = ::read(fd_, buffer_.data() + end_, buffer_.size() - end_);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) error_ = system_error("read", path_, errno);
    if (n <= 0) break;
    end_ += static_cast<size_t>(n);
  }
  return pos_ < end_;
}

std::string_view ByteSource::ahead() {
  if (end_ - pos_ < kWindow) fill();
  return {data_ + pos_, std::min(end_ - pos_, kWindow)};
}

ByteSource::Line ByteSource::read_line(std::string& line, size_t max_bytes) {
  line.clear();
  if (peek() == kEnd) return Line::kEnd;
  bool too_long = false;
  while (peek() != kEnd) {
    const char* begin = data_ + pos_;
    const void* newline = std::memchr(begin, line_end_, end_ - pos_);
    const size_t n = newline == nullptr
                         ? end_ - pos_
                         : static_cast<size_t>(static_cast<const char*>(newline) - begin);
    too_long = too_long || n > max_bytes - line.size();
    if (!too_long) line.append(begin, n);
    pos_ += n;
    if (newline != nullptr) {
      get();
      break;
    }
  }
  if (too_long) line.clear();
  if (line.ends_with('\r')) line.pop_back();
  return too_long ? Line::kTooLong : Line::kRead;
}

void ByteSource::go_back(const Mark& mark) {
  line_ = mark.line;
  line_start_ = mark.line_start;
  if (mark.offset >= block_start_ && mark.offset <= block_start_ + end_) {
    pos_ = static_cast<size_t>(mark.offset - block_start_);
    return;
  }
  pos_ = end_ = 0;
  block_start_ = mark.offset;
  if (::lseek(fd_, static_cast<off_t>(mark.offset), SEEK_SET) < 0)
    error_ = system_error("read", path_, errno);
}

std::optional<std::string> check_text_file(ByteSource& in) {
  const std::string_view start = in.ahead();
  if (start.empty()) return in.error() ? in.error()->text() : "the file is empty";
  const auto zero_at = [&](size_t i) { return i < start.size() && start[i] == '\0'; };
  if (start.starts_with("\xFF\xFE") || start.starts_with("\xFE\xFF") ||
      (zero_at(0) && zero_at(2)) != (zero_at(1) && zero_at(3))) {
    return "the file is UTF-16; convert it: iconv -f UTF-16 -t UTF-8";
  }
  if (start.starts_with("\x1F\x8B") || start.starts_with("PK\x03\x04") ||
      start.starts_with("\x28\xB5\x2F\xFD")) {
    return "the file is compressed; unpack it first";
  }
  if (start.starts_with("\xEF\xBB\xBF")) {
    for (int i = 0; i < 3; ++i) in.get();
  }
  const std::string_view text = in.ahead();
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos &&
      text.size() < ByteSource::kWindow) {
    return "the file is empty";
  }
  if (text.find('\r') != std::string_view::npos && text.find('\n') == std::string_view::npos)
    in.lines_end_with_cr();
  return std::nullopt;
}

std::optional<std::string> check_utf8(std::string_view text, uint64_t offset) {
  const std::optional<size_t> at = invalid_utf8_at(text);
  if (!at) return std::nullopt;
  return fmt::format(
      "not UTF-8 at byte {} (0x{:02X}); convert the file: iconv -f WINDOWS-1252 -t UTF-8",
      offset + *at, static_cast<unsigned char>(text[*at]));
}

}  // namespace precedent
