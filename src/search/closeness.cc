#include "search/closeness.h"

#include <cmath>
#include <numeric>

namespace precedent {

Result<std::vector<float>> closeness(std::span<const float> question,
                                     std::span<const std::string> documents,
                                     const KnowledgeIndex& index) {
  std::vector<float> all;
  for (const std::string& document : documents) {
    std::vector<uint64_t> chunks;
    for (const auto& [id, payload] : TRY(index.chunks_of(document))) chunks.push_back(id);
    std::vector<float> sum(question.size());
    for (const std::vector<float>& vector : TRY(index.vectors(chunks))) {
      if (vector.size() != sum.size()) continue;
      for (size_t i = 0; i < sum.size(); ++i) sum[i] += vector[i];
    }
    const auto dot = [](std::span<const float> a, std::span<const float> b) {
      return std::inner_product(a.begin(), a.end(), b.begin(), 0.0F);
    };
    const float length = std::sqrt(dot(sum, sum) * dot(question, question));
    all.push_back(length > 0 ? dot(sum, question) / length : 0);
  }
  return all;
}

}  // namespace precedent
