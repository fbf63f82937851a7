// The `Embedder` seam: text → vector of unit length, so that a dot product is the cosine.
//
// Implementations: MiniLmEmbedder (minilm.h), the wrappers CachingEmbedder (caching_embedder.h) and
// BatchingEmbedder (batching_embedder.h), and the fake (fake_embedder.h). All pass
// embed/embedder_contract.h.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace precedent {

// `count()` rows of `dimensions` floats, row-major; row i belongs to text i.
struct Embeddings {
  size_t dimensions = 0;
  std::vector<float> values;

  size_t count() const { return dimensions == 0 ? 0 : values.size() / dimensions; }
  std::span<const float> row(size_t i) const {
    return {values.data() + i * dimensions, dimensions};
  }
};

class Embedder {
 public:
  virtual ~Embedder() = default;

  // Names the model and its numeric mode: vectors of different ids must not be compared or share a
  // cache.
  virtual std::string_view model_id() const = 0;
  virtual size_t dimensions() const = 0;

  // Any number of texts of any length, valid UTF-8; a text beyond the model's window is truncated.
  // The empty text has a vector too. Order is kept whatever the implementation sorts inside. Thread
  // safety: may be called from several threads at once.
  virtual Result<Embeddings> embed(std::span<const std::string_view> texts) const = 0;
};

}  // namespace precedent
