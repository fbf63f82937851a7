// How a claim is judged.
//
// The idea. A sentence is true of the receipts if three things hold. All in it that can be wrong by
// itself (an id, a figure, a time, a name) stands in a receipt. It stands there in the place that
// the sentence gives it. And the words between say what the words of the receipt say. To the
// checks a sentence is a row of tokens, so are the receipts, and each check compares one thing. All
// checks are pure functions in one table (checks/table.cc). The stages below are the only order
// among them; within a stage the first check that says anything decides.
//
// A counter-example to every simpler rule. Receipt: "checkout-api retried, so payment-service
// starved." Answer: "payment-service retried, so checkout-api starved." It invents nothing: each
// word and each name occurs, in one line, and both sentences mean the same to an encoder. So
// presence is not enough: "names" asks whether a rival stands nearer to the words around a name,
// and "exchanges" scores both ways round. "No customer was affected" differs from its contrary by
// one short word, which is what "polarity" is for. And most words of a false sentence are true, so
// that a share of words ("words") rejects only what nobody said.
//
// What was learned (opinion.h) is asked last, of what the checks left open: whether a sentence that
// has few of the receipts' words says the same in others, and whether one that has many of them
// still says something else. It reads no figures: what can be wrong by itself stays with the
// checks, whatever it finds.
//
// What stands in no receipt is not false because of that: a figure may be the sum of two others, a
// duration lie between two moments, a gap be real. So a check rejects what the receipts contradict,
// or what cannot follow from them; a check that only has a doubt is silent.
//
// Cost. Linear in the receipts, which are read once (facts/facts.h), and in the answer. Each
// sentence looks at its best six passages (checks/alignment.h), each fact at 48 places. 600 words
// against 20 receipts of 2.5 KB: verify_bench.
//
// Tests. *_test.cc beside this file hold sentences against receipts, by the kind of falsehood;
// bypass_test has what tries to get around the verifier; grounding_eval_test has the shares of
// caught falsehoods on text that was never looked at; check_ablation says what each check is worth.
#include "grounding/verify.h"

#include <algorithm>
#include <optional>

#include "base/strings.h"
#include "base/utf8.h"
#include "grounding/checks/citations.h"
#include "grounding/checks/gaps.h"
#include "grounding/checks/wording.h"
#include "grounding/opinion.h"
#include "grounding/text/plain_english.h"
#include "grounding/text/statements.h"

namespace precedent {
namespace {

// Proofs of a claim that are kept.
constexpr size_t kMaxProofs = 6;

bool is_heading(const Statement& s) {
  return s.form == StatementForm::kHeading || s.form == StatementForm::kFrame;
}

// An empty heading, a label, a question. "Recommended next steps" names a topic; more words than
// that of which none was found do not.
bool claims_nothing(const Statement& s) {
  constexpr std::ptrdiff_t kTopicWords = 3;
  const auto& tokens = s.lexed.tokens;
  const bool says = std::ranges::any_of(
      tokens, [](const Token& t) { return is_content(t.kind) || is_fact(t.kind); });
  const bool cites = !s.citations.tokens.empty();
  if (s.question || (!says && s.form != StatementForm::kCode && !cites)) return true;
  if (!is_heading(s) || s.asserts || cites || !s.quoted.empty()) return false;
  const bool states = std::ranges::any_of(
      tokens, [](const Token& t) { return is_fact(t.kind) && t.kind != TokenKind::kName; });
  const auto words =
      std::ranges::count_if(tokens, [](const Token& t) { return is_content(t.kind) && !t.part; });
  return !states && words <= kTopicWords;
}

// By the most specific thing that it states.
ClaimKind kind_of(const Sentence& sentence) {
  ClaimKind kind = ClaimKind::kGeneral;
  const auto raise = [&](ClaimKind other) { kind = std::min(kind, other); };
  if (!sentence.statement->quoted.empty()) raise(ClaimKind::kQuotation);
  for (const Token& token : sentence.tokens()) {
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
        if (is_causal(ascii_lower(sentence.spelling(token)))) raise(ClaimKind::kCause);
        break;
      default: break;
    }
  }
  return kind;
}

// A judgement that is not silent, and whose it is.
struct Finding {
  const ClaimCheck* check = nullptr;
  Judgement judgement;
};

// Of one answer: sentences are judged in order, as "it" and "21 minutes later" speak of those
// before.
class Verifier {
 public:
  Verifier(std::string_view answer, const Facts& facts, const LearnedReader* judge,
           const GroundingRules& rules, std::span<const ClaimCheck> checks)
      : answer_(answer), facts_(facts), judge_(judge), rules_(rules), checks_(checks) {}

