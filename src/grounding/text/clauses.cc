#include "grounding/text/clauses.h"

#include <algorithm>
#include <array>

#include "base/hash.h"
#include "base/strings.h"

namespace precedent {

std::vector<Clause> clauses_of(std::span<const Token> tokens, ClauseEnd ends) {
  static const uint64_t kAnd = hash64("and");
  std::vector<Clause> out;
  size_t begin = 0;
  for (size_t t = 0; t <= tokens.size(); ++t) {
    const bool word = t < tokens.size() && ends == ClauseEnd::kBreakOrWord &&
                      (tokens[t].term == kAnd || is_contrast(tokens[t]));
    if (t < tokens.size() && tokens[t].kind != TokenKind::kBreak && !word) continue;
    if (t > begin) out.push_back({begin, t});
    begin = t + 1;
  }
  return out;
}

TermSet terms_of(std::string_view words) {
  TermSet out;
  for (const std::string_view word : split(words, ' ')) {
    out.add(term_of(word));
    out.add(hash64(word));
  }
  return out;
}

bool is_any(const Token& token, const TermSet& terms) {
  return token.kind != TokenKind::kBreak && token.term != 0 && !token.part &&
         terms.contains(token.term);
}

bool is_bounded(const Token& token) {
  static const auto kTerms = terms_of("until till before if when once after again");
  return is_any(token, kTerms);
}

bool is_past(const Token& token) {
  static const auto kTerms = terms_of(
      "before after until till since when once while during earlier then yesterday ago between "
      "had");
  return is_any(token, kTerms);
}

bool is_calm(const Token& token) {
  static const auto kTerms = terms_of("fine healthy normal ok okay calm quiet unremarkable good");
  return is_any(token, kTerms);
}

bool leaves_room(const Token& token) {
  static const auto kTerms = terms_of("other else another further more except besides but than");
  return is_any(token, kTerms);
}

bool takes_no_side(const Token& token) {
  static const auto kTerms = terms_of(
      "last first next previous value figure less more least most few many whole time fewer");
  return is_any(token, kTerms);
}

bool is_moment(const Token& token) {
  return token.kind == TokenKind::kTime || token.kind == TokenKind::kDate;
}

bool denies(const Token& token) { return token.kind == TokenKind::kNegator; }

bool is_change_word(const Token& token) {
  static const auto kTerms = terms_of("change deploy deployment release rollback rollout commit");
  return is_any(token, kTerms);
}

bool is_named(const Token& token) {
  return !token.part && is_fact(token.kind) && is_content(token.kind);
}

namespace {

// The words for the kinds of changes (changes/change.h), as a line of recent_changes names them
// first.
constexpr auto kKinds = std::to_array<std::string_view>(
    {"deploy deployed deploys deployment deployments redeployed rollout release released shipped",
     "rollback rollbacks reverted revert", "flag flags toggled", "commit commits committed merged",
     "config setting settings configuration reconfigured"});
const std::vector<TermSet>& kinds() {
  static const std::vector<TermSet> kTerms = [] {
    std::vector<TermSet> kinds;
    for (const std::string_view words : kKinds) kinds.push_back(terms_of(words));
    return kinds;
  }();
  return kTerms;
}

}  // namespace

std::optional<size_t> change_kind(const Token& token) {
  for (size_t kind = 0; kind < kinds().size(); ++kind)
    if (is_any(token, kinds()[kind])) return kind;
  return std::nullopt;
}

}  // namespace precedent
