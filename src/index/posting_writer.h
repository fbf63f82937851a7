// PostingWriter: the inverted lists of one level, in the arrays that a segment stores.
//
// Terms are begun in ascending order; the postings of a term are added by ascending point.
// Thread safety: one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "index/segment_format.h"

namespace precedent {

struct Posting {
  uint32_t term;
  uint32_t point;
  float weight;
};

// Sorts by term and keeps the order of points within a term.
void sort_by_term(std::vector<Posting>& postings);

class PostingWriter {
 public:
  // Room for so many; more may come.
  void reserve(size_t postings) {
    points_.reserve(postings);
    weights_.reserve(postings);
  }
  // A term to which nothing is added leaves no trace.
  void begin_term(uint32_t term);
  void add(uint32_t point, float weight);
  void finish();

  const std::vector<uint32_t>& terms() const { return terms_; }
  const std::vector<uint32_t>& block_begins() const { return block_begins_; }
  const std::vector<PostingBlock>& blocks() const { return blocks_; }
  const std::vector<uint16_t>& points() const { return points_; }
  const std::vector<float>& weights() const { return weights_; }

 private:
  std::vector<uint32_t> terms_;
  std::vector<uint32_t> block_begins_;
  std::vector<PostingBlock> blocks_;
  std::vector<uint16_t> points_;
  std::vector<float> weights_;
};

}  // namespace precedent