  // None for what claims nothing.
  std::optional<Claim> judge(const Statement& statement) {
    Sentence sentence = open(statement);
    if (claims_nothing(statement)) return std::nullopt;
    claim_ = {.bytes = statement.bytes};
    proofs_.clear();
    claim_.kind =
        statement.form == StatementForm::kCode ? ClaimKind::kQuotation : kind_of(sentence);
    judge_statement(sentence);
    return std::move(claim_);
  }

 private:
  Sentence open(const Statement& statement) {
    Sentence s;
    s.answer = answer_;
    s.statement = &statement;
    s.rules = &rules_;
    s.is_assertion =
        statement.form == StatementForm::kSentence || (is_heading(statement) && statement.asserts);
    s.mentions = find_mentions(statement.lexed);
    s.days = days_of(statement.lexed, facts_.index);
    s.recent_mentions = recent_mentions_;
    s.recent_days = recent_days_;
    s.last_record_key = last_record_key_;
    if (!s.mentions.empty()) recent_mentions_ = s.mentions;
    if (!s.days.empty()) recent_days_ = s.days;
    return s;
  }

  // The loop over the table: the first check of a stage that is not silent.
  std::optional<Finding> ask(CheckStage stage, const Sentence& sentence) {
    for (const ClaimCheck& check : checks_) {
      if (check.stage != stage || !check.applies(sentence)) continue;
      Judgement judgement = check.judge(sentence, facts_);
      proofs_.insert(proofs_.end(), judgement.proofs.begin(), judgement.proofs.end());
      if (!judgement.silent()) return Finding{&check, std::move(judgement)};
    }
    return std::nullopt;
  }
  // Whether it says something. What it says is then the verdict.
  bool decides(CheckStage stage, const Sentence& sentence) {
    const std::optional<Finding> found = ask(stage, sentence);
    if (found) settle(*found);
    return found.has_value();
  }
  void settle(const Finding& found) {
    claim_.reason = found.judgement.reason;
    claim_.verdict =
        found.judgement.refuted() ? ClaimVerdict::kUnsupported : ClaimVerdict::kSupported;
    if (!found.judgement.refuted()) return;
    claim_.check = found.check->name;
    if (found.judgement.kind != ClaimKind::kGeneral) claim_.kind = found.judgement.kind;
  }
  void settle(ClaimVerdict verdict, std::string_view reason) {
    claim_.verdict = verdict;
    claim_.reason = reason;
  }
  void settle_gap() {
    claim_.kind = ClaimKind::kGap;
    settle(ClaimVerdict::kSupported, "the receipts do not have it either");
  }

  void judge_statement(Sentence& s) {
    if (s.statement->form == StatementForm::kCode) {
      decides(CheckStage::kCode, s);
      return;
    }
    read_citations(s, facts_);
    if (decides(CheckStage::kCitations, s)) return;
    if (is_gap(s, facts_)) return judge_gap(s);
    if (decides(CheckStage::kReferences, s)) return;
    const Alignment alignment(facts_.index, s.lexed(), s.scope);
    s.alignment = &alignment;
    s.subject = subject_of(s, facts_);
    if (decides(CheckStage::kLiteral, s)) {
      prove(s);
      if (s.statement->supposing) claim_.verdict = ClaimVerdict::kHypothesis;
      return;
    }
    if (decides(CheckStage::kLists, s) || decides(CheckStage::kMissing, s)) return;
    if (!s.is_assertion || s.statement->supposing) return judge_facts(s);
    const std::optional<Statement> rest = without_missing(s);
    if (!rest) return judge_facts(s);
    const bool says = std::ranges::any_of(
        rest->lexed.tokens, [](const Token& t) { return is_content(t.kind) || is_fact(t.kind); });
    if (says)
      judge_rest(s, *rest);
    else
      settle_gap();
  }

