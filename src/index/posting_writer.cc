#include "index/posting_writer.h"

#include <array>
#include <utility>

namespace precedent {

// Least significant digit first, 3 digits of 11 bits: linear, and stable as the order of points
// needs.
void sort_by_term(std::vector<Posting>& postings) {
  constexpr unsigned kDigitBits = 11;
  constexpr uint32_t kDigits = 1u << kDigitBits;
  std::vector<Posting> sorted(postings.size());
  for (unsigned shift = 0; shift < 32; shift += kDigitBits) {
    std::array<size_t, kDigits> next = {};
    for (const Posting& posting : postings) ++next[(posting.term >> shift) % kDigits];
    size_t begin = 0;
    for (size_t& count : next) begin += std::exchange(count, begin);
    for (const Posting& posting : postings)
      sorted[next[(posting.term >> shift) % kDigits]++] = posting;
    postings.swap(sorted);
  }
}

void PostingWriter::begin_term(uint32_t term) {
  if (!terms_.empty() && block_begins_.back() == blocks_.size()) {
    terms_.back() = term;
    return;
  }
  terms_.push_back(term);
  block_begins_.push_back(static_cast<uint32_t>(blocks_.size()));
}

void PostingWriter::add(uint32_t point, float weight) {
  const auto window = static_cast<uint16_t>(point / kWindow);
  const bool new_block = block_begins_.back() == blocks_.size() || blocks_.back().window != window;
  if (new_block) {
    blocks_.push_back({static_cast<uint32_t>(points_.size()), window, 0});
  } else {
    ++blocks_.back().last;
  }
  points_.push_back(static_cast<uint16_t>(point % kWindow));
  weights_.push_back(weight);
}

void PostingWriter::finish() {
  if (!terms_.empty() && block_begins_.back() == blocks_.size()) {
    terms_.pop_back();
    block_begins_.pop_back();
  }
  block_begins_.push_back(static_cast<uint32_t>(blocks_.size()));
}

}  // namespace precedent
