// ByteSource: the bytes of a file one after another, with the position that messages name, in
// constant memory.
//
// What json_reader and csv_reader read from; tests and fuzz targets give it text. A read error
// looks like the end of the file: ask `error()` when the end is reached. Thread safety: one object,
// one thread. Ownership: closes its file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace precedent {

class ByteSource {
 public:
  static constexpr int kEnd = -1;
  // How far `ahead` can see, and what one read asks the system for.
  static constexpr size_t kWindow = 64 * 1024;

  static Result<ByteSource> open(const std::string& path);
  // Lifetime: `text` outlives the source.
  static ByteSource of(std::string_view text);

  ByteSource(ByteSource&& other) noexcept;
  ByteSource& operator=(ByteSource&&) = delete;
  ~ByteSource();

  // The next byte (0–255), or kEnd.
  int peek() {
    if (pos_ >= end_ && !fill()) return kEnd;
    return data_[pos_] == line_end_ ? '\n' : static_cast<unsigned char>(data_[pos_]);
  }
  int get() {
    const int c = peek();
    if (c == kEnd) return c;
    ++pos_;
    if (c == '\n') {
      ++line_;
      line_start_ = offset();
    }
    return c;
  }

  // Lines end with \r alone, as old spreadsheets write them: peek, get and read_line show it as \n.
  void lines_end_with_cr() { line_end_ = '\r'; }

  // Up to kWindow bytes that come next, as they are, fewer only near the end. Valid until the next
  // call.
  std::string_view ahead();

  enum class Line { kRead, kTooLong, kEnd };
  // The rest of the line without its \n or \r\n into `line`. A line of more than `max_bytes` is
  // passed over without being held in memory.
  Line read_line(std::string& line, size_t max_bytes);

  // The position of the next byte: from the start of the file, 0-based; the others 1-based.
  uint64_t offset() const { return block_start_ + pos_; }
  size_t line() const { return line_; }
  size_t column() const { return static_cast<size_t>(offset() - line_start_) + 1; }

  // A place to come back to.
  struct Mark {
    uint64_t offset;
    size_t line;
    uint64_t line_start;
  };
  Mark mark() const { return {offset(), line_, line_start_}; }
  void go_back(const Mark& mark);

  // What stopped the reading before the end of the file, if anything did.
  const std::optional<Error>& error() const { return error_; }

 private:
  ByteSource() = default;
  bool fill();

  std::string path_;
  int fd_ = -1;  // -1: all bytes are in data_ already
  std::vector<char> buffer_;
  const char* data_ = nullptr;
  size_t pos_ = 0, end_ = 0;
  uint64_t block_start_ = 0;  // offset of data_[0]
  char line_end_ = '\n';
  size_t line_ = 1;
  uint64_t line_start_ = 0;
  std::optional<Error> error_;
};

// Passes over a UTF-8 byte order mark, and finds out whether lines end with \r alone. A file that
// cannot be text of ours gets a sentence with the remedy: UTF-16, a compressed or otherwise binary
// file, nothing at all.
std::optional<std::string> check_text_file(ByteSource& in);

// "not UTF-8 at byte 17 (0xE9); convert it: iconv -f WINDOWS-1252 -t UTF-8", or nothing. `offset`:
// of text[0] in the file.
std::optional<std::string> check_utf8(std::string_view text, uint64_t offset);

}  // namespace precedent
