// Dense search over the vectors of a snapshot: three ways through a segment, chosen by cost.
//
//   floats      every matching row, exact
//   quantised   every matching row in 8 bits, then the best of them exactly
//   graph       the neighbourhood of the query, then the best of it exactly
//
// Scores are always of the float rows. A filter is applied before anything is scored; when few
// points match, reading them all beats the graph. If the graph comes back with too few, the rows
// are scanned, so that a result is never short. Thread safety: pure functions.
#pragma once

#include <span>
#include <vector>

#include "index/filter_scan.h"
#include "index/snapshot.h"

namespace precedent {

enum class DensePath { kFloats, kQuantized, kGraph };

// The cheapest way to the best `limit` of `matching` rows among `rows`. Pure; has_* say what the
// segment stores.
DensePath choose_dense_path(size_t rows, size_t matching, size_t limit, bool has_quantized,
                            bool has_graph);

// As KnowledgeIndex::search_dense. REQUIRES: query.size() == snapshot.info.dimensions.
std::vector<PointScore> scan_dense(const Snapshot& snapshot, std::span<const float> query,
                                   const FilterScan& filter, size_t limit);
// The same by float rows alone: the oracle of the others.
std::vector<PointScore> scan_dense_exactly(const Snapshot& snapshot, std::span<const float> query,
                                           const FilterScan& filter, size_t limit);

}  // namespace precedent