  // It says that something was not found, and that is so. What else it says is judged by itself.
  void judge_gap(Sentence& s) {
    if (const std::optional<Statement> rest = beside_gap(s)) {
      if (decides(CheckStage::kReferences, s)) return;
      s.subject = subject_of(s, facts_);
      judge_rest(s, *rest);
      if (claim_.verdict == ClaimVerdict::kUnsupported) return;
    }
    settle_gap();
  }

  void judge_rest(Sentence s, const Statement& rest) {
    const Alignment alignment(facts_.index, rest.lexed, s.scope);
    s.statement = &rest;
    s.alignment = &alignment;
    judge_facts(s);
  }

  // All that can be wrong by itself, then what is said with it.
  void judge_facts(Sentence& s) {
    if (decides(CheckStage::kNames, s) || refutes_figures(s) || decides(CheckStage::kBindings, s))
      return;
    prove(s);
    if (s.statement->supposing)
      settle(ClaimVerdict::kHypothesis,
             "worded as a supposition; what it names is in the receipts");
    else if (s.is_assertion)
      judge_wording(s);
    else if (!decides(CheckStage::kWords, s))
      settle(ClaimVerdict::kSupported, "the receipts say so");
  }

  // A citation at the end may be for the last of several facts only. Then the sentence may rest on
  // all receipts from here on.
  bool refutes_figures(Sentence& s) {
    const auto is_figure = [](const Token& token) {
      return token.kind == TokenKind::kQuantity || token.kind == TokenKind::kTime;
    };
    std::optional<Finding> wrong = ask(CheckStage::kFigures, s);
    if (wrong && cites(s) && std::ranges::count_if(s.tokens(), is_figure) > 1) {
      s.scope.assign(s.scope.size(), true);
      wrong = ask_widely(CheckStage::kFigures, s);
    }
    if (wrong) settle(*wrong);
    return wrong.has_value();
  }

  bool cites(const Sentence& s) const { return s.scoped && !s.statement->citations.tokens.empty(); }
  // Over all receipts, whatever the sentence cites.
  std::optional<Finding> ask_widely(CheckStage stage, const Sentence& s) {
    Sentence wide = s;
    wide.scope.assign(s.scope.size(), true);
    const Alignment alignment(facts_.index, wide.lexed(), wide.scope);
    wide.alignment = &alignment;
    return ask(stage, wide);
  }

  void judge_wording(const Sentence& s) {
    std::optional<Finding> words = ask(CheckStage::kWords, s);
    // A citation at the end may be for one of several clauses only.
    if (words && cites(s) &&
        s.alignment->overlap(0, s.tokens().size()).share() >= rules_.min_cited_overlap)
      words = ask_widely(CheckStage::kWords, s);
    if (words && is_general(s)) {
      claim_.proofs.clear();
      return settle(ClaimVerdict::kGeneralKnowledge, "it says nothing about this company");
    }
    const bool advising = s.statement->advising;
    if (!advising && refutes_own_words(s)) return;
    if (!advising) hear_judge(s);
    // Whose words are not found may have been said in others, but for a cause.
    const bool vouched = words && words->judgement.kind != ClaimKind::kCause && claim_.opinion &&
                         claim_.opinion->supported >= rules_.vouched;
    if (vouched) words.reset();
    if (!words && decides(CheckStage::kOutcomes, s)) return;
    if (words && (!advising || words->judgement.kind == ClaimKind::kCause)) return settle(*words);
    if (decides(CheckStage::kPolarity, s)) return;
    if (claim_.opinion && claim_.opinion->supported < rules_.doubted) {
      claim_.check = kJudgeCheck;
      return settle(ClaimVerdict::kUnsupported,
                    claim_.opinion->contradicted > claim_.opinion->not_stated
                        ? "the receipts seem to say something else"
                        : "the receipts do not seem to say this");
    }
    settle(ClaimVerdict::kSupported,
           vouched ? "the receipts seem to say so in other words" : "the receipts say so");
  }

