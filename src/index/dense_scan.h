// Dense search over the vectors of a snapshot.
//
// Thread safety: pure functions.
#pragma once

#include <span>
#include <vector>

#include "index/filter_scan.h"
#include "index/snapshot.h"

namespace precedent {

// As KnowledgeIndex::search_dense. REQUIRES: query.size() == snapshot.info.dimensions.
std::vector<PointScore> scan_dense(const Snapshot& snapshot, std::span<const float> query,
                                   const FilterScan& filter, size_t limit);

}  // namespace precedent
