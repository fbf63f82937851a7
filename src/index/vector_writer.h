// VectorWriter: the vectors of a segment in all the forms that it stores: float rows, quantised
// rows, graph.
//
// Thread safety: one thread (finish() starts its own for the graph). Lifetime: rows must live until
// they are written.
#pragma once

#include <string_view>
#include <vector>

#include "index/graph_build.h"
#include "index/index_options.h"
#include "index/quantized.h"

namespace precedent {

class VectorWriter {
 public:
  VectorWriter(size_t dimensions, const IndexOptions& options)
      : dimensions_(dimensions), options_(options) {}

  size_t dimensions() const { return dimensions_; }
  // The row of the next chunk: dimensions() floats, or null.
  void add(const float* row) { rows_.push_back(dimensions_ == 0 ? nullptr : row); }
  // Errors: as build_graph.
  Result<void> finish();

  // The parts of the section of float rows; views of the rows that were added.
  std::vector<std::string_view> row_parts() const;
  const std::vector<uint64_t>& has_vector() const { return has_vector_; }
  // Empty where there are too few vectors.
  const std::vector<uint8_t>& quantized() const { return quantized_; }
  const std::vector<float>& scales() const { return scales_; }
  const GraphBuffer& graph() const { return graph_; }

 private:
  void quantize();

  size_t dimensions_;
  IndexOptions options_;
  std::vector<const float*> rows_;
  std::vector<float> zeros_;  // a row of them
  std::vector<uint64_t> has_vector_;
  std::vector<uint8_t> quantized_;
  std::vector<float> scales_;
  GraphBuffer graph_;
};

}  // namespace precedent
