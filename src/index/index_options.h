// IndexOptions: from which size a segment stores its vectors in faster forms. The defaults are
// measured (index_bench.cc).
//
// Thread safety: a plain value.
#pragma once

#include <cstddef>

namespace precedent {

struct IndexOptions {
  // Vectors in a segment from which on it keeps a quantised copy (quantized.h).
  size_t quantize_from = 4'096;
  // Vectors in a segment from which on it keeps a graph (graph_build.h).
  size_t graph_from = 20'000;
  // For building the graph; 0: one a processor.
  unsigned threads = 0;
};

}  // namespace precedent
