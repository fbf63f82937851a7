// IndexOptions: from which size a segment stores its vectors in faster forms. The defaults are
// measured (index_bench.cc).
//
// Thread safety: a plain value.
#pragma once

#include <cstddef>

namespace precedent {

struct IndexOptions {
  // Vectors in a segment from which on it keeps a quantised copy (quantized.h). Below, scoring all
  // float rows takes a quarter of a millisecond at most.
  size_t quantize_from = 4'096;
  // Vectors in a segment from which on it keeps a graph (graph_build.h). Below, scoring all
  // quantised rows takes 0.3 ms at most; a graph of 20,000 took 2 s of processor time to build.
  size_t graph_from = 20'000;
  // For building the graph; 0: one a processor.
  unsigned threads = 0;
};

}  // namespace precedent
