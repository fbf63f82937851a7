// Bitmap: a fixed number of bits in 64-bit words; bits beyond the end of the last word are 0.
//
// Thread safety: a plain value.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace precedent {

class Bitmap {
 public:
  Bitmap() = default;
  explicit Bitmap(size_t bits) : bits_(bits), words_(words_for(bits)) {}

  static size_t words_for(size_t bits) { return (bits + 63) / 64; }

  size_t size() const { return bits_; }
  // REQUIRES: i < size(), here and below.
  bool test(size_t i) const { return (words_[i / 64] >> (i % 64)) & 1; }
  void set(size_t i) { words_[i / 64] |= uint64_t{1} << (i % 64); }

  // Sets begin <= i < end.
  void set_range(size_t begin, size_t end) {
    if (begin >= end) return;
    const size_t first = begin / 64, last = (end - 1) / 64;
    const uint64_t from_begin = ~uint64_t{0} << (begin % 64),
                   to_end = ~uint64_t{0} >> (63 - (end - 1) % 64);
    if (first == last) {
      words_[first] |= from_begin & to_end;
      return;
    }
    words_[first] |= from_begin;
    for (size_t i = first + 1; i < last; ++i) words_[i] = ~uint64_t{0};
    words_[last] |= to_end;
  }

  // Clears what `other` has set. REQUIRES: the same size.
  void subtract(const Bitmap& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
  }

  // Clears what `other` has not set. REQUIRES: the same size.
  void intersect(const Bitmap& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  }

  // Sets what `other` has set. REQUIRES: the same size.
  void unite(const Bitmap& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }

  size_t count() const {
    size_t n = 0;
    for (const uint64_t word : words_) n += static_cast<size_t>(std::popcount(word));
    return n;
  }

  // Calls visit(i) for each set bit, ascending.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (size_t w = 0; w < words_.size(); ++w) {
      for (uint64_t word = words_[w]; word != 0; word &= word - 1) {
        visit(w * 64 + static_cast<size_t>(std::countr_zero(word)));
      }
    }
  }

  std::span<const uint64_t> words() const { return words_; }
  // Takes over stored words. Bits beyond the end are cleared. REQUIRES: words.size() ==
  // words_for(bits).
  static Bitmap from_words(size_t bits, std::vector<uint64_t> words) {
    Bitmap bitmap;
    bitmap.bits_ = bits;
    bitmap.words_ = std::move(words);
    if (bits % 64 != 0) bitmap.words_.back() &= (uint64_t{1} << (bits % 64)) - 1;
    return bitmap;
  }

 private:
  size_t bits_ = 0;
  std::vector<uint64_t> words_;
};

}  // namespace precedent
