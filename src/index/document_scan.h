// The questions about documents rather than relevance: list, count, facets.
//
// Thread safety: pure functions.
#pragma once

#include <vector>

#include "index/filter_scan.h"
#include "index/snapshot.h"

namespace precedent {

// As the functions of KnowledgeIndex.
Result<std::vector<Payload>> list_documents(const Snapshot& snapshot, const FilterScan& filter,
                                            KnowledgeIndex::Order order, size_t limit);
size_t count_documents(const Snapshot& snapshot, const FilterScan& filter);
std::vector<FacetCount> count_facet(const Snapshot& snapshot, const FilterScan& filter,
                                    Facet facet);

}  // namespace precedent
