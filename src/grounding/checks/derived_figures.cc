#include "grounding/checks/derived_figures.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/hash.h"
#include "base/strings.h"
#include "grounding/checks/claim_check.h"
#include "grounding/checks/intervals.h"
#include "grounding/checks/listed.h"
#include "grounding/checks/places.h"
#include "grounding/text/arithmetic.h"
#include "grounding/text/comparisons.h"

namespace precedent {
namespace {

// How far the words that announce a computation stand from its result.
constexpr size_t kCueBytes = 40;

// "25, 5 and 10 minutes, 40 minutes altogether"
bool is_total(const Quantity& q, Hedge hedge, std::span<const Quantity> own) {
  const auto sum = [&](bool written) {
    double total = 0;
    for (const Quantity& other : own)
      if (other.dimension == q.dimension || other.dimension == Dimension::kNone)
        total += written ? other.value / other.factor : other.value;
    return total;
  };
  return own.size() > 1 && (same_amount(q.value, q.step, sum(false), hedge) ||
                            same_amount(q.value / q.factor, q.step / q.factor, sum(true), hedge));
}

// The words around a quantity of the sentence, in lower case: those that say how it was computed.
std::string words_around(const Sentence& sentence, const Quantity& q) {
  const std::string_view body = sentence.statement->body.in(sentence.answer);
  for (const Token& token : sentence.tokens()) {
    if (token.kind != TokenKind::kQuantity || &sentence.lexed().quantities[token.value] != &q)
      continue;
    const size_t begin = token.begin - sentence.statement->body.begin,
                 end = token.end - sentence.statement->body.begin;
    const size_t from = begin > kCueBytes ? begin - kCueBytes : 0;
    return ascii_lower(body.substr(from, end + kCueBytes - from));
  }
  return {};
}

struct Compared {
  std::vector<uint64_t> terms;
  bool smaller = true;  // than the other operand
};

// What the words behind a figure compare with: "90 req/s above the contract".
Compared compared_with(const Sentence& sentence, const Quantity& q) {
  const auto& tokens = sentence.tokens();
  Compared compared;
  for (const Comparison& c : find_comparisons(sentence.lexed())) {
    if (c.first == 0 || tokens[c.first - 1].kind != TokenKind::kQuantity ||
        &sentence.lexed().quantities[tokens[c.first - 1].value] != &q)
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
bool derived_from(const Facts& facts, const Quantity& q, Hedge hedge, const ArithmeticCues& cues,
                  const Compared& compared, const std::vector<Quantity>& own, uint32_t first_unit,
                  uint32_t end_unit, size_t first) {
  std::vector<Quantity> figures = own;
  std::vector<bool> named(own.size(), false);
  const auto& stated = facts.index.lexed();
  for (uint32_t unit = first_unit; unit < end_unit; ++unit) {
    size_t clause = figures.size();
    bool beside = false;
    const auto close = [&] {
      for (; clause < figures.size(); ++clause) named[clause] = beside;
      beside = false;
    };
    const EvidenceUnit& u = facts.index.units()[unit];
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

// "4.5 failures per 10,000 requests": a share that the receipts state. Of either figure.
bool is_per(const Sentence& sentence, const Facts& facts, const Quantity& q, Hedge hedge) {
  static const uint64_t kPer[] = {hash64("per"), hash64("in"), hash64("of")};
  const auto& lexed = sentence.lexed();
  const Quantity* part = nullptr;
  for (size_t t = 0; t < lexed.tokens.size(); ++t) {
    if (lexed.tokens[t].kind != TokenKind::kQuantity) continue;
    const Quantity& whole = lexed.quantities[lexed.tokens[t].value];
    const bool per = t > 0 && std::ranges::find(kPer, lexed.tokens[t - 1].term) != std::end(kPer);
    const Quantity* before = std::exchange(part, &whole);
    if (before == nullptr || !per || (before != &q && &whole != &q) ||
        before->dimension != Dimension::kNone || whole.dimension != Dimension::kNone ||
        before->value >= whole.value)
      continue;
    Quantity share = *before;
    share.dimension = Dimension::kShare;
    share.value = before->value / whole.value;
    share.step = before->step / whole.value;
    for (const uint32_t place : facts.index.quantities_near(share, hedge))
      if (in_scope(sentence, facts, place) &&
          same_quantity(share,
                        facts.index.lexed().quantities[facts.index.lexed().tokens[place].value],
                        hedge))
        return true;
  }
  return false;
}

// Whether the sentence itself lists so many things of one kind, or so many things altogether.
bool lists_so_many(const Sentence& sentence, size_t wanted) {
  static constexpr TokenKind kKinds[] = {TokenKind::kIdentifier, TokenKind::kService,
                                         TokenKind::kPath, TokenKind::kDate, TokenKind::kTime};
  size_t things = 0;
  for (const TokenKind kind : kKinds) {
    const auto own = std::ranges::count_if(
        sentence.tokens(), [&](const Token& token) { return !token.part && token.kind == kind; });
    if (static_cast<size_t>(own) == wanted) return true;
    const bool names = kind != TokenKind::kDate && kind != TokenKind::kTime;
    things += names ? static_cast<size_t>(own) : 0;
  }
  return things == wanted;
}

// "The two that were cordoned", "neither of the two values": what was told before, counted in
// words.
bool refers_back(const Sentence& sentence, size_t at) {
  static const uint64_t kThe[] = {hash64("the"),   hash64("these"), hash64("those"),
                                  hash64("other"), hash64("its"),   hash64("their")};
  static const uint64_t kOf = hash64("of");
  static const uint64_t kSome[] = {hash64("neither"), hash64("each"), hash64("either"),
                                   hash64("one"),     hash64("any"),  hash64("both"),
                                   hash64("none")};
  const auto& tokens = sentence.tokens();
  if (at == 0 || !sentence.lexed().quantities[tokens[at].value].word ||
      std::ranges::find(kThe, tokens[at - 1].term) == std::end(kThe))
    return false;
  const bool noun = at + 1 < tokens.size() && is_content(tokens[at + 1].kind);
  return !noun || (at > 2 && tokens[at - 2].term == kOf &&
                   std::ranges::find(kSome, tokens[at - 3].term) != std::end(kSome));
}

}  // namespace

bool derived(const Sentence& sentence, const Facts& facts, const Quantity& q, Hedge hedge) {
  std::vector<Quantity> own;
  for (const Token& token : sentence.tokens()) {
    if (token.kind != TokenKind::kQuantity) continue;
    const Quantity& other = sentence.lexed().quantities[token.value];
    if (&other != &q && other.dimension != Dimension::kTimes && own.size() < kMaxFigures / 2)
      own.push_back(other);
  }
  const ArithmeticCues cues = arithmetic_cues(words_around(sentence, q));
  const Compared compared = compared_with(sentence, q);
  if (derive(q, hedge, cues, own) || (cues.sum && is_total(q, hedge, own)) ||
      is_per(sentence, facts, q, hedge))
    return true;
  // Two figures of the sentence would have been the operands.
  if (own.size() >= 2 && q.dimension == Dimension::kTimes) return false;
  for (const uint32_t unit : sentence.alignment->passages()) {
    if (derived_from(facts, q, hedge, cues, compared, own, unit, unit + 1, SIZE_MAX)) return true;
  }
  // One operand may stand in the sentence, or both in the fields of one metric.
  const bool measured = q.dimension == Dimension::kBytes || q.dimension == Dimension::kTime ||
                        q.dimension == Dimension::kRate;
  if (!sentence.alignment->passages().empty() && (!own.empty() || measured)) {
    for (const uint32_t unit : sentence.alignment->passages()) {
      const EvidenceRecord& record = facts.index.records()[facts.index.units()[unit].record];
      const size_t first = own.empty() ? SIZE_MAX : own.size();
      if (derived_from(facts, q, hedge, cues, compared, own, record.first_unit, record.end_unit,
                       first) ||
          (measured && derived_from(facts, q, hedge, {}, compared, {}, record.first_unit,
                                    record.end_unit, SIZE_MAX)))
        return true;
    }
  }
  return q.dimension == Dimension::kTime && lies_between(sentence, facts, q, hedge);
}

// "3 incidents", "two deploys": as many as the list below has, or lines and names of the receipts.
bool counted(const Sentence& sentence, const Facts& facts, size_t at, const Quantity& q) {
  if (q.dimension != Dimension::kNone ||
      q.value != static_cast<double>(static_cast<size_t>(std::abs(q.value))))
    return false;
  const auto wanted = static_cast<size_t>(q.value);
  if (sentence.statement->listed > 0 && sentence.statement->listed == wanted) return true;
  if (is_number_of_changes(sentence, facts, at, wanted)) return true;
  for (size_t r = 0; r < facts.index.records().size(); ++r) {
    if (sentence.scope[r] && wanted > 1 && facts.index.records()[r].list_items == wanted)
      return true;
  }
  // The records that one receipt tells of.
  for (size_t r = 0; r < facts.index.receipts().size() && wanted > 1; ++r) {
    const auto told =
        std::ranges::count_if(facts.index.records(), [&](const EvidenceRecord& record) {
          return record.receipt == r && record.end_title > record.first_unit;
        });
    if (static_cast<size_t>(told) == wanted) return true;
  }
  const auto& tokens = sentence.tokens();
  if (wanted > 1 && (lists_so_many(sentence, wanted) || refers_back(sentence, at))) return true;
  // What is counted: the noun that follows.
  for (size_t t = at + 1; t < std::min(tokens.size(), at + 4); ++t) {
    if (tokens[t].kind != TokenKind::kWord || tokens[t].part) continue;
    const uint32_t id = facts.index.find(tokens[t].term);
    if (id == ReceiptIndex::kNoTerm) continue;
    size_t units = 0;
    uint32_t last = UINT32_MAX;
    for (const uint32_t place : facts.index.postings(id)) {
      if (!in_scope(sentence, facts, place) || facts.index.unit_of(place) == last) continue;
      last = facts.index.unit_of(place);
      // Of a list: the noun stands near the beginning of its line.
      units += place - facts.index.units()[last].first < 6 ? 1 : 0;
    }
    if (units == wanted) return true;
    if (facts.index.postings(id).size() == wanted) return true;
  }
  return false;
}

}  // namespace precedent
