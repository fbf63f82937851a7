// What is said to be the cause: some passage must tell of it where it tells of the effect.
#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/strings.h"
#include "grounding/checks/claim_check.h"
#include "grounding/checks/places.h"
#include "grounding/text/clauses.h"
#include "grounding/text/synonyms.h"

namespace precedent {
namespace {

// Of what is said to be a cause, how much a passage that tells of the effect must hold.
constexpr double kMinToldCause = 0.6;

// What names a thing.
bool names_thing(const Token& token) {
  return !token.part && (token.kind == TokenKind::kIdentifier ||
                         token.kind == TokenKind::kService || token.kind == TokenKind::kPath);
}

// How much of these words two sentences that follow one another hold at most, of those that hold a
// word of the effect, too; by what the words tell.
double cause_overlap(const Sentence& sentence, const Facts& facts, const std::vector<size_t>& cause,
                     const std::vector<size_t>& effect, bool causal) {
  const auto& tokens = sentence.tokens();
  const auto units_of = [&](size_t t) {
    std::vector<uint32_t> units;
    const auto add = [&](uint64_t term) {
      for (const uint32_t place : facts.index.postings_of(term)) {
        const uint32_t unit = facts.index.unit_of(place);
        if (sentence.scope[facts.index.units()[unit].record] && facts.index.is_found(place))
          units.push_back(unit);
      }
    };
    add(tokens[t].term);
    for (size_t p = t + 1; p < tokens.size() && tokens[p].part; ++p) add(tokens[p].term);
    for (const uint64_t other : synonyms_of(tokens[t].term)) add(other);
    std::ranges::sort(units);
    const auto duplicates = std::ranges::unique(units);
    units.erase(duplicates.begin(), duplicates.end());
    return units;
  };
  double all = 0;
  std::vector<std::pair<uint32_t, size_t>> hits;  // unit, token of the sentence
  std::vector<uint32_t> effects;
  for (const size_t t : cause) {
    all += facts.index.idf(facts.index.find(tokens[t].term));
    for (const uint32_t unit : units_of(t)) hits.emplace_back(unit, t);
  }
  for (const size_t t : effect) {
    for (const uint32_t unit : units_of(t)) effects.push_back(unit);
    // What names a record, or is in its title, is what all of it tells of.
    const uint32_t id = facts.index.find(tokens[t].term);
    for (const EvidenceRecord& record : facts.index.records()) {
      if (std::ranges::find(record.keys, tokens[t].term) == record.keys.end() &&
          (id == ReceiptIndex::kNoTerm || !std::ranges::binary_search(record.title_terms, id)))
        continue;
      for (uint32_t unit = record.first_unit; unit < record.end_unit; ++unit)
        effects.push_back(unit);
    }
  }
  std::ranges::sort(hits);
  std::ranges::sort(effects);
  double best = 0;
  for (size_t i = 0; i < hits.size(); ++i) {
    const uint32_t first = hits[i].first;
    if (i > 0 && hits[i - 1].first == first) continue;
    const auto near = std::ranges::lower_bound(effects, first == 0 ? 0 : first - 1);
    if (near == effects.end() || *near > first + 2) continue;
    std::vector<size_t> held;
    for (size_t h = i; h < hits.size() && hits[h].first <= first + 1; ++h)
      if (facts.index.units()[hits[h].first].record == facts.index.units()[first].record)
        held.push_back(hits[h].second);
    if (causal && !facts.index.names_cause(first) &&
        (first + 1 >= facts.index.units().size() || !facts.index.names_cause(first + 1)))
      continue;
    std::ranges::sort(held);
    const auto duplicates = std::ranges::unique(held);
    held.erase(duplicates.begin(), duplicates.end());
    double sum = 0;
    for (const size_t t : held) sum += facts.index.idf(facts.index.find(tokens[t].term));
    best = std::max(best, sum);
  }
  return all == 0 ? 1 : best / all;
}

}  // namespace

// "X caused Y", "Y was set off by X": some passage must tell of X where it
// tells of Y.
Judgement check_causer(const Sentence& sentence, const Facts& facts) {
  static const uint64_t kBy = hash64("by");
  const std::span tokens(sentence.tokens());
  const auto is = [&](size_t t, std::initializer_list<std::string_view> words) {
    return t < tokens.size() && tokens[t].kind != TokenKind::kBreak &&
           std::ranges::find(words, ascii_lower(sentence.spelling(tokens[t]))) != words.end();
  };
  // How many tokens say "caused": "led to", "was behind", "took down", "set off".
  const auto causes = [&](size_t t) -> size_t {
    if (is(t, {"caused", "triggered", "provoked", "prolonged", "delayed", "induced"})) return 1;
    const bool two = (is(t, {"led", "leads", "leading"}) && is(t + 1, {"to"})) ||
                     (is(t, {"is", "was"}) && is(t + 1, {"behind"})) ||
                     (is(t, {"cause", "reason"}) && is(t + 1, {"of", "for"}) &&
                      is(t - 1, {"the"}) && t > 1 && is(t - 2, {"is", "was", "were"})) ||
                     (is(t, {"set", "sets", "setting"}) && is(t + 1, {"off"})) ||
                     (is(t, {"took", "taken", "brought", "knocked"}) && is(t + 1, {"down", "out"}));
    return two ? 2 : 0;
  };
  for (const Clause& clause : clauses_of(tokens)) {
    for (size_t t = clause.first + 1; t < clause.end; ++t) {
      const size_t verb = causes(t);
      if (verb == 0) continue;
      // Word for word, as in a title.
      const size_t last = std::min(t + verb + 1, clause.end - 1);
      const uint32_t begin = tokens[t - 1].begin;
      if (last > t &&
          facts.index.has_literal(sentence.answer.substr(begin, tokens[last].end - begin)))
        continue;
      const size_t after = t + verb;
      std::vector<size_t> left, right;
      bool denied = false;
      for (size_t s = clause.first; s < clause.end; ++s) {
        denied = denied || tokens[s].kind == TokenKind::kNegator;
        if (!is_content(tokens[s].kind) || tokens[s].part || (s >= t && s < after)) continue;
        (s < t ? left : right).push_back(s);
      }
      const bool passive = after < clause.end && tokens[after].term == kBy;
      const auto& cause = passive ? right : left;
      const auto& effect = passive ? left : right;
      if (denied || cause.empty() || effect.empty()) continue;
      // Of what has a name, that it caused something must be said as such.
      const bool named =
          std::ranges::any_of(cause, [&](size_t s) { return names_thing(tokens[s]); });
      if (cause_overlap(sentence, facts, cause, effect, named) < kMinToldCause)
        return refuted(ClaimKind::kCause, "the receipts do not give this as a cause");
    }
  }
  return {};
}

}  // namespace precedent
