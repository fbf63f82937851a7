#include "grounding/text/comparisons.h"

#include <algorithm>

#include "base/hash.h"
#include "grounding/text/negation.h"

namespace precedent {
namespace {

// Words that compare by themselves, and those that need a "than".
const std::vector<uint64_t>& terms(Order order, bool with_than) {
  const auto make = [](std::initializer_list<std::string_view> words) {
    std::vector<uint64_t> out;
    for (const std::string_view word : words) {
      out.push_back(term_of(word));
      out.push_back(hash64(word));
    }
    return out;
  };
  static const auto above = make({"above", "exceed", "surpass", "beyond", "top"});
  static const auto below = make({"below", "under", "beneath"});
  static const auto more = make({"more", "higher", "greater", "larger", "bigger", "longer"});
  static const auto less = make({"less", "lower", "fewer", "smaller", "shorter"});
  if (with_than) return order == Order::kAbove ? more : less;
  return order == Order::kAbove ? above : below;
}

bool holds(const std::vector<uint64_t>& terms, const Token& token) {
  return token.kind != TokenKind::kBreak && token.term != 0 && !token.part &&
         std::ranges::find(terms, token.term) != terms.end();
}

Order opposite(Order order) { return order == Order::kAbove ? Order::kBelow : Order::kAbove; }

bool is_word(const Token& token, uint64_t term) {
  return token.kind != TokenKind::kBreak && token.term == term;
}

}  // namespace

std::optional<bool> compare(const Quantity& left, const Quantity& right, Order order) {
  const bool units = left.dimension == right.dimension;
  if (!units && left.dimension != Dimension::kNone && right.dimension != Dimension::kNone)
    return std::nullopt;
  if (left.dimension == Dimension::kTimes || right.dimension == Dimension::kTimes)
    return std::nullopt;
  double x = left.value, y = right.value;
  // "650 req/s … at 560": the unit is written once.
  if (!units) {
    const bool fraction =
        left.dimension == Dimension::kShare || right.dimension == Dimension::kShare;
    if (fraction) return std::nullopt;
    x = left.value / left.factor;
    y = right.value / right.factor;
  }
  return order == Order::kAbove ? x >= y : x <= y;
}

std::vector<Comparison> find_comparisons(const LexedText& sentence) {
  static const uint64_t kThan = hash64("than"), kBy = hash64("by"), kTo = hash64("to");
  const auto& tokens = sentence.tokens;
  const std::vector<uint8_t> negation = find_negation(tokens);
  std::vector<Comparison> found;
  for (size_t t = 0; t < tokens.size(); ++t) {
    for (const Order order : {Order::kAbove, Order::kBelow}) {
      Comparison c{t, t + 1, order};
      if (holds(terms(order, true), tokens[t])) {
        if (t + 1 == tokens.size() || !is_word(tokens[t + 1], kThan)) continue;
        ++c.end;
      } else if (!holds(terms(order, false), tokens[t])) {
        continue;
      }
      if (negation[t] == kConditional) continue;
      const bool negated =
          negation[t] != kFree || (t > 0 && tokens[t - 1].kind == TokenKind::kNegator);
      if (negated) c.order = opposite(c.order);
      if (c.end < tokens.size() && is_word(tokens[c.end], kBy)) {
        c.order = opposite(c.order);
        ++c.end;
        // "Exceeded by 40 ms": by how much.
        if (c.end < tokens.size() && tokens[c.end].kind == TokenKind::kQuantity) continue;
      }
      if (c.end < tokens.size() && is_word(tokens[c.end], kTo)) continue;
      found.push_back(c);
    }
  }
  return found;
}

}  // namespace precedent
