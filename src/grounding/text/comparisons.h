// Comparisons: what a sentence says of one figure beside another, "above the objective of 600 ms".
//
// Thread safety: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "grounding/text/tokens.h"

namespace precedent {

enum class Order : uint8_t { kAbove, kBelow };

// "Above", "exceeded", "lower than": the token that compares, and what it says of what stands
// before it. A denial is taken into account, "exceeded by" turned around.
struct Comparison {
  size_t first = 0, end = 0;  // tokens of the expression, half-open
  Order order = Order::kAbove;
};
std::vector<Comparison> find_comparisons(const LexedText& sentence);

// Whether `left` stands to `right` as they say; none where their units cannot be compared.
std::optional<bool> compare(const Quantity& left, const Quantity& right, Order order);

}  // namespace precedent
