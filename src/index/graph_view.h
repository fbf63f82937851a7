// GraphView: the stored neighbour graph of a segment's vectors, as written by graph_build.h.
//
// Thread safety: immutable views. The stored numbers are not trusted.
#pragma once

#include <cstdint>
#include <span>

namespace precedent {

struct GraphView {
  std::span<const uint32_t> begins;      // rows + 1, into neighbours
  std::span<const uint32_t> neighbours;  // rows
  std::span<const uint32_t> entries;     // rows where a search starts

  bool empty() const { return entries.empty(); }
  // Empty where the stored offsets are wrong. REQUIRES: row + 1 < begins.size().
  std::span<const uint32_t> of(size_t row) const {
    const uint32_t begin = begins[row], end = begins[row + 1];
    if (begin > end || end > neighbours.size()) return {};
    return neighbours.subspan(begin, end - begin);
  }
};

}  // namespace precedent
