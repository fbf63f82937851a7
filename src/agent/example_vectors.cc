#include "agent/example_vectors.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

namespace precedent {

void ExampleVectors::add(size_t group, const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) sentences_.push_back({group, sentence});
}

Result<std::vector<ExampleVectors::Nearest>> ExampleVectors::nearest(
    std::span<const float> question) const {
  if (sentences_.empty()) return std::vector<Nearest>();
  const MutexLock lock(mutex_);
  if (vectors_.count() == 0) {
    std::vector<std::string_view> texts;
    for (const Sentence& sentence : sentences_) texts.push_back(sentence.text);
    vectors_ = TRY(embedder_.embed(texts));
  }
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
