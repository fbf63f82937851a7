#include "grounding/facts/quantity_index.h"

#include <algorithm>
#include <cmath>

namespace precedent {

void QuantityIndex::build(const LexedText& text) {
  for (uint32_t t = 0; t < text.tokens.size(); ++t) {
    if (text.tokens[t].kind != TokenKind::kQuantity) continue;
    const Quantity& q = text.quantities[text.tokens[t].value];
    by_value_.push_back({q.value, t});
    by_number_.push_back({q.value / q.factor, t});
  }
  const auto less = [](const Placed& a, const Placed& b) {
    return a.value != b.value ? a.value < b.value : a.token < b.token;
  };
  std::ranges::sort(by_value_, less);
  std::ranges::sort(by_number_, less);
}

std::vector<uint32_t> QuantityIndex::near(const Quantity& claimed, Hedge hedge) const {
  std::vector<uint32_t> found;
  const auto collect = [&](const std::vector<Placed>& sorted, double value, double step) {
    // Rounding, or as wide as any hedge goes (quantity.cc).
    const double reach = (hedge == Hedge::kNone ? 1e-8 : 0.2) * std::abs(value) + step;
    auto at = std::ranges::lower_bound(sorted, value - reach, {}, &Placed::value);
    for (size_t n = 0; at != sorted.end() && at->value <= value + reach && n < kMaxCandidates;
         ++at, ++n)
      found.push_back(at->token);
  };
  collect(by_value_, claimed.value, claimed.step);
  if (claimed.binary != 1) collect(by_value_, claimed.value * claimed.binary, claimed.step);
  if (claimed.dimension == Dimension::kBytes) {
    for (const double binary : {1.024, 1.048576, 1.073741824, 1.099511627776})
      collect(by_value_, claimed.value / binary, claimed.step);
  }
  collect(by_number_, claimed.value, claimed.step);
  collect(by_number_, claimed.value / claimed.factor, claimed.step / claimed.factor);
  if (claimed.dimension == Dimension::kShare)
    collect(by_number_, claimed.value * 100, claimed.step * 100);
  std::ranges::sort(found);
  const auto duplicates = std::ranges::unique(found);
  found.erase(duplicates.begin(), duplicates.end());
  return found;
}

}  // namespace precedent
