#include <algorithm>
#include <cmath>

#include "base/strings.h"
#include "grounding/arithmetic.h"
#include "grounding/checker.h"
#include "grounding/comparisons.h"
#include "grounding/courses.h"

namespace precedent {
namespace {

// Of more moments some two are as far apart as any duration.
constexpr size_t kFewMoments = 6;
// How far the words that announce a computation stand from its result.
constexpr size_t kCueBytes = 40;

}  // namespace

// The words around a quantity of the sentence, in lower case: those that say how it was computed.
std::string Checker::around(const Quantity& q) const {
  const std::string_view body = statement_->body.in(answer_);
  for (const Token& token : statement_->lexed.tokens) {
    if (token.kind != TokenKind::kQuantity || &statement_->lexed.quantities[token.value] != &q)
      continue;
    const size_t begin = token.begin - statement_->body.begin,
                 end = token.end - statement_->body.begin;
    const size_t from = begin > kCueBytes ? begin - kCueBytes : 0;
    return ascii_lower(body.substr(from, end + kCueBytes - from));
  }
  return {};
}

// What the words behind a figure compare with: "90 req/s above the contract".
Checker::Compared Checker::compared_with(const Quantity& q) const {
  const auto& tokens = statement_->lexed.tokens;
  Compared compared;
  for (const Comparison& c : find_comparisons(statement_->lexed)) {
    if (c.first == 0 || tokens[c.first - 1].kind != TokenKind::kQuantity ||
        &statement_->lexed.quantities[tokens[c.first - 1].value] != &q)
      continue;
    compared.smaller = c.order == Order::kAbove;
    for (size_t t = c.end; t < tokens.size() && tokens[t].kind != TokenKind::kBreak; ++t) {
      if (is_content(tokens[t].kind) && !tokens[t].part) compared.terms.push_back(tokens[t].term);
    }
  }
  return compared;
}

// The figures of the sentence and of these units; a reference is what stands in a clause with what
// is compared with.
bool Checker::derived_from(const Quantity& q, Hedge hedge, const ArithmeticCues& cues,
                           const Compared& compared, const std::vector<Quantity>& own,
                           uint32_t first_unit, uint32_t end_unit, size_t first) const {
  std::vector<Quantity> figures = own;
  std::vector<bool> named(own.size(), false);
  const auto& stated = evidence_.lexed();
  for (uint32_t unit = first_unit; unit < end_unit; ++unit) {
    size_t clause = figures.size();
    bool beside = false;
    const auto close = [&] {
      for (; clause < figures.size(); ++clause) named[clause] = beside;
      beside = false;
    };
    const EvidenceUnit& u = evidence_.units()[unit];
    for (uint32_t t = u.first; t < u.end && figures.size() < kMaxFigures; ++t) {
      const Token& token = stated.tokens[t];
      if (token.kind == TokenKind::kBreak) close();
      beside = beside || std::ranges::find(compared.terms, token.term) != compared.terms.end();
      if (token.kind != TokenKind::kQuantity) continue;
      figures.push_back(stated.quantities[token.value]);
      named.push_back(false);
    }
    close();
  }
  ReferenceFigures reference{{}, compared.smaller};
  // What these units do not name may be any of their figures.
  if (std::ranges::find(named, true) != named.end()) reference.figures = std::move(named);
  return derive(q, hedge, cues, figures, first, reference).has_value();
}

bool Checker::derived(const Alignment& alignment, const Quantity& q, Hedge hedge) {
  std::vector<Quantity> own;
  for (const Token& token : statement_->lexed.tokens) {
    if (token.kind != TokenKind::kQuantity) continue;
    const Quantity& other = statement_->lexed.quantities[token.value];
    if (&other != &q && other.dimension != Dimension::kTimes && own.size() < kMaxFigures / 2)
      own.push_back(other);
  }
  const ArithmeticCues cues = arithmetic_cues(around(q));
  const Compared compared = compared_with(q);
  if (derive(q, hedge, cues, own)) return true;
  // Two figures of the sentence would have been the operands.
  if (own.size() >= 2 && q.dimension == Dimension::kTimes) return false;
  for (const uint32_t unit : alignment.passages()) {
    if (derived_from(q, hedge, cues, compared, own, unit, unit + 1, SIZE_MAX)) return true;
  }
  // One operand may stand in the sentence, or both in the fields of one metric.
  const bool measured = q.dimension == Dimension::kBytes || q.dimension == Dimension::kTime ||
                        q.dimension == Dimension::kRate;
  if (!alignment.passages().empty() && (!own.empty() || measured)) {
    for (const uint32_t unit : alignment.passages()) {
      const EvidenceRecord& record = evidence_.records()[evidence_.units()[unit].record];
      const size_t first = own.empty() ? SIZE_MAX : own.size();
      if (derived_from(q, hedge, cues, compared, own, record.first_unit, record.end_unit, first))
        return true;
    }
  }
  if (q.dimension != Dimension::kTime) return false;
  std::vector<double> times;
  for (const Token& token : statement_->lexed.tokens) {
    if (token.kind == TokenKind::kTime) times.push_back(token.value);
  }
  if (!times.empty()) {
    for (const uint32_t place : in_passages(alignment, TokenKind::kTime))
      times.push_back(evidence_.lexed().tokens[place].value);
  }
  if (derive_duration(q, hedge, times)) return true;
  // Two times of one passage, and the times among a record's fields: opened and resolved.
  const auto& tokens = evidence_.lexed().tokens;
  for (const uint32_t unit : alignment.passages()) {
    times.clear();
    for (uint32_t t = evidence_.units()[unit].first; t < evidence_.units()[unit].end; ++t) {
      if (tokens[t].kind == TokenKind::kTime) times.push_back(tokens[t].value);
    }
    if (derive_duration(q, hedge, times)) return true;
  }
  times.clear();
  for (const uint32_t unit :
       std::span(alignment.passages()).first(std::min<size_t>(2, alignment.passages().size()))) {
    for (uint32_t t = evidence_.units()[unit].first; t < evidence_.units()[unit].end; ++t) {
      if (tokens[t].kind == TokenKind::kTime) times.push_back(tokens[t].value);
    }
  }
  if (derive_duration(q, hedge, times)) return true;
  for (size_t r = 0; r < evidence_.records().size(); ++r) {
    const EvidenceRecord& record = evidence_.records()[r];
    if (!scope_[r] || record.end_header == record.first_unit) continue;
    times = moments_in(evidence_, record.first_unit, record.end_header);
    if (derive_duration(q, hedge, times)) return true;
  }
  return between_moments(alignment, q, hedge);
}

// "Five minutes", "40 hours": between two moments of one record that the sentence speaks of.
bool Checker::between_moments(const Alignment& alignment, const Quantity& q, Hedge hedge) const {
  std::vector<uint32_t> records;
  for (const uint32_t unit : alignment.passages()) {
    const uint32_t record = evidence_.units()[unit].record;
    if (std::ranges::find(records, record) == records.end()) records.push_back(record);
  }
  for (const uint32_t record : records) {
    const std::vector<double> moments = moments_in(
        evidence_, evidence_.records()[record].first_unit, evidence_.records()[record].end_unit);
    if (moments.size() <= kFewMoments && derive_duration(q, hedge, moments)) return true;
  }
  return false;
}

// "3 incidents", "two deploys": as many as the list below has, or lines and names of the receipts.
bool Checker::counted(size_t at, const Quantity& q) const {
  if (q.dimension != Dimension::kNone ||
      q.value != static_cast<double>(static_cast<size_t>(std::abs(q.value))))
    return false;
  const auto wanted = static_cast<size_t>(q.value);
  if (statement_->listed > 0 && statement_->listed == wanted) return true;
  for (size_t r = 0; r < evidence_.records().size(); ++r) {
    if (scope_[r] && wanted > 1 && evidence_.records()[r].list_items == wanted) return true;
  }
  // The records that one receipt tells of.
  for (size_t r = 0; r < evidence_.receipts().size() && wanted > 1; ++r) {
    const auto told = std::ranges::count_if(evidence_.records(), [&](const EvidenceRecord& record) {
      return record.receipt == r && record.end_title > record.first_unit;
    });
    if (static_cast<size_t>(told) == wanted) return true;
  }
  const auto& tokens = statement_->lexed.tokens;
  size_t named = 0;
  for (const Token& token : tokens)
    named += !token.part && (token.kind == TokenKind::kIdentifier ||
                             token.kind == TokenKind::kService || token.kind == TokenKind::kPath)
                 ? 1
                 : 0;
  if (named == wanted && wanted > 1) return true;
  // What is counted: the noun that follows.
  for (size_t t = at + 1; t < std::min(tokens.size(), at + 4); ++t) {
    if (tokens[t].kind != TokenKind::kWord || tokens[t].part) continue;
    const uint32_t id = evidence_.find(tokens[t].term);
    if (id == Grounds::kNoTerm) continue;
    size_t units = 0;
    uint32_t last = UINT32_MAX;
    for (const uint32_t place : evidence_.postings(id)) {
      if (!in_scope(place) || evidence_.unit_of(place) == last) continue;
      last = evidence_.unit_of(place);
      // Of a list: the noun stands near the beginning of its line.
      units += place - evidence_.units()[last].first < 6 ? 1 : 0;
    }
    if (units == wanted) return true;
    if (evidence_.postings(id).size() == wanted) return true;
  }
  return false;
}

}  // namespace precedent
