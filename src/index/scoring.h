// What every implementation of the index must compute alike: idf, the order of hits, the best k.
//
// Thread safety: plain values and pure functions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "index/knowledge_index.h"

namespace precedent {

// ln(1 + (N − df + 0.5) / (df + 0.5)), see knowledge_index.h. REQUIRES: df <= points.
inline float idf(size_t points, size_t df) {
  const double n = static_cast<double>(points), d = static_cast<double>(df);
  return static_cast<float>(std::log1p((n - d + 0.5) / (d + 0.5)));
}

// The order of hits: higher score first, then lower id.
inline bool better(const PointScore& a, const PointScore& b) {
  return a.score != b.score ? a.score > b.score : a.id < b.id;
}

// Keeps the best `limit` of what is offered.
class TopK {
 public:
  explicit TopK(size_t limit) : limit_(limit) {}

  // A score below this cannot enter; one equal to it may, by its id. -infinity until `limit` are
  // held.
  float threshold() const { return threshold_; }

  // A score that is not a number is dropped: corrupt bytes must not disturb the order.
  void offer(uint64_t id, float score) {
    if (!(score >= threshold_) || limit_ == 0) return;
    const PointScore hit{id, score};
    if (heap_.size() == limit_) {
      if (!better(hit, heap_.front())) return;
      std::pop_heap(heap_.begin(), heap_.end(), better);
      heap_.back() = hit;
    } else {
      heap_.push_back(hit);
    }
    std::push_heap(heap_.begin(), heap_.end(), better);
    if (heap_.size() == limit_) threshold_ = heap_.front().score;
  }

  size_t size() const { return heap_.size(); }
  // Best first; leaves this empty.
  std::vector<PointScore> take() {
    std::sort_heap(heap_.begin(), heap_.end(), better);
    return std::move(heap_);
  }

 private:
  size_t limit_;
  float threshold_ = -std::numeric_limits<float>::infinity();
  std::vector<PointScore> heap_;  // the worst in front
};

}  // namespace precedent
