#include "grounding/text/comparisons.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/hash.h"
#include "grounding/text/negation.h"

namespace precedent {
namespace {

// How far a figure stands from the words that compare it, in tokens.
constexpr size_t kReach = 7;

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

const std::vector<uint64_t>& direction_terms(Order order) {
  const auto make = [](std::initializer_list<std::string_view> words) {
    std::vector<uint64_t> out;
    for (const std::string_view word : words) out.push_back(term_of(word));
    return out;
  };
  static const auto up = make({"rise", "increase", "grow", "climb", "jump", "raise", "surge"});
  static const auto down =
      make({"fall", "decrease", "drop", "shrink", "decline", "lower", "reduce"});
  return order == Order::kAbove ? up : down;
}

bool holds(const std::vector<uint64_t>& terms, const Token& token) {
  return token.kind != TokenKind::kBreak && token.term != 0 && !token.part &&
         std::ranges::find(terms, token.term) != terms.end();
}

Order opposite(Order order) { return order == Order::kAbove ? Order::kBelow : Order::kAbove; }

bool is_word(const Token& token, uint64_t term) {
  return token.kind != TokenKind::kBreak && token.term == term;
}

// "3 % where more than 70 % was expected", "8 sessions each": another figure's words.
bool parts_figures(const Token& token) {
  static const uint64_t kMarks[] = {hash64("where"), hash64("when"),   hash64("while"),
                                    hash64("but"),   hash64("each"),   hash64("and"),
                                    hash64("if"),    hash64("though"), hash64("or")};
  return token.kind == TokenKind::kStop &&
         std::ranges::find(kMarks, token.term) != std::end(kMarks);
}

// The quantity next to token `at`, at most kReach tokens away; `words`: content words between.
struct Near {
  size_t token = 0;
  size_t words = 0;
};
std::optional<Near> quantity_before(const LexedText& s, size_t at) {
  Near near;
  for (size_t n = 1; n <= kReach && n <= at; ++n) {
    const Token& token = s.tokens[at - n];
    if (token.kind == TokenKind::kQuantity) return Near{at - n, near.words};
    if (token.kind == TokenKind::kBreak && token.strength != BreakStrength::kClause) return {};
    if (parts_figures(token)) return {};
    near.words += is_content(token.kind) && !token.part ? 1 : 0;
  }
  return {};
}
std::optional<Near> quantity_after(const LexedText& s, size_t at, bool beyond_clause) {
  Near near;
  for (size_t t = at; t < std::min(s.tokens.size(), at + kReach + 1); ++t) {
    const Token& token = s.tokens[t];
    if (token.kind == TokenKind::kQuantity) return Near{t, near.words};
    if (token.kind == TokenKind::kBreak && !beyond_clause) return {};
    if (parts_figures(token)) return {};
    near.words += is_content(token.kind) && !token.part ? 1 : 0;
  }
  return {};
}

// "650 and 250 add up to more than 840": the sum is compared.
bool adds_up(std::span<const Token> tokens, size_t first, size_t end) {
  static const uint64_t kMarks[] = {term_of("add"),      term_of("sum"),      term_of("total"),
                                    term_of("together"), term_of("combined"), term_of("both")};
  return std::any_of(tokens.begin() + static_cast<ptrdiff_t>(first),
                     tokens.begin() + static_cast<ptrdiff_t>(end), [](const Token& token) {
                       return token.kind != TokenKind::kBreak &&
                              std::ranges::find(kMarks, token.term) != std::end(kMarks);
                     });
}

const Quantity& quantity(const LexedText& s, size_t token) {
  return s.quantities[s.tokens[token].value];
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

std::optional<size_t> find_false_comparison(const LexedText& sentence) {
  static const uint64_t kBy = hash64("by"), kFrom = hash64("from"), kTo = hash64("to");
  const auto& tokens = sentence.tokens;
  for (const Comparison& c : find_comparisons(sentence)) {
    const bool passive = is_word(tokens[c.end - 1], kBy);
    const auto left = quantity_before(sentence, c.first);
    const auto right = quantity_after(sentence, c.end, passive);
    if (!left || !right || left->words > 2 || adds_up(tokens, left->token, c.first)) continue;
    // "Of 620 pods less than 14": a figure of its own; "90 above 700": how much.
    if ((right->words == 0 && left->words > 0) || left->token + 1 == c.first) continue;
    if (compare(quantity(sentence, left->token), quantity(sentence, right->token), c.order) ==
        false)
      return c.first;
  }
  // "Rose from 3 s to 200 ms"
  for (size_t t = 0; t < tokens.size(); ++t) {
    if (!is_word(tokens[t], kFrom) || t + 3 >= tokens.size()) continue;
    if (tokens[t + 1].kind != TokenKind::kQuantity || !is_word(tokens[t + 2], kTo) ||
        tokens[t + 3].kind != TokenKind::kQuantity)
      continue;
    for (size_t n = 1; n <= kReach && n <= t && tokens[t - n].kind != TokenKind::kBreak; ++n) {
      for (const Order order : {Order::kAbove, Order::kBelow}) {
        if (holds(direction_terms(order), tokens[t - n]) &&
            compare(quantity(sentence, t + 3), quantity(sentence, t + 1), order) == false)
          return t - n;
      }
    }
  }
  return std::nullopt;
}

}  // namespace precedent
