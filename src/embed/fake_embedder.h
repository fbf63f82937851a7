// The fake of the Embedder seam: hashed words, so that texts which share words are close.
// Deterministic, no files.
//
// Thread safety: stateless.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "embed/embedder.h"

namespace precedent {

class FakeEmbedder final : public Embedder {
 public:
  // REQUIRES: dimensions > 0.
  explicit FakeEmbedder(size_t dimensions = 64) : dimensions_(dimensions) {}

  std::string_view model_id() const override { return "fake"; }
  size_t dimensions() const override { return dimensions_; }
  // Each word (ASCII letters, digits and bytes above 127; case-insensitive) adds ±1 at two places
  // chosen by its hash; the text without words has a vector of its own.
  Result<Embeddings> embed(std::span<const std::string_view> texts) const override;

 private:
  size_t dimensions_;
};

}  // namespace precedent
