// Best-first search over a stored neighbour graph (graph_build.h), with a filter.
//
// Points that do not match are walked through but not returned, so a filter costs width, not
// recall. The stored numbers are not trusted: one outside of the graph is skipped. Thread safety:
// pure function.
#pragma once

#include <cstdint>
#include <vector>

#include "index/filter_scan.h"
#include "index/graph_view.h"
#include "index/quantized.h"

namespace precedent {

struct GraphCandidate {
  float score;
  uint32_t row;
};

// Up to `width` matching rows of the highest (quantised) scores found, in no order. Gives up with
// what it has after scoring `max_scored` rows.
std::vector<GraphCandidate> search_graph(const GraphView& graph, const QuantizedRows& rows,
                                         const QuantizedQuery& query, const PointSet& allowed,
                                         size_t width, size_t max_scored);

}  // namespace precedent
