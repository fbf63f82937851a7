#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/strings.h"
#include "grounding/checker.h"
#include "grounding/checks/clause_denial.h"
#include "grounding/checks/polarity.h"
#include "grounding/text/plain_english.h"

namespace precedent {
namespace {

// A clause of fewer words is judged with its sentence.
constexpr size_t kMinClauseWords = 3;
// How many words of a sentence may name its subject.
constexpr size_t kSubjectWords = 2;

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

bool Checker::gives_causes() const {
  for (uint32_t unit = 0; unit < evidence_.units().size(); ++unit) {
    if (scope_[evidence_.units()[unit].record] && evidence_.gives_cause(unit)) return true;
  }
  return false;
}

Checker::Verdict Checker::check_words(const Alignment& alignment) {
  const auto& tokens = statement_->lexed.tokens;
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
                        (is_causal(ascii_lower(spelled(tokens[t]))) ||
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
    const Alignment::Overlap clause = alignment.overlap(begin, t);
    if (cause && clause.words >= 2 && gives_causes() &&
        alignment.unit_overlap(begin, t, scope_, true).share() < rules_.min_given_cause &&
        alignment.unit_overlap(begin, t, scope_, false).share() < rules_.min_told_cause)
      return Fault{ClaimKind::kCause, "the receipts do not give this as a cause"};
    const double least = cause ? rules_.min_cause_overlap : rules_.min_clause_overlap;
    const bool limit = unable && *unable >= begin && *unable < t;
    if (!limit && clause.words >= (cause ? 2 : kMinClauseWords) && clause.share() < least) {
      return cause ? Fault{ClaimKind::kCause, "the receipts do not give this cause"}
                   : Fault{ClaimKind::kGeneral, "the receipts do not say a part of this"};
    }
    begin = reason ? t + 1 : t;
    cause = reason;
  }
  if (unable) return {};
  const Alignment::Overlap whole = alignment.overlap(0, tokens.size());
  if (whole.words > 0 && whole.share() < rules_.min_overlap)
    return Fault{ClaimKind::kGeneral, "the receipts do not say this"};
  if (alignment.longest_unknown_run() >= rules_.max_unknown_run)
    return Fault{ClaimKind::kGeneral, "the receipts have none of the words of a part of this"};
  return {};
}

// The records that the sentence is about: those that its first words name by their id, or that alone
// have the words of their title in the sentence; else all that it may rest on.
std::vector<bool> Checker::subject_scope() const {
  const auto& records = evidence_.records();
  std::vector<bool> subject = scope_;
  size_t words = 0;
  for (const Token& token : statement_->lexed.tokens) {
    if (token.part || !is_content(token.kind)) continue;
    const uint32_t id = evidence_.find(token.term);
    if (id == ReceiptIndex::kNoTerm) continue;
    ++words;
    std::vector<bool> own(records.size(), false);
    bool any = false;
    for (size_t r = 0; r < records.size(); ++r) {
      own[r] =
          subject[r] && std::ranges::find(records[r].keys, token.term) != records[r].keys.end();
      any = any || own[r];
    }
    if (any && words <= kSubjectWords) return own;
    // A word that nothing but titles and their records hold.
    bool elsewhere = false;
    own.assign(records.size(), false);
    for (const uint32_t place : evidence_.postings(id)) {
      const uint32_t record = evidence_.units()[evidence_.unit_of(place)].record;
      if (!subject[record] || !evidence_.is_found(place)) continue;
      own[record] = true;
      elsewhere = elsewhere || !std::ranges::binary_search(records[record].title_terms, id);
    }
    if (!elsewhere && std::ranges::find(own, true) != own.end()) subject = own;
  }
  return subject;
}

Checker::Verdict Checker::check_polarity(Alignment& alignment) {
  // A row of a table denies by its column: "reload: no | meaning: …".
  if (is_row()) return {};
  auto flipped = find_flip(statement_->lexed, evidence_, alignment, subject_);
  if (!flipped) flipped = find_clause_denial(statement_->lexed, evidence_, alignment, subject_);
  if (flipped && takes_no_side(statement_->lexed.tokens[*flipped])) return {};
  if (flipped)
    return Fault{ClaimKind::kGeneral,
                 fmt::format("the receipts say the opposite about \"{}\"",
                             squeeze(spelled(statement_->lexed.tokens[*flipped])))};
  return {};
}

bool Checker::is_general() const {
  const auto& tokens = statement_->lexed.tokens;
  if (tokens.empty() || !statement_->citations.tokens.empty()) return false;
  if (std::ranges::any_of(tokens, [](const Token& t) { return is_fact(t.kind); })) return false;
  const auto caused = [&](const Token& token) { return is_causal(ascii_lower(spelled(token))); };
  if (statement_->advising) return std::ranges::none_of(tokens, caused);
  bool general = false, first = true;
  for (const Token& token : tokens) {
    const std::string word = ascii_lower(spelled(token));
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
