// An Embedder that remembers: texts seen before are answered from a VectorCache, only new ones
// reach the embedder behind.
//
// The key is the text's content hash together with the model's id, so that a cache kept on disk
// serves several models. Vectors that do not fit the model (another number of dimensions) count as
// missing.
//
// Thread safety: as the embedder behind and the cache, which must both allow calls from several
// threads.
#pragma once

#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "embed/embedder.h"

namespace precedent {

// Where vectors are kept: store/ implements it over its database. MemoryVectorCache is the fake.
// Thread safety: all implementations, all members.
class VectorCache {
 public:
  virtual ~VectorCache() = default;

  // A vector for each content hash (base/hash.h, content_hash of the text), empty where none is
  // kept.
  virtual Result<std::vector<std::vector<float>>> get(
      std::string_view model_id, std::span<const std::string> content_hashes) const = 0;
  // Keeps row i under hash i. Storing a hash again replaces its vector.
  virtual Result<void> put(std::string_view model_id, std::span<const std::string> content_hashes,
                           const Embeddings& vectors) = 0;
};

// Bounded: when it is full it starts again from nothing, which costs one embedding a text.
class MemoryVectorCache final : public VectorCache {
 public:
  // 4,096 vectors of MiniLM are 6 MB: the questions and passages of some hundred answers.
  explicit MemoryVectorCache(size_t max_vectors = 4096) : max_vectors_(max_vectors) {}

  Result<std::vector<std::vector<float>>> get(
      std::string_view model_id, std::span<const std::string> content_hashes) const override;
  Result<void> put(std::string_view model_id, std::span<const std::string> content_hashes,
                   const Embeddings& vectors) override;
  size_t size() const;

 private:
  const size_t max_vectors_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::vector<float>> vectors_;  // "model id\nhash"
};

class CachingEmbedder final : public Embedder {
 public:
  // Lifetime: both outlive this object.
  CachingEmbedder(const Embedder& behind, VectorCache& cache) : behind_(behind), cache_(cache) {}

  std::string_view model_id() const override { return behind_.model_id(); }
  size_t dimensions() const override { return behind_.dimensions(); }
  // A text that occurs twice in `texts` is embedded once. Errors: those of the embedder and the
  // cache; what was embedded before a failing put is lost.
  Result<Embeddings> embed(std::span<const std::string_view> texts) const override;

 private:
  const Embedder& behind_;
  VectorCache& cache_;
};

}  // namespace precedent
