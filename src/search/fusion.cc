#include "search/fusion.h"

#include <algorithm>

namespace precedent {
namespace {

struct Scale {
  float low = 0, high = 0;
  bool any = false;

  void see(const std::optional<float>& value) {
    if (!value) return;
    low = any ? std::min(low, *value) : *value;
    high = any ? std::max(high, *value) : *value;
    any = true;
  }
  // A list of equal scores says only "present".
  float operator()(const std::optional<float>& value) const {
    if (!value) return 0;
    return high > low ? (*value - low) / (high - low) : 1;
  }
};

}  // namespace

std::vector<Fused> fuse(const std::vector<Candidate>& candidates, const FusionWeights& weights) {
  Scale document, passage, dense;
  for (const Candidate& c : candidates) {
    document.see(c.document);
    passage.see(c.passage);
    dense.see(c.dense);
  }
  // Lists that returned nothing at all (no vectors, no known word) do not dilute the others.
  const float total = (document.any ? weights.document : 0) + (passage.any ? weights.passage : 0) +
                      (dense.any ? weights.dense : 0);
  std::vector<Fused> fused;
  fused.reserve(candidates.size());
  for (size_t i = 0; i < candidates.size(); ++i) {
    const Candidate& c = candidates[i];
    ScoreParts parts{
        c.document, c.passage, c.dense, document(c.document), passage(c.passage), dense(c.dense),
        c.bonus,    c.prior,   0};
    const float mean =
        total > 0 ? (weights.document * parts.document_scaled +
                     weights.passage * parts.passage_scaled + weights.dense * parts.dense_scaled) /
                        total
                  : 0;
    parts.fused = c.prior * (mean + weights.bonus * c.bonus) / (1 + weights.bonus);
    fused.push_back({i, parts});
  }
  std::stable_sort(fused.begin(), fused.end(), [&](const Fused& a, const Fused& b) {
    if (a.parts.fused != b.parts.fused) return a.parts.fused > b.parts.fused;
    return candidates[a.candidate].doc_id < candidates[b.candidate].doc_id;
  });
  return fused;
}

}  // namespace precedent
