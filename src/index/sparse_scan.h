// Sparse search over the inverted lists of a snapshot: exact, by adding up scores point by point.
//
// A segment is walked in windows of 65,536 points whose scores (256 KB) stay in the second-level
// cache; each term adds its block of postings, then the window is harvested. Document frequencies
// count live points only, over all segments, so that results equal those of one index without
// removed points. Thread safety: pure function.
#pragma once

#include <vector>

#include "index/filter_scan.h"
#include "index/snapshot.h"

namespace precedent {

// As KnowledgeIndex::search_sparse. Errors: kCorrupt.
Result<std::vector<PointScore>> scan_sparse(const Snapshot& snapshot, const SparseVector& query,
                                            const FilterScan& filter, Level level, size_t limit);

}  // namespace precedent
