#include "grounding/checks/wording.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/strings.h"
#include "grounding/checks/claim_check.h"
#include "grounding/matching/clause_denial.h"
#include "grounding/matching/polarity.h"
#include "grounding/text/clauses.h"
#include "grounding/text/plain_english.h"

namespace precedent {
namespace {

// A clause of fewer words is judged with its sentence.
constexpr size_t kMinClauseWords = 3;

// "I cannot tell", "we do not know": what the speaker lacks is no claim. The token of the denial.
std::optional<size_t> own_limit(std::span<const Token> tokens) {
  constexpr size_t kNear = 4;
  static const uint64_t kI = hash64("i"), kWe = hash64("we");
  for (size_t t = 0; t < tokens.size(); ++t) {
    if (tokens[t].kind != TokenKind::kStop || (tokens[t].term != kI && tokens[t].term != kWe))
      continue;
    for (size_t n = t + 1; n < std::min(tokens.size(), t + kNear); ++n)
      if (denies(tokens[n])) return n;
  }
  return std::nullopt;
}

}  // namespace

bool gives_causes(const Sentence& sentence, const Facts& facts) {
  for (uint32_t unit = 0; unit < facts.index.units().size(); ++unit) {
    if (sentence.scope[facts.index.units()[unit].record] && facts.index.gives_cause(unit))
      return true;
  }
  return false;
}

Judgement check_words(const Sentence& sentence, const Facts& facts) {
  const auto& tokens = sentence.tokens();
  static const uint64_t kSince = hash64("since"), kAs = hash64("as");
  // "As a page" is no reason.
  const auto is_role = [&](size_t t) {
    static const auto kArticles = terms_of("a an the");
    return t + 1 < tokens.size() && is_any(tokens[t + 1], kArticles);
  };
  const std::optional<size_t> unable = own_limit(tokens);
  size_t begin = 0;
  bool cause = false;
  for (size_t t = 0; t <= tokens.size(); ++t) {
    // "Post version, time and reason": no cause follows a bare noun.
    const bool noun = t < tokens.size() && tokens[t].kind == TokenKind::kWord;
    const bool reason = t < tokens.size() && tokens[t].kind != TokenKind::kBreak &&
                        (!noun || (t > 0 && tokens[t - 1].kind == TokenKind::kStop)) &&
                        (is_causal(ascii_lower(sentence.spelling(tokens[t]))) ||
                         (t > 0 && tokens[t - 1].kind == TokenKind::kBreak &&
                          (tokens[t].term == kSince || (tokens[t].term == kAs && !is_role(t)))));
    if (t < tokens.size() && tokens[t].kind != TokenKind::kBreak && !reason) continue;
    // "I cannot compare them, because there are no values of that week."
    if (cause && unable &&
        std::any_of(tokens.begin() + static_cast<ptrdiff_t>(begin),
                    tokens.begin() + static_cast<ptrdiff_t>(t), denies)) {
      begin = reason ? t + 1 : t;
      cause = reason;
      continue;
    }
    const Alignment::Overlap clause = sentence.alignment->overlap(begin, t);
    if (cause && clause.words >= 2 && gives_causes(sentence, facts) &&
        sentence.alignment->unit_overlap(begin, t, sentence.scope, true).share() <
            sentence.rules->min_given_cause &&
        sentence.alignment->unit_overlap(begin, t, sentence.scope, false).share() <
            sentence.rules->min_told_cause)
      return refuted(ClaimKind::kCause, "the receipts do not give this as a cause");
    const double least =
        cause ? sentence.rules->min_cause_overlap : sentence.rules->min_clause_overlap;
    const bool limit = unable && *unable >= begin && *unable < t;
    if (!limit && clause.words >= (cause ? 2 : kMinClauseWords) && clause.share() < least) {
      return cause ? refuted(ClaimKind::kCause, "the receipts do not give this cause")
                   : refuted(ClaimKind::kGeneral, "the receipts do not say a part of this");
    }
    begin = reason ? t + 1 : t;
    cause = reason;
  }
  if (unable) return {};
  const Alignment::Overlap whole = sentence.alignment->overlap(0, tokens.size());
  if (whole.words > 0 && whole.share() < sentence.rules->min_overlap)
    return refuted(ClaimKind::kGeneral, "the receipts do not say this");
  if (sentence.alignment->longest_unknown_run() >= sentence.rules->max_unknown_run)
    return refuted(ClaimKind::kGeneral, "the receipts have none of the words of a part of this");
  return {};
}

Judgement check_polarity(const Sentence& sentence, const Facts& facts) {
  // A row of a table denies by its column: "reload: no | meaning: …".
  if (sentence.is_row()) return {};
  auto flipped = find_flip(sentence.lexed(), facts.index, *sentence.alignment, sentence.subject);
  if (!flipped)
    flipped =
        find_clause_denial(sentence.lexed(), facts.index, *sentence.alignment, sentence.subject);
  if (flipped && takes_no_side(sentence.tokens()[*flipped])) return {};
  if (flipped)
    return refuted(ClaimKind::kGeneral,
                   fmt::format("the receipts say the opposite about \"{}\"",
                               squeeze(sentence.spelling(sentence.tokens()[*flipped]))));
  return {};
}

bool is_general(const Sentence& sentence) {
  const auto& tokens = sentence.tokens();
  if (tokens.empty() || !sentence.statement->citations.tokens.empty()) return false;
  if (std::ranges::any_of(tokens, [](const Token& t) { return is_fact(t.kind); })) return false;
  const auto caused = [&](const Token& token) {
    return is_causal(ascii_lower(sentence.spelling(token)));
  };
  if (sentence.statement->advising) return std::ranges::none_of(tokens, caused);
  bool general = false, first = true;
  for (const Token& token : tokens) {
    const std::string word = ascii_lower(sentence.spelling(token));
    if (first && (word == "a" || word == "an")) general = true;
    if (is_generalising(word)) general = true;
    if (is_ours(word)) return false;
    // Told as something that happened, or caused something here.
    if (word == "was" || word == "were" || word == "had" || word == "did" || is_causal(word))
      return false;
    if (!first && ((token.kind == TokenKind::kWord && word.ends_with("ed")) || word == "took" ||
                   word == "led" || word == "brought" || word == "made"))
      return false;
    first = false;
  }
  return general;
}

}  // namespace precedent