  void hear_judge(const Sentence& s) {
    if (judge_ == nullptr || opinions_ >= rules_.max_opinions) return;
    ++opinions_;
    claim_.opinion = opinion_of(s, facts_, *judge_);
  }

  // What a sentence says in its own words: a title that it quotes may be "Down or wrong".
  bool refutes_own_words(const Sentence& s) {
    Statement unquoted;
    Sentence own = s;
    if (!s.statement->quoted.empty()) {
      unquoted = *s.statement;
      unquoted.lexed = without_quoted(*s.statement);
      own.statement = &unquoted;
    }
    last_record_key_ = last_record_key(own.lexed(), facts_.index, last_record_key_);
    return decides(CheckStage::kAssertions, own);
  }

  // The best passages, and where the facts of the sentence stand.
  void prove(const Sentence& s) {
    const ReceiptIndex& index = facts_.index;
    const auto add = [&](uint32_t first, uint32_t last) {
      const auto& tokens = index.lexed().tokens;
      const ReceiptPlace& receipt = index.receipt_of(index.unit_of(first));
      Proof proof{receipt.id, {}};
      if (tokens[last].end - receipt.base <= receipt.text_bytes)
        proof.bytes = {tokens[first].begin - receipt.base, tokens[last].end - receipt.base};
      if (claim_.proofs.size() < kMaxProofs &&
          std::ranges::find(claim_.proofs, proof) == claim_.proofs.end())
        claim_.proofs.push_back(std::move(proof));
    };
    const auto& passages = s.alignment->passages();
    for (const uint32_t unit : std::span(passages).first(std::min<size_t>(2, passages.size())))
      add(index.units()[unit].first, index.units()[unit].end - 1);
    for (const uint32_t place : proofs_) add(place, place);
  }

  const std::string_view answer_;
  const Facts& facts_;
  const LearnedReader* const judge_;
  const GroundingRules& rules_;
  const std::span<const ClaimCheck> checks_;
  size_t opinions_ = 0;           // that the judge was asked for
  Claim claim_;                   // of the sentence at hand
  std::vector<uint32_t> proofs_;  // of it: tokens of the receipts
  // Of the sentences before it, see Sentence.
  std::vector<Mention> recent_mentions_;
  std::vector<double> recent_days_;
  uint64_t last_record_key_ = 0;
};

}  // namespace

Verification verify(std::string_view answer_markdown, const Facts& facts,
                    const LearnedReader* judge, const GroundingRules& rules,
                    std::span<const ClaimCheck> checks) {
  Verification verification;
  const std::string_view own = utf8_prefix(answer_markdown, rules.max_answer_bytes);
  const std::string answer = facts.index.without_instructions(own);
  verification.cut = facts.index.cut() || answer.size() < answer_markdown.size();
  Verifier verifier(answer, facts, judge, rules, checks);
  for (const Statement& statement : find_statements(answer)) {
    if (verification.claims.size() >= rules.max_claims) {
      verification.cut = true;
      break;
    }
    if (auto claim = verifier.judge(statement)) verification.claims.push_back(std::move(*claim));
  }
  return verification;
}

Verification verify(std::string_view answer_markdown, std::span<const Receipt> receipts,
                    const LearnedReader* judge, const GroundingRules& rules) {
  return verify(answer_markdown, Facts(receipts), judge, rules);
}

}  // namespace precedent
