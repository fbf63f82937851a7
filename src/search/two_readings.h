// Two rankings of the same documents, for two readings of one question → one ranking.
//
// By reciprocal ranks (Cormack, Clarke, Buettcher: "Reciprocal Rank Fusion Outperforms Condorcet
// and Individual Rank Learning Methods", SIGIR 2009): scores of different queries are not
// comparable, their order is. Thread safety: pure function.
#pragma once

#include <vector>

#include "search/hit.h"

namespace precedent {

// At most `limit` hits, best first. A document that stands in both rankings keeps its passages of
// `own`, and wins over one that stands as high in one of them; ties go to `own`. Its relevance is
// the higher of its two, and no higher than that of the document before it.
std::vector<Hit> fuse_readings(std::vector<Hit> own, std::vector<Hit> other, size_t limit);

}  // namespace precedent
