// Which segments to merge next: few segments to search, each point rewritten a bounded number of
// times.
//
// Segments fall into tiers by their live points, each tier 4 times the one below. Four segments in
// the tiers up to one are merged; so there are at most 3 a tier (21 for a million points) and a
// point is rewritten about once a tier. A segment of which more than a quarter was removed is
// rewritten alone. Thread safety: pure function.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace precedent {

struct SegmentSize {
  size_t live = 0;
  size_t dead = 0;
};

// Indices into `sizes`, ascending; empty if nothing needs merging.
std::vector<size_t> choose_merge(std::span<const SegmentSize> sizes);

}  // namespace precedent
