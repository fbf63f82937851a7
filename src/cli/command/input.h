// Text that people or scripts hand in, by a file's name or as '-' for standard input: never more
// than a limit, and an interrupt ends the waiting, also for somebody to write into a pipe.
//
// Errors: kResourceExhausted above the limit, kCancelled after SIGINT or SIGTERM, and what the
// system says of a folder or a disk that fails half-way. Thread safety: one object, one thread.
#pragma once

#include <array>
#include <memory>
#include <streambuf>
#include <string>

#include "base/error.h"
#include "base/limits.h"

namespace precedent {

// Of a question with its files: no more is answered.
inline constexpr size_t kMaxContextBytes = Limits{}.max_question_bytes;

// Everything.
Result<std::string> read_input(const std::string& name, size_t max_bytes);

// One line after another.
class InputLines {
 public:
  // `max_line`: bytes that one line may have.
  static Result<InputLines> open(const std::string& name, size_t max_line);
  static InputLines standard_input(size_t max_line);

  InputLines(InputLines&& other) noexcept;
  InputLines& operator=(InputLines&&) = delete;
  ~InputLines();

  // The next line without its end; false at the end of the input.
  Result<bool> next(std::string& line);

 private:
  InputLines(std::string name, int fd, size_t max_line)
      : name_(std::move(name)), fd_(fd), max_line_(max_line) {}

  std::string name_;
  int fd_;
  size_t max_line_;
  std::string buffer_;
  size_t begin_ = 0;   // of what was not given out
  size_t looked_ = 0;  // so far there is no line end
  bool ended_ = false;
};

// For readers of a std::istream, however long the input. What went wrong ends the stream, and
// failure() tells it.
class InputBuffer final : public std::streambuf {
 public:
  static Result<std::unique_ptr<InputBuffer>> open(const std::string& name);
  ~InputBuffer() override;

  // Errors: as above; none at a true end.
  const Result<void>& failure() const { return failure_; }

 protected:
  int_type underflow() override;

 private:
  InputBuffer(std::string name, int fd) : name_(std::move(name)), fd_(fd) {}

  std::string name_;
  int fd_;
  std::array<char, 1 << 16> bytes_;
  Result<void> failure_;
};

}  // namespace precedent
