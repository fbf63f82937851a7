#include "grounding/checks/gaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "base/strings.h"
#include "grounding/checks/claim_check.h"
#include "grounding/checks/places.h"
#include "grounding/checks/wording.h"
#include "grounding/text/clauses.h"
#include "grounding/text/plain_english.h"

namespace precedent {
namespace {

// How much of what is said to be missing one sentence of the receipts holds that tells it.
constexpr double kTold = 0.7;
// Between a denial and the verb of telling, in tokens.
constexpr size_t kNearDenial = 2;

// What holds what is known.
bool is_source(const Token& token) {
  static const auto kTerms = terms_of(
      "record report receipt document runbook page ticket post-mortem postmortem entry source");
  return is_any(token, kTerms);
}
// What a source does.
bool is_telling(const Token& token) {
  static const auto kTerms = terms_of(
      "record state give name mention specify document say tell report explain describe list note "
      "identify cover contain show detail hold include");
  return is_any(token, kTerms);
}
// "No deploy explains it" tells of a cause, not of what a report leaves out.
bool is_explaining(const Token& token) {
  static const auto kTerms = terms_of("explain cover hold");
  return is_any(token, kTerms);
}
bool is_untold(const Token& token) {
  static const auto kTerms = terms_of("unknown unclear undocumented unspecified");
  return is_any(token, kTerms);
}

// What kind of thing is missing: "who", "when", "how long", "why".
enum class Missing : uint8_t { kAnything, kPerson, kMoment, kSpan, kCause, kNumber };
Missing missing_kind(std::span<const Token> tokens) {
  static const auto kPerson = terms_of("who whom whose person author name"),
                    kMoment = terms_of("when time date moment"),
                    kCause = terms_of("why cause reason"), kNumber = terms_of("number many count"),
                    kLong = terms_of("long duration");
  Missing kind = Missing::kAnything;
  for (const Token& token : tokens) {
    if (is_any(token, kLong)) return Missing::kSpan;
    if (kind != Missing::kAnything) continue;
    kind = is_any(token, kPerson)   ? Missing::kPerson
           : is_any(token, kMoment) ? Missing::kMoment
           : is_any(token, kCause)  ? Missing::kCause
           : is_any(token, kNumber) ? Missing::kNumber
                                    : kind;
  }
  return kind;
}
bool names_kind(const Token& token) {
  static const auto kTerms = terms_of(
      "who whom whose person author name when time date moment why cause reason number many count "
      "long duration what which");
  return is_any(token, kTerms);
}

// Whether a clause says that the receipts do not tell something: "who ran it is not recorded", "the
// report gives no time". Then the tokens of what is missing.
std::optional<std::vector<size_t>> missing_words(const Sentence& sentence, size_t first,
                                                 size_t end) {
  const auto& tokens = sentence.tokens();
  // "The report does not mention", "the report gives no", "is not recorded".
  bool said = false;
  std::optional<size_t> source, telling, denied;
  for (size_t t = first; t < end; ++t) {
    const Token& token = tokens[t];
    said = said || is_untold(token);
    if (token.kind == TokenKind::kNegator) {
      said = said || (source && telling && t <= *telling + kNearDenial);
      denied = t;
    } else if (is_telling(token) && (source || (denied && !is_explaining(token)))) {
      const bool near = denied && t <= *denied + kNearDenial;
      said = said || (near && (source || t + kNearDenial >= end));
      telling = t;
    } else if (is_source(token) && !denied) {
      source = t;
    }
  }
  if (!said) return std::nullopt;
  std::vector<size_t> missing;
  for (size_t t = first; t < end; ++t)
    if (is_content(tokens[t].kind) && !tokens[t].part && !is_source(tokens[t]) &&
        !is_telling(tokens[t]) && !is_untold(tokens[t]) && !names_kind(tokens[t]))
      missing.push_back(t);
  return missing;
}

// Whether a sentence of the receipts tells what a clause says is missing.
bool tells_missing(const Sentence& sentence, const Facts& facts, const std::vector<size_t>& missing,
                   size_t first, size_t end) {
  const auto& tokens = sentence.tokens();
  const Missing kind = missing_kind(std::span(tokens).subspan(first, end - first));
  // Of several incidents one may have no cause.
  static const uint64_t kStatus = term_of("status");
  const bool some_without_cause =
      kind == Missing::kCause &&
      std::ranges::any_of(facts.index.postings_of(kStatus), [&](uint32_t place) {
        if (!in_scope(sentence, facts, place) || !facts.index.is_label(place)) return false;
        const EvidenceRecord& record =
            facts.index.records()[facts.index.units()[facts.index.unit_of(place)].record];
        return std::ranges::none_of(std::views::iota(record.first_unit, record.end_unit),
                                    [&](uint32_t unit) { return facts.index.names_cause(unit); });
      });
  // "Cause not recorded": of a field by that name.
  if (missing.empty() && kind == Missing::kCause && !some_without_cause) {
    static const uint64_t kCauseWord = term_of("cause");
    return std::ranges::any_of(facts.index.postings_of(kCauseWord), [&](uint32_t place) {
      return in_scope(sentence, facts, place) && facts.index.is_label(place);
    });
  }
  const auto fits = [&](uint32_t unit) {
    const EvidenceUnit& u = facts.index.units()[unit];
    if (!sentence.scope[u.record]) return false;
    // "A root cause is not recorded yet": of an incident that has none, whatever others have.
    if (kind == Missing::kCause && missing.size() < 2 && some_without_cause) return false;
    const std::span own(facts.index.lexed().tokens.data() + u.first, u.end - u.first);
    const auto any = [&](TokenKind wanted) {
      return std::ranges::any_of(own, [&](const Token& t) { return t.kind == wanted && !t.part; });
    };
    switch (kind) {
      case Missing::kAnything: return true;
      // Not every name is a person's.
      case Missing::kPerson: return false;
      case Missing::kMoment: return any(TokenKind::kTime) || any(TokenKind::kDate);
      case Missing::kSpan:
      case Missing::kNumber: return any(TokenKind::kQuantity);
      case Missing::kCause: return facts.index.gives_cause(unit);
    }
    return true;
  };
  double all = 0;
  for (const size_t t : missing) all += facts.index.idf(facts.index.find(tokens[t].term));
  if (all == 0)
    return kind == Missing::kCause && gives_causes(sentence, facts) && !some_without_cause;
  for (uint32_t unit = 0; unit < facts.index.units().size(); ++unit) {
    if (!fits(unit)) continue;
    double held = 0;
    for (const size_t t : missing)
      if (facts.index.unit_has(unit, tokens[t].term))
        held += facts.index.idf(facts.index.find(tokens[t].term));
    if (held < kTold * all) continue;
    // Said to be missing there as well: "the cause is unknown".
    const EvidenceUnit& u = facts.index.units()[unit];
    const std::span own(facts.index.lexed().tokens.data() + u.first, u.end - u.first);
    const auto denies = [](const Token& t) { return t.kind == TokenKind::kNegator; };
    const bool also = std::ranges::any_of(own, is_untold) ||
                      (std::ranges::any_of(own, denies) && std::ranges::any_of(own, is_telling));
    if (!also) return true;
  }
  return false;
}

}  // namespace

// What a sentence says to be missing, and the receipts tell.
Judgement check_missing(const Sentence& sentence, const Facts& facts) {
  for (const Clause& clause : clauses_of(sentence.tokens(), ClauseEnd::kBreak)) {
    const auto missing = missing_words(sentence, clause.first, clause.end);
    if (missing && tells_missing(sentence, facts, *missing, clause.first, clause.end))
      return refuted(ClaimKind::kGap, "the receipts do tell what is said to be missing");
  }
  return {};
}

std::optional<Statement> without_missing(const Sentence& sentence) {
  const auto& tokens = sentence.tokens();
  std::vector<bool> out(tokens.size(), false);
  bool any = false;
  for (const Clause& clause : clauses_of(tokens, ClauseEnd::kBreak)) {
    if (!missing_words(sentence, clause.first, clause.end)) continue;
    std::fill(out.begin() + static_cast<ptrdiff_t>(clause.first),
              out.begin() + static_cast<ptrdiff_t>(clause.end), true);
    any = true;
  }
  if (!any) return std::nullopt;
  Statement rest = *sentence.statement;
  rest.lexed.tokens.clear();
  for (size_t t = 0; t < tokens.size(); ++t)
    if (!out[t]) rest.lexed.tokens.push_back(tokens[t]);
  return rest;
}

// What only a call without a result names cannot have any property but to be missing.
Judgement check_absence(const Sentence& sentence, const Facts& facts) {
  const auto& tokens = sentence.tokens();
  for (size_t at = 0; at < tokens.size(); ++at) {
    const Token& token = tokens[at];
    if (token.part || !is_fact(token.kind) || token.term == 0) continue;
    const uint32_t id = facts.index.find(token.term);
    if (id == ReceiptIndex::kNoTerm) continue;
    const bool only_missing = std::ranges::none_of(
        facts.index.postings(id), [&](uint32_t place) { return facts.index.is_found(place); });
    bool denied = false;
    const auto look = [&](size_t t) {
      denied = denied || tokens[t].kind == TokenKind::kNegator;
      return tokens[t].kind != TokenKind::kBreak;
    };
    for (size_t t = at; t > 0 && look(t - 1); --t) continue;
    for (size_t t = at + 1; t < tokens.size() && look(t); ++t) continue;
    if (only_missing && !denied)
      return refuted(ClaimKind::kGap,
                     fmt::format("the tools found nothing about {}", sentence.spelling(token)));
  }
  return {};
}

// What a sentence says beside the clause that tells of a gap, clause by clause; none if nothing.
std::optional<Statement> beside_gap(const Sentence& sentence) {
  const auto& tokens = sentence.tokens();
  const auto begins_line = [&](size_t t) {
    const std::string_view between =
        sentence.answer.substr(tokens[t - 1].end, tokens[t].begin - tokens[t - 1].end);
    const char first = sentence.answer[tokens[t].begin];
    return between.contains('\n') && first >= 'A' && first <= 'Z';
  };
  Statement rest = *sentence.statement;
  rest.lexed.tokens.clear();
  size_t begin = 0;
  for (size_t t = 0; t <= tokens.size(); ++t) {
    const bool reason = t < tokens.size() && tokens[t].kind == TokenKind::kStop &&
                        is_causal(ascii_lower(sentence.spelling(tokens[t])));
    const bool ends = t == tokens.size() || is_contrast(tokens[t]) || reason ||
                      tokens[t].kind == TokenKind::kBreak || (t > begin && begins_line(t));
    if (!ends) continue;
    const std::span clause = std::span(tokens).subspan(begin, t - begin);
    const bool found_none =
        std::ranges::any_of(clause, denies) && std::ranges::any_of(clause, [&](const Token& token) {
          return token.kind != TokenKind::kBreak &&
                 is_finding(ascii_lower(sentence.spelling(token)));
        });
    LexedText own;
    own.tokens.assign(clause.begin(), clause.end());
    // "Not found: x; y" and "no alert, deploy or flag": an item says nothing of its own.
    if (!found_none && has_predicate(own, sentence.answer)) {
      rest.lexed.tokens.insert(rest.lexed.tokens.end(), clause.begin(), clause.end());
      if (t < tokens.size() && tokens[t].kind == TokenKind::kBreak)
        rest.lexed.tokens.push_back(tokens[t]);
    }
    begin = t < tokens.size() && tokens[t].kind == TokenKind::kBreak ? t + 1 : t;
  }
  return rest.lexed.tokens.empty() ? std::nullopt : std::optional(std::move(rest));
}

bool is_gap(const Sentence& sentence, const Facts& facts) {
  bool denied = false, finding = false, gap = false;
  for (const Token& token : sentence.tokens()) {
    if (token.kind == TokenKind::kBreak) denied = finding = false;
    denied = denied || token.kind == TokenKind::kNegator;
    finding = finding || (token.kind != TokenKind::kBreak &&
                          is_finding(ascii_lower(sentence.spelling(token))));
    gap = gap || (denied && finding);
  }
  if (!gap) return false;
  if (facts.index.records().empty()) return true;
  if (std::ranges::any_of(facts.index.receipts(),
                          [](const ReceiptPlace& r) { return r.status != ReceiptStatus::kOk; }))
    return true;
  // "Nothing mentions 'x'"
  const std::string_view body = sentence.statement->body.in(sentence.answer);
  for (size_t open = body.find(" '"); open != std::string_view::npos;
       open = body.find(" '", open + 1)) {
    const size_t close = body.find('\'', open + 2);
    if (close == std::string_view::npos) break;
    const TextRange quoted{static_cast<uint32_t>(sentence.statement->body.begin + open + 2),
                           static_cast<uint32_t>(sentence.statement->body.begin + close)};
    // What was asked for with it is no mention of it.
    const bool mentioned = std::ranges::all_of(sentence.tokens(), [&](const Token& token) {
      if (token.begin < quoted.begin || token.end > quoted.end || !is_content(token.kind))
        return true;
      return std::ranges::any_of(facts.index.postings_of(token.term),
                                 [&](uint32_t place) { return facts.index.is_found(place); });
    });
    if (!mentioned) return true;
  }
  // It names something that the receipts do not hold.
  return std::ranges::any_of(sentence.tokens(), [&](const Token& token) {
    if (!is_fact(token.kind) || token.term == 0 || token.part) return false;
    const uint32_t id = facts.index.find(token.term);
    return id == ReceiptIndex::kNoTerm ||
           std::ranges::none_of(facts.index.postings(id),
                                [&](uint32_t place) { return facts.index.is_found(place); });
  });
}

}  // namespace precedent
