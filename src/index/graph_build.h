// The neighbour graph of a segment's vectors, built with hnswlib (HNSW: Malkov and Yashunin 2016).
//
// hnswlib keeps only numbers here: its distance reads the quantised rows they stand for. What is
// stored is the bottom layer and, instead of the layers above, the points that reached the second
// layer or higher: a search starts at the best few of those (graph_search.h). So the file has no
// pointers, needs no loading, and every number can be checked. Thread safety: build_graph uses
// `threads` threads of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/error.h"
#include "index/quantized.h"

namespace precedent {

struct GraphBuffer {
  std::vector<uint32_t> begins;      // points + 1, into neighbours
  std::vector<uint32_t> neighbours;  // rows
  std::vector<uint32_t> entries;     // rows to start at
};

// Over the rows for which `has(row)`; others have no neighbours. `threads` 0: one a processor.
// Errors: kResourceExhausted if memory runs out.
Result<GraphBuffer> build_graph(const QuantizedRows& rows, const std::function<bool(size_t)>& has,
                                unsigned threads);

}  // namespace precedent
