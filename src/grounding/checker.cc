#include "grounding/checker.h"

#include <algorithm>
#include <ranges>

#include "base/strings.h"
#include "grounding/text/plain_english.h"

namespace precedent {
namespace {

// Proofs of a claim that are kept.
constexpr size_t kMaxProofs = 6;
// Two words may stand anywhere by chance.
constexpr size_t kMinLiteralBytes = 16;

// The sentence before its trailing brackets.
std::string_view without_citations(std::string_view body) {
  while (body.ends_with(']') || body.ends_with("].")) {
    const size_t open = body.rfind('[');
    if (open == std::string_view::npos || open == 0) break;
    body = trim(body.substr(0, open));
  }
  return body;
}

bool is_figure(const Token& token) {
  return token.kind == TokenKind::kQuantity || token.kind == TokenKind::kTime;
}

}  // namespace

std::string_view Checker::spelled(const Token& token) const {
  return answer_.substr(token.begin, token.end - token.begin);
}

bool Checker::in_scope(uint32_t token) const {
  return scope_[evidence_.units()[evidence_.unit_of(token)].record];
}

// Whether what the sentence cites holds a text literally; any receipt, where it cites none.
bool Checker::stands_in_scope(std::string_view text) const {
  if (!scoped_) return evidence_.has_literal(text);
  for (uint32_t r = 0; r < evidence_.receipts().size(); ++r) {
    const bool cited = std::ranges::any_of(
        std::views::iota(size_t{0}, scope_.size()),
        [&](size_t n) { return scope_[n] && evidence_.records()[n].receipt == r; });
    if (cited && evidence_.has_literal(text, r)) return true;
  }
  return false;
}

// "Address not on the list: Route the zone through …": a heading of the receipts that names nothing
// which the sentence behind it could be told of wrongly.
bool Checker::is_labelled_quotation(std::string_view body) const {
  for (size_t colon = body.find(": "); colon != std::string_view::npos;
       colon = body.find(": ", colon + 1)) {
    if (body.size() - colon < kMinLiteralBytes) return false;
    const auto in_label = [&](const Token& token) {
      return token.begin < statement_->body.begin + colon && is_fact(token.kind) &&
             token.kind != TokenKind::kName;
    };
    if (std::ranges::any_of(statement_->lexed.tokens, in_label)) return false;
    // "No" and "not" alone stand anywhere.
    if (colon >= kMinLiteralBytes && stands_in_scope(body.substr(0, colon)) &&
        stands_in_scope(body.substr(colon + 2)) && evidence_.has_sentence(body.substr(colon + 2)))
      return true;
  }
  return false;
}

ClaimKind Checker::kind_of() const {
  ClaimKind kind = ClaimKind::kGeneral;
  const auto raise = [&](ClaimKind other) { kind = std::min(kind, other); };
  if (!statement_->quoted.empty()) raise(ClaimKind::kQuotation);
  for (const Token& token : statement_->lexed.tokens) {
    if (token.part) continue;
    switch (token.kind) {
      case TokenKind::kIdentifier: raise(ClaimKind::kId); break;
      case TokenKind::kPath: raise(ClaimKind::kPath); break;
      case TokenKind::kQuantity: raise(ClaimKind::kNumber); break;
      case TokenKind::kTime:
      case TokenKind::kDate: raise(ClaimKind::kTime); break;
      case TokenKind::kName:
      case TokenKind::kService: raise(ClaimKind::kName); break;
      case TokenKind::kStop:
        if (is_causal(ascii_lower(spelled(token)))) raise(ClaimKind::kCause);
        break;
      default: break;
    }
  }
  return kind;
}

void Checker::prove(const Alignment& alignment, Claim& claim) const {
  const auto add = [&](uint32_t first, uint32_t last) {
    const auto& tokens = evidence_.lexed().tokens;
    const uint32_t record = evidence_.units()[evidence_.unit_of(first)].record;
    const ReceiptPlace& receipt = evidence_.receipts()[evidence_.records()[record].receipt];
    Proof proof{receipt.id, {}};
    if (tokens[last].end - receipt.base <= receipt.text_bytes)
      proof.bytes = {tokens[first].begin - receipt.base, tokens[last].end - receipt.base};
    if (claim.proofs.size() < kMaxProofs &&
        std::ranges::find(claim.proofs, proof) == claim.proofs.end())
      claim.proofs.push_back(std::move(proof));
  };
  for (const uint32_t unit :
       std::span(alignment.passages()).first(std::min<size_t>(2, alignment.passages().size())))
    add(evidence_.units()[unit].first, evidence_.units()[unit].end - 1);
  for (const uint32_t fact : facts_) add(fact, fact);
}

std::optional<Claim> Checker::check(const Statement& statement) {
  statement_ = &statement;
  facts_.clear();
  if (!mentions_.empty()) recent_ = std::move(mentions_);
  mentions_ = find_mentions(statement.lexed);
  if (!days_.empty()) recent_days_ = std::move(days_);
  days_ = days_of(statement.lexed);
  const auto& tokens = statement.lexed.tokens;
  const bool says = std::ranges::any_of(
      tokens, [](const Token& t) { return is_content(t.kind) || is_fact(t.kind); });
  const bool code = statement.form == StatementForm::kCode;
  if (statement.question || (!says && !code && statement.citations.tokens.empty()))
    return std::nullopt;
  const bool heading =
      statement.form == StatementForm::kHeading || statement.form == StatementForm::kFrame;
  const bool states = std::ranges::any_of(
      tokens, [](const Token& t) { return is_fact(t.kind) && t.kind != TokenKind::kName; });
  // "Recommended next steps" names a topic; more words than that of which none was found do not.
  constexpr std::ptrdiff_t kTopicWords = 3;
  const auto words =
      std::ranges::count_if(tokens, [](const Token& t) { return is_content(t.kind) && !t.part; });
  const bool topic = heading && !statement.asserts;
  if (topic && !states && statement.citations.tokens.empty() && statement.quoted.empty() &&
      words <= kTopicWords)
    return std::nullopt;
  told_whole_ = statement.form == StatementForm::kSentence || (heading && !topic);

  Claim claim;
  claim.bytes = statement.bytes;
  claim.kind = code ? ClaimKind::kQuotation : kind_of();
  const auto reject = [&](const Fault& fault) {
    claim.verdict = ClaimVerdict::kUnsupported;
    if (fault.kind != ClaimKind::kGeneral) claim.kind = fault.kind;
    claim.reason = fault.reason;
    return claim;
  };
  if (code) {
    if (!evidence_.has_literal(statement.bytes.in(answer_)))
      return reject({ClaimKind::kQuotation, "no receipt has this line of code"});
    claim.verdict = ClaimVerdict::kSupported;
    claim.reason = "a receipt has this line";
    return claim;
  }
  if (const Verdict fault = read_citations()) return reject(*fault);
  if (is_gap()) {
    if (const Verdict fault = check_absent_clauses()) return reject(*fault);
    if (const std::optional<Statement> rest = beside_gap()) {
      if (const Verdict fault = check_references()) return reject(*fault);
      subject_ = subject_scope();
      statement_ = &*rest;
      Alignment left(evidence_, rest->lexed, scope_);
      check_facts(left, claim);
      if (claim.verdict == ClaimVerdict::kUnsupported) return claim;
    }
    claim.kind = ClaimKind::kGap;
    claim.verdict = ClaimVerdict::kSupported;
    claim.reason = "the receipts do not have it either";
    return claim;
  }
  if (const Verdict fault = check_references()) return reject(*fault);
  Alignment alignment(evidence_, statement.lexed, scope_);
  subject_ = subject_scope();
  const std::string_view body = trim(statement.body.in(answer_));
  // "Nobody was charged twice" holds "was charged twice" literally.
  if (body.size() >= kMinLiteralBytes && statement.lexed.tokens.size() > 2 &&
      (is_labelled_quotation(without_citations(body)) ||
       (stands_in_scope(without_citations(body)) &&
        (evidence_.has_sentence(without_citations(body)) || !check_polarity(alignment))))) {
    prove(alignment, claim);
    claim.verdict = statement.supposing ? ClaimVerdict::kHypothesis : ClaimVerdict::kSupported;
    claim.reason = "a receipt says so word for word";
    return claim;
  }
  if (told_whole_ && !statement.supposing && !statement.advising) {
    const Listed listed = judge_lists();
    if (listed == Listed::kRefuted)
      return reject({ClaimKind::kGeneral, "what the receipts list of it says otherwise"});
    if (listed == Listed::kProved) {
      claim.verdict = ClaimVerdict::kSupported;
      claim.reason = "what the receipts list of it says so";
      return claim;
    }
  }
  if (!told_whole_ || statement.supposing) {
    check_facts(alignment, claim);
    return claim;
  }
  // What is left of it without what it says to be missing.
  Statement rest;
  bool gap = false;
  if (const Verdict fault = check_untold(rest, gap)) return reject(*fault);
  if (gap) {
    claim.kind = ClaimKind::kGap;
    claim.verdict = ClaimVerdict::kSupported;
    claim.reason = "the receipts do not have it either";
  } else if (rest.lexed.tokens.empty()) {
    check_facts(alignment, claim);
  } else {
    statement_ = &rest;
    Alignment left(evidence_, rest.lexed, scope_);
    check_facts(left, claim);
  }
  return claim;
}

// Refuted as soon as one clause is; proved only if all are.
Checker::Listed Checker::judge_lists() const {
  bool proved = true, any = false;
  for (const Clause& clause : clauses_of(statement_->lexed.tokens)) {
    Listed own = Listed::kSilent;
    for (const Listed listed :
         {judge_no_alert(clause), judge_active_alert(clause), judge_no_change(clause),
          judge_newest(clause), judge_all_changes(clause)}) {
      if (listed == Listed::kRefuted) return listed;
      if (listed == Listed::kProved) own = listed;
    }
    any = true;
    proved = proved && own == Listed::kProved;
  }
  return any && proved ? Listed::kProved : Listed::kSilent;
}

// What a sentence says in its own words: a title that it quotes may be "Down or wrong".
Checker::Verdict Checker::check_told(const Alignment& alignment) {
  const Statement* whole = statement_;
  Statement own;
  if (!statement_->quoted.empty()) {
    own = *statement_;
    own.lexed = without_quoted(*statement_);
    statement_ = &own;
  }
  Verdict found;
  for (const Verdict& fault : {check_courses(),
                               check_alerts(),
                               check_change_times(),
                               check_always(),
                               check_order(),
                               check_actors(),
                               check_settings(),
                               check_causer(),
                               check_lines(),
                               check_dated_figures(),
                               check_line_order(),
                               check_pairings(alignment),
                               check_status(),
                               check_items(),
                               check_whole(),
                               check_possessions(),
                               check_acts(),
                               check_people(),
                               check_own_order(),
                               check_sequence(),
                               check_bounds(),
                               check_switches(),
                               check_named_order(),
                               check_change_kinds(),
                               check_measured_figures(),
                               check_only(),
                               check_only_so_many(),
                               check_owned(),
                               check_taken_away(),
                               check_course_after_change()})
    if (fault && !found) found = fault;
  statement_ = whole;
  return found;
}

void Checker::check_facts(Alignment& alignment, Claim& claim) {
  const Statement& statement = *statement_;
  const auto& tokens = statement.lexed.tokens;
  const auto reject = [&](const Fault& fault) {
    claim.verdict = ClaimVerdict::kUnsupported;
    if (fault.kind != ClaimKind::kGeneral) claim.kind = fault.kind;
    claim.reason = fault.reason;
  };
  if (statement.form != StatementForm::kSource) {
    if (const Verdict fault = check_quotations()) return reject(*fault);
    if (const Verdict fault = check_names(alignment)) return reject(*fault);
    Verdict wrong = check_quantities(alignment);
    if (!wrong) wrong = check_times(alignment);
    if (wrong && scoped_ && !statement.citations.tokens.empty() &&
        std::ranges::count_if(tokens, is_figure) > 1) {
      // A citation at the end may be for the last of several facts only.
      scope_.assign(scope_.size(), true);
      Alignment wide(evidence_, statement.lexed, scope_);
      wrong = check_quantities(wide);
      if (!wrong) wrong = check_times(wide);
    }
    if (!wrong) wrong = check_intervals();
    if (wrong) return reject(*wrong);
    if (const Verdict fault = check_tables(alignment)) return reject(*fault);
    if (const Verdict fault = check_fields()) return reject(*fault);
    if (const Verdict fault = check_compared_fields()) return reject(*fault);
    if (const Verdict fault = check_exchanges()) return reject(*fault);
    if (const Verdict fault = check_comparisons()) return reject(*fault);
    if (const Verdict fault = check_absence()) return reject(*fault);
  }
  prove(alignment, claim);
  if (statement.supposing) {
    claim.verdict = ClaimVerdict::kHypothesis;
    claim.reason = "worded as a supposition; what it names is in the receipts";
    return;
  }
  // A title of the list of sources, a heading that names a topic: their words were found somewhere.
  if (!told_whole_) {
    if (const Verdict fault = check_words(alignment)) return reject(*fault);
  } else {
    Verdict words = check_words(alignment);
    // A citation at the end may be for one of several clauses only.
    if (words && scoped_ && !statement.citations.tokens.empty() &&
        alignment.overlap(0, tokens.size()).share() >= rules_.min_cited_overlap) {
      std::vector<bool> all(scope_.size(), true);
      scope_.swap(all);
      words = check_words(Alignment(evidence_, statement.lexed, scope_));
      scope_.swap(all);
    }
    if (words && is_general()) {
      claim.verdict = ClaimVerdict::kGeneralKnowledge;
      claim.proofs.clear();
      claim.reason = "it says nothing about this company";
      return;
    }
    if (!statement.advising) {
      if (const Verdict fault = check_told(alignment)) return reject(*fault);
    }
    if (!words && !statement.advising) {
      if (const Verdict fault = check_outcomes()) return reject(*fault);
      if (const Verdict fault = check_denied_cause()) return reject(*fault);
      if (const Verdict fault = check_direction()) return reject(*fault);
    }
    if (words && !(statement.advising && words->kind != ClaimKind::kCause)) return reject(*words);
    if (const Verdict fault = check_polarity(alignment)) return reject(*fault);
  }
  claim.verdict = ClaimVerdict::kSupported;
  claim.reason = "the receipts say so";
}

}  // namespace precedent
