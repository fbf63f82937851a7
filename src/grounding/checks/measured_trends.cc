#include "grounding/checks/measured_trends.h"

#include <algorithm>

#include "base/hash.h"
#include "grounding/checks/claim_check.h"

namespace precedent {

// How many words of the sentence name what a record measures; 0 if none is of the metric's own
// name.
size_t named_by(const Sentence& sentence, const Facts& facts, uint32_t record) {
  const EvidenceRecord& r = facts.index.records()[record];
  if (!facts.index.receipts()[r.receipt].measured || r.end_title == r.first_unit) return 0;
  const auto& stated = facts.index.lexed().tokens;
  const auto& tokens = sentence.tokens();
  const auto has = [&](uint64_t term) {
    return std::ranges::any_of(
        tokens, [&](const Token& token) { return is_content(token.kind) && token.term == term; });
  };
  // "p95_latency" and its parts.
  uint32_t t = facts.index.units()[r.first_unit].first;
  bool own = has(stated[t].term);
  for (++t; t < stated.size() && stated[t].part; ++t) own = own || has(stated[t].term);
  if (!own) return 0;
  return static_cast<size_t>(std::ranges::count_if(tokens, [&](const Token& token) {
    if (!is_content(token.kind) || token.part) return false;
    const uint32_t id = facts.index.find(token.term);
    return id != ReceiptIndex::kNoTerm && std::ranges::binary_search(r.title_terms, id);
  }));
}

// The trends of the metric that the sentence names best.
std::vector<const Trend*> named_trends(const Sentence& sentence, const Facts& facts) {
  size_t best = 1;
  std::vector<std::pair<size_t, const Trend*>> scored;
  for (uint32_t r = 0; r < facts.index.records().size(); ++r) {
    const size_t words = sentence.scope[r] ? named_by(sentence, facts, r) : 0;
    if (words < best) continue;
    best = words;
    for (const Trend& trend : facts.trends)
      if (facts.index.units()[trend.unit].record == r) scored.emplace_back(words, &trend);
  }
  std::vector<const Trend*> found;
  for (const auto& [words, trend] : scored)
    if (words == best) found.push_back(trend);
  return found;
}

// Whether the metric that the sentence names best is about what it was at the same time a day
// earlier.
bool is_at_usual_level(const Sentence& sentence, const Facts& facts) {
  constexpr double kUsual = 1.5;
  static const uint64_t kNow = hash64("now"), kDayWord = term_of("day");
  const auto& text = facts.index.lexed();
  size_t best = 1;
  bool usual = false;
  for (uint32_t r = 0; r < facts.index.records().size(); ++r) {
    const size_t words = sentence.scope[r] ? named_by(sentence, facts, r) : 0;
    if (words < best) continue;
    if (words > best) usual = false;
    best = words;
    const EvidenceRecord& record = facts.index.records()[r];
    for (uint32_t unit = record.first_unit; unit < record.end_unit; ++unit) {
      const EvidenceUnit& u = facts.index.units()[unit];
      if (text.tokens[u.first].term != kNow || !facts.index.unit_has(unit, kDayWord)) continue;
      for (uint32_t t = u.first; t < u.end; ++t) {
        if (text.tokens[t].kind != TokenKind::kQuantity) continue;
        const Quantity& q = text.quantities[text.tokens[t].value];
        if (q.dimension != Dimension::kTimes) continue;
        usual = usual || (q.value < kUsual && q.value > 1 / kUsual);
        break;
      }
    }
  }
  return usual;
}

}  // namespace precedent
