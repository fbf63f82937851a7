// Reading and writing records: varints (LEB128), zigzag for signed, length-prefixed text.
//
// ByteReader never reads past its end: after the first failure ok() is false and everything reads
// as 0 or "". Thread safety: plain values. Lifetime: a reader's texts point into the bytes it was
// given.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace precedent {

class ByteWriter {
 public:
  void number(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<char>(value | 0x80));
    bytes_.push_back(static_cast<char>(value));
  }
  void signed_number(int64_t value) {
    number((static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63));
  }
  void text(std::string_view value) {
    number(value.size());
    bytes_.append(value);
  }
  void texts(const std::vector<std::string>& values) {
    number(values.size());
    for (const std::string& value : values) text(value);
  }
  void raw(std::string_view bytes) { bytes_.append(bytes); }

  const std::string& bytes() const& { return bytes_; }
  std::string take() && { return std::move(bytes_); }
  void clear() { bytes_.clear(); }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }

  // Whatever is left is of no use to this reader.
  void skip() { rest_ = {}; }

  uint64_t number() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return failed();
  }
  uint32_t number32() {
    const uint64_t value = number();
    return static_cast<uint32_t>(value <= UINT32_MAX ? value : failed());
  }
  int64_t signed_number() {
    const uint64_t value = number();
    return static_cast<int64_t>((value >> 1) ^ (~(value & 1) + 1));
  }
  std::string_view raw(uint64_t size) {
    if (size > rest_.size()) {
      failed();
      return {};
    }
    const std::string_view value = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return value;
  }
  std::string_view text() { return raw(number()); }
  std::vector<std::string> texts() {
    std::vector<std::string> values;
    // Each text takes at least a byte, which bounds what a corrupt count can ask for.
    for (uint64_t n = number(); n > 0 && ok_; --n) values.emplace_back(text());
    return values;
  }

 private:
  uint64_t failed() {
    ok_ = false;
    rest_ = {};
    return 0;
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace precedent
