#include "agent/language/example_vectors.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <numeric>

#include "base/hash.h"
#include "files/files.h"

namespace precedent {
namespace {

constexpr size_t kHeader = 2 * sizeof(uint64_t);

}  // namespace

void ExampleVectors::add(size_t group, const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) sentences_.push_back({group, sentence});
}

Result<Embeddings> ExampleVectors::embed_all() const {
  if (auto vectors = kept()) return std::move(*vectors);
  std::vector<std::string_view> texts;
  for (const Sentence& sentence : sentences_) texts.push_back(sentence.text);
  Embeddings vectors = TRY(embedder_.embed(texts));
  keep(vectors);
  return vectors;
}

uint64_t ExampleVectors::key() const {
  std::string all(embedder_.model_id());
  for (const Sentence& sentence : sentences_) all.append(1, '\0').append(sentence.text);
  return hash64(all);
}

std::optional<Embeddings> ExampleVectors::kept() const {
  if (file_.empty()) return std::nullopt;
  const size_t bytes = sentences_.size() * embedder_.dimensions() * sizeof(float);
  const auto read = read_file(file_, bytes + kHeader);
  if (!read || read->size() != bytes + kHeader) return std::nullopt;
  uint64_t header[2];
  std::memcpy(header, read->data(), kHeader);
  const std::string_view values = std::string_view(*read).substr(kHeader);
  if (header[0] != key() || header[1] != hash64(values)) return std::nullopt;
  Embeddings vectors{embedder_.dimensions(), std::vector<float>(bytes / sizeof(float))};
  std::memcpy(vectors.values.data(), values.data(), bytes);
  return vectors;
}

void ExampleVectors::keep(const Embeddings& vectors) const {
  if (file_.empty()) return;
  const std::string_view values(reinterpret_cast<const char*>(vectors.values.data()),
                                vectors.values.size() * sizeof(float));
  const uint64_t header[2] = {key(), hash64(values)};
  const std::string_view parts[] = {{reinterpret_cast<const char*>(header), kHeader}, values};
  std::error_code ignored;
  std::filesystem::create_directories(file_.parent_path(), ignored);
  // Without it the next start is slower; nothing else depends on it.
  [[maybe_unused]] const auto written = write_file_atomically(file_, parts);
}

Result<std::vector<ExampleVectors::Nearest>> ExampleVectors::nearest(
    std::span<const float> question) const {
  if (sentences_.empty()) return std::vector<Nearest>();
  const MutexLock lock(mutex_);
  if (vectors_.count() == 0) vectors_ = TRY(embed_all());
  std::map<size_t, Nearest> best;
  for (size_t i = 0; i < sentences_.size(); ++i) {
    const std::span<const float> row = vectors_.row(i);
    const double cosine = std::inner_product(row.begin(), row.end(), question.begin(), 0.0);
    const auto [at, added] = best.try_emplace(
        sentences_[i].group, Nearest{sentences_[i].group, sentences_[i].text, cosine});
    if (!added && cosine > at->second.cosine) at->second = {at->first, sentences_[i].text, cosine};
  }
  std::vector<Nearest> nearest;
  for (auto& [group, found] : best) nearest.push_back(std::move(found));
  std::ranges::stable_sort(nearest, std::greater(), &Nearest::cosine);
  return nearest;
}

}  // namespace precedent
