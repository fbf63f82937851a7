#include "embed/caching_embedder.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"

namespace precedent {
namespace {

std::string key_of(std::string_view model_id, std::string_view hash) {
  return fmt::format("{}\n{}", model_id, hash);
}

}  // namespace

Result<std::vector<std::vector<float>>> MemoryVectorCache::get(
    std::string_view model_id, std::span<const std::string> content_hashes) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::vector<float>> found(content_hashes.size());
  for (size_t i = 0; i < content_hashes.size(); ++i) {
    const auto it = vectors_.find(key_of(model_id, content_hashes[i]));
    if (it != vectors_.end()) found[i] = it->second;
  }
  return found;
}

Result<void> MemoryVectorCache::put(std::string_view model_id,
                                    std::span<const std::string> content_hashes,
                                    const Embeddings& vectors) {
  if (vectors.count() != content_hashes.size()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} vectors for {} hashes", vectors.count(), content_hashes.size()));
  }
  const std::lock_guard lock(mutex_);
  if (vectors_.size() + content_hashes.size() > max_vectors_) vectors_.clear();
  for (size_t i = 0; i < std::min(content_hashes.size(), max_vectors_); ++i) {
    const auto row = vectors.row(i);
    vectors_[key_of(model_id, content_hashes[i])].assign(row.begin(), row.end());
  }
  return {};
}

size_t MemoryVectorCache::size() const {
  const std::lock_guard lock(mutex_);
  return vectors_.size();
}

Result<Embeddings> CachingEmbedder::embed(std::span<const std::string_view> texts) const {
  const size_t width = dimensions();
  std::vector<std::string> hashes;
  hashes.reserve(texts.size());
  for (const std::string_view text : texts) hashes.push_back(content_hash(text));
  const auto cached = TRY(cache_.get(model_id(), hashes));

  // The first text of each hash that the cache lacks, and where its vector will be.
  std::unordered_map<std::string_view, size_t> place;
  std::vector<std::string_view> missing;
  std::vector<std::string> missing_hashes;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (cached[i].size() == width || !place.emplace(hashes[i], missing.size()).second) continue;
    missing.push_back(texts[i]);
    missing_hashes.push_back(hashes[i]);
  }
  Embeddings fresh{.dimensions = width, .values = {}};
  if (!missing.empty()) {
    fresh = TRY(behind_.embed(missing));
    TRY(cache_.put(model_id(), missing_hashes, fresh));
  }

  Embeddings result{.dimensions = width, .values = std::vector<float>(texts.size() * width)};
  for (size_t i = 0; i < texts.size(); ++i) {
    const auto row = cached[i].size() == width ? std::span<const float>(cached[i])
                                               : fresh.row(place.at(hashes[i]));
    std::ranges::copy(row, result.values.begin() + static_cast<ptrdiff_t>(i * width));
  }
  return result;
}

}  // namespace precedent
