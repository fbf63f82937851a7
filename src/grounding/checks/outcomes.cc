// What a short sentence says of how something ended whose name the receipts hold. There the words
// of the receipts around the name prove nothing.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "base/strings.h"
#include "grounding/checks/claim_check.h"
#include "grounding/checks/measured_trends.h"
#include "grounding/checks/places.h"
#include "grounding/text/clauses.h"
#include "grounding/text/negation.h"

namespace precedent {
namespace {

// Words that say how something ended or stands, those of one meaning on a line. A sentence with one
// of them needs a receipt with one of its line.
constexpr auto kOutcomes = std::to_array<std::string_view>({
    "innocent blameless harmless exonerated unrelated",
    "resolved resolution solved fixed cleared closed mitigated recovered recovery healed restored "
    "normal inactive",
    "reverted revert undone undo withdrawn",
    "healthy fine ok okay good intended expected correctly flawless flawlessly",
    "flat unchanged steady stable constant",
    "doubled double twice 2x",
    "tripled triple threefold 3x",
    "proved proven confirmed confirm certain undisputed",
});
constexpr size_t kReverted = 2, kFine = 3;
// "Passes" proves "fine", and claims nothing of the kind itself.
constexpr std::string_view kAlsoFine = "passes passed passing succeeded green";

const std::vector<std::vector<uint64_t>>& outcomes() {
  static const std::vector<std::vector<uint64_t>> kTerms = [] {
    std::vector<std::vector<uint64_t>> lines;
    for (const std::string_view words : kOutcomes) {
      lines.emplace_back();
      for (const std::string_view word : split(words, ' ')) lines.back().push_back(term_of(word));
    }
    return lines;
  }();
  return kTerms;
}

bool any_in_scope(const Sentence& sentence, const Facts& facts,
                  const std::vector<uint64_t>& terms) {
  return std::ranges::any_of(terms, [&](uint64_t term) {
    const uint32_t id = facts.index.find(term);
    return id != ReceiptIndex::kNoTerm &&
           std::ranges::any_of(facts.index.postings(id),
                               [&](uint32_t at) { return in_scope(sentence, facts, at); });
  });
}

bool rolled_back(const Facts& facts) {
  return std::ranges::any_of(
      std::to_array<std::string_view>(
          {"rollback", "roll back", "rolled back", "rolling back", "rolls back", "roll-back"}),
      [&](std::string_view spelling) { return facts.index.has_literal(spelling); });
}

}  // namespace

Judgement check_outcomes(const Sentence& sentence, const Facts& facts) {
  const auto& tokens = sentence.tokens();
  // What is denied needs no receipt; and two figures show by themselves whether they differ.
  if (std::ranges::any_of(tokens, [](const Token& t) { return t.kind == TokenKind::kNegator; }) ||
      std::ranges::count(tokens, TokenKind::kQuantity, &Token::kind) > 1)
    return {};
  // "It is what I would undo": nobody did.
  static const TermSet kModals = terms_of("would should must can could");
  const auto is_proposed = [&](size_t t) {
    return t > 0 && kModals.contains(tokens[t - 1].term) && tokens[t - 1].kind == TokenKind::kStop;
  };
  // "With the correct zone": says which one.
  const auto is_attribute = [&](size_t t) {
    static const uint64_t kThe = hash64("the");
    return t > 0 && t + 1 < tokens.size() && tokens[t - 1].term == kThe &&
           is_content(tokens[t + 1].kind) && !tokens[t + 1].part;
  };
  // "Were fine", where the receipts take a side in that: polarity.h compares them.
  const std::vector<OpposedExpression> expressions =
      find_opposed_expressions(tokens, find_negation(tokens));
  const auto is_sided = [&](size_t t) {
    return std::ranges::any_of(expressions, [&](const OpposedExpression& expression) {
      return expression.first < expression.last && expression.first <= t && t <= expression.last &&
             !facts.index.opposed_expressions(expression.matter).empty();
    });
  };
  for (size_t t = 0; t < tokens.size(); ++t) {
    const Token& token = tokens[t];
    const bool compound = t + 1 < tokens.size() && tokens[t + 1].part;
    if (token.kind != TokenKind::kWord || token.part || compound) continue;
    if (is_attribute(t) || is_proposed(t) || is_sided(t) ||
        (is_calm(token) && is_at_usual_level(sentence, facts)))
      continue;
    for (const std::vector<uint64_t>& line : outcomes()) {
      if (std::ranges::find(line, token.term) == line.end() || any_in_scope(sentence, facts, line))
        continue;
      if (&line == &outcomes()[kReverted] && rolled_back(facts)) continue;
      if (&line == &outcomes()[kFine] && std::ranges::any_of(split(kAlsoFine, ' '), [&](auto word) {
            return any_in_scope(sentence, facts, {term_of(word)});
          }))
        continue;
      return refuted(ClaimKind::kGeneral,
                     fmt::format("no receipt says \"{}\"", sentence.spelling(token)));
    }
  }
  // "Rolled back", which "rolled out" is not.
  static const uint64_t kRoll = term_of("rolled"), kBack = term_of("back");
  const auto is_back = [&](const Token& token) {
    return token.term == kBack || token.term == hash64("back");
  };
  for (size_t t = 0; t + 1 < tokens.size(); ++t) {
    if (tokens[t].term == kRoll && is_back(tokens[t + 1]) &&
        !any_in_scope(sentence, facts, outcomes()[kReverted]) && !rolled_back(facts))
      return refuted(ClaimKind::kGeneral, "no receipt says that it was rolled back");
  }
  return {};
}

}  // namespace precedent
