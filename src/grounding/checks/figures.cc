#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "base/strings.h"
#include "grounding/checks/claim_check.h"
#include "grounding/checks/derived_figures.h"
#include "grounding/checks/places.h"
#include "grounding/text/comparisons.h"

namespace precedent {
namespace {

// Between a figure and a rival of another unit.
constexpr double kLargestRatio = 20;
// "Two limiters": no rival of a small number is as large.
constexpr double kLargestSmall = 20;

// No "34 minutes" is in the place of "5.4 s".
bool alike_in_size(const Quantity& one, const Quantity& other) {
  if (one.factor == other.factor || one.value == 0 || other.value == 0) return true;
  const double ratio = std::abs(one.value / other.value);
  return ratio < kLargestRatio && ratio > 1 / kLargestRatio;
}

// "#283", the last part of an address that the receipts have.
bool is_reference(const Sentence& sentence, const Facts& facts, const Token& token) {
  return token.begin > 0 && sentence.answer[token.begin - 1] == '#' &&
         (facts.index.has_literal(fmt::format("/{}", sentence.spelling(token))) ||
          facts.index.has_literal(fmt::format("#{}", sentence.spelling(token))));
}

// "Between 53.2 % and 53.4 %", where 53.29 % is stated: a bound is rounded away from it.
bool is_rounded_bound(const Sentence& sentence, const Facts& facts, size_t at) {
  static const uint64_t kBetween = hash64("between"), kAnd = hash64("and");
  const auto& lexed = sentence.lexed();
  const auto is = [&](size_t t, uint64_t term) {
    return t < lexed.tokens.size() && lexed.tokens[t].kind != TokenKind::kBreak &&
           lexed.tokens[t].term == term;
  };
  const bool lower = is(at - 1, kBetween) && is(at + 1, kAnd);
  const bool upper = at > 2 && is(at - 1, kAnd) && is(at - 3, kBetween);
  if (!lower && !upper) return false;
  const Quantity& q = lexed.quantities[lexed.tokens[at].value];
  const auto& stated = facts.index.lexed();
  for (uint32_t t = 0; t < stated.tokens.size(); ++t) {
    if (stated.tokens[t].kind != TokenKind::kQuantity || !in_scope(sentence, facts, t)) continue;
    const Quantity& other = stated.quantities[stated.tokens[t].value];
    const double inwards = lower ? other.value - q.value : q.value - other.value;
    if (other.dimension == q.dimension && inwards >= 0 && inwards < q.step) return true;
  }
  return false;
}

}  // namespace

Judgement check_quantities(const Sentence& sentence, const Facts& facts) {
  const auto& tokens = sentence.tokens();
  std::vector<uint32_t> proofs;
  for (size_t t = 0; t < tokens.size(); ++t) {
    if (tokens[t].kind != TokenKind::kQuantity) continue;
    const Quantity& q = sentence.lexed().quantities[tokens[t].value];
    const Hedge hedge = tokens[t].hedge;
    const auto stated = [&](uint32_t place) -> const Quantity& {
      return facts.index.lexed().quantities[facts.index.lexed().tokens[place].value];
    };
    std::vector<uint32_t> own = facts.index.quantities_near(q, hedge);
    std::erase_if(own, [&](uint32_t place) {
      return !in_scope(sentence, facts, place) || !same_quantity(q, stated(place), hedge);
    });
    if (own.empty() && q.dimension == Dimension::kNone) {
      const bool year = std::ranges::any_of(facts.index.dates(), [&](uint32_t place) {
        return in_scope(sentence, facts, place) &&
               facts.index.lexed().dates[facts.index.lexed().tokens[place].value].year == q.value;
      });
      if (year) continue;
    }
    if (!own.empty()) {
      std::vector<uint32_t> rivals = in_passages(sentence, facts, TokenKind::kQuantity);
      std::erase_if(rivals, [&](uint32_t place) {
        const Quantity& rival = stated(place);
        if (rival.dimension != q.dimension || of_another_series(sentence, facts, place))
          return true;
        if (!alike_in_size(q, rival)) return true;
        if (q.word && std::abs(rival.value) > kLargestSmall) return true;
        return std::ranges::any_of(tokens, [&](const Token& other) {
          return other.kind == TokenKind::kQuantity &&
                 same_quantity(sentence.lexed().quantities[other.value], rival, other.hedge);
        });
      });
      keep_cited(sentence, facts, own, rivals);
      if (sentence.statement->supposing || !sentence.is_assertion ||
          (!all_of_other_series(sentence, facts, own) &&
           stands_in_place(sentence, facts, t, own, rivals, proofs)))
        continue;
    }
    if (own.empty() && is_rounded_bound(sentence, facts, t)) continue;
    if (derived(sentence, facts, q, hedge) || counted(sentence, facts, t, q) ||
        is_reference(sentence, facts, tokens[t]))
      continue;
    return refuted(ClaimKind::kNumber,
                   own.empty()
                       ? fmt::format("no receipt states {} and none of its figures gives it",
                                     squeeze(sentence.spelling(tokens[t])))
                       : fmt::format("the receipts state {} of something else",
                                     squeeze(sentence.spelling(tokens[t]))),
                   std::move(proofs));
  }
  return silent(std::move(proofs));
}

}  // namespace precedent
