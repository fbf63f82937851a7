#include "grounding/checks/places.h"

#include <algorithm>

#include "base/hash.h"
#include "grounding/checks/claim_check.h"
#include "grounding/matching/clause_context.h"

namespace precedent {
namespace {

// Of the places where a fact stands, how many are looked at; a fact in more places is no evidence
// for where.
constexpr size_t kMaxPlaces = 48;
// Words that must speak for a rival.
constexpr size_t kRivalWords = 2;

// Whether the heading of a place's record has a word of the sentence.
bool shares_subject(const Sentence& sentence, const Facts& facts, uint32_t place) {
  const uint32_t number = facts.index.units()[facts.index.unit_of(place)].record;
  const EvidenceRecord& record = facts.index.records()[number];
  return std::ranges::any_of(sentence.tokens(), [&](const Token& token) {
    const uint32_t id =
        is_content(token.kind) ? facts.index.find(token.term) : ReceiptIndex::kNoTerm;
    return id != ReceiptIndex::kNoTerm && std::ranges::binary_search(record.title_terms, id);
  });
}

// Whether the word right before a figure of the receipts, as in "mean 2.3 s" and "Now: 2.3 s",
// stands in the clause of the sentence's figure `at`.
bool bears_label(const Sentence& sentence, const Facts& facts, size_t at, uint32_t place) {
  const auto& stated = facts.index.lexed().tokens;
  if (stated[place].kind != TokenKind::kQuantity) return false;
  const uint32_t first = facts.index.units()[facts.index.unit_of(place)].first;
  uint32_t label = place;
  const auto is_colon = [](const Token& token) {
    return token.kind == TokenKind::kBreak && token.value == ':';
  };
  while (label > first && (stated[label - 1].part || is_colon(stated[label - 1]))) --label;
  if (label == first) return false;
  const Token& word = stated[label - 1];
  if (word.kind != TokenKind::kWord && word.kind != TokenKind::kStop) return false;
  const auto& tokens = sentence.tokens();
  // "Now: 2 s" of what the sentence says something "is".
  static const uint64_t kNow = hash64("now"), kIs = hash64("is");
  const bool present = word.term == kNow && shares_subject(sentence, facts, place);
  const auto names = [&](const Token& token) {
    const bool comparable = token.kind == TokenKind::kWord || token.kind == TokenKind::kStop;
    return comparable && (token.term == word.term || (present && token.term == kIs));
  };
  for (size_t t = at; t > 0 && tokens[t - 1].kind != TokenKind::kBreak; --t)
    if (names(tokens[t - 1])) return true;
  for (size_t t = at + 1; t < tokens.size() && tokens[t].kind != TokenKind::kBreak; ++t)
    if (names(tokens[t])) return true;
  return false;
}

// Whether two places of a sentence of the receipts are items of one list: nothing but names, marks
// and short words between them.
bool in_one_list(const Facts& facts, uint32_t one, uint32_t other) {
  const auto& stated = facts.index.lexed().tokens;
  if (facts.index.unit_of(one) != facts.index.unit_of(other)) return false;
  bool comma = false;
  for (uint32_t t = std::min(one, other) + 1; t < std::max(one, other); ++t) {
    if (stated[t].kind == TokenKind::kWord && !stated[t].part) return false;
    comma = comma || (stated[t].kind == TokenKind::kBreak && stated[t].value == ',');
  }
  return comma;
}

}  // namespace

bool in_scope(const Sentence& sentence, const Facts& facts, uint32_t token) {
  return sentence.scope[facts.index.units()[facts.index.unit_of(token)].record];
}

bool same_fact(const Sentence& sentence, const Facts& facts, const Token& claimed,
               const Token& stated) {
  if (claimed.kind == TokenKind::kQuantity || claimed.kind == TokenKind::kTime)
    return same_figure(sentence.lexed(), claimed, facts.index, stated);
  return claimed.kind == stated.kind && claimed.term == stated.term;
}

std::vector<uint32_t> in_passages(const Sentence& sentence, const Facts& facts, TokenKind kind) {
  std::vector<uint32_t> found;
  for (const uint32_t unit : sentence.alignment->passages()) {
    for (uint32_t t = facts.index.units()[unit].first; t < facts.index.units()[unit].end; ++t) {
      if (facts.index.lexed().tokens[t].kind == kind && found.size() < kMaxPlaces &&
          !facts.index.is_label(t))
        found.push_back(t);
    }
  }
  return found;
}

bool of_another_series(const Sentence& sentence, const Facts& facts, uint32_t place) {
  const EvidenceUnit& unit = facts.index.units()[facts.index.unit_of(place)];
  for (uint32_t t = unit.first; t < unit.labels_end; ++t) {
    const Token& label = facts.index.lexed().tokens[t];
    if (is_content(label.kind) && !label.part &&
        std::ranges::find(sentence.tokens(), label.term, &Token::term) != sentence.tokens().end())
      return false;
  }
  return unit.labels_end > unit.first;
}

bool all_of_other_series(const Sentence& sentence, const Facts& facts,
                         const std::vector<uint32_t>& own) {
  if (!std::ranges::all_of(
          own, [&](uint32_t place) { return of_another_series(sentence, facts, place); }))
    return false;
  return std::ranges::any_of(facts.index.units(), [&](const EvidenceUnit& unit) {
    return unit.labels_end > unit.first && !of_another_series(sentence, facts, unit.first);
  });
}

void keep_cited(const Sentence& sentence, const Facts& facts, const std::vector<uint32_t>& own,
                std::vector<uint32_t>& rivals) {
  const auto cited = [&](uint32_t place) {
    return std::ranges::find(sentence.cited_units, facts.index.unit_of(place)) !=
           sentence.cited_units.end();
  };
  if (std::ranges::any_of(own, cited))
    std::erase_if(rivals, [&](uint32_t place) { return !cited(place); });
}

bool stands_in_place(const Sentence& sentence, const Facts& facts, size_t at,
                     const std::vector<uint32_t>& own, const std::vector<uint32_t>& rivals,
                     std::vector<uint32_t>& proofs) {
  Alignment::Affinity best;
  uint32_t best_place = own.empty() ? 0 : own.front();
  for (const uint32_t place : std::span(own).first(std::min(own.size(), kMaxPlaces))) {
    const Alignment::Affinity affinity = sentence.alignment->affinity(at, place);
    if (affinity.sum <= best.sum) continue;
    best = affinity;
    best_place = place;
  }
  const size_t rank =
      own.empty() ? SIZE_MAX : sentence.alignment->rank(facts.index.unit_of(best_place));
  const bool labelled = std::any_of(
      own.begin(), own.begin() + static_cast<ptrdiff_t>(std::min(own.size(), kMaxPlaces)),
      [&](uint32_t place) { return bears_label(sentence, facts, at, place); });
  for (const uint32_t place : rivals) {
    // A passage that fits the sentence less is no place to look for another.
    if (sentence.alignment->rank(facts.index.unit_of(place)) > rank) continue;
    const Alignment::Affinity rival = sentence.alignment->affinity(at, place);
    if (!own.empty() && sentence.tokens()[at].kind == TokenKind::kName &&
        in_one_list(facts, place, best_place))
      continue;
    // One word alone stands near many things.
    if (rival.words < 2 || rival.words < best.words) continue;
    if (labelled && !bears_label(sentence, facts, at, place)) continue;
    const bool same_unit = facts.index.unit_of(place) == facts.index.unit_of(best_place);
    const double factor = same_unit && !own.empty() ? sentence.rules->near_rival_factor
                                                    : sentence.rules->rival_factor;
    if (best.sum < factor * rival.sum) return false;
  }
  if (!own.empty()) proofs.push_back(best_place);
  return true;
}

bool outplaced(const Sentence& sentence, const Facts& facts, size_t at,
               const std::vector<uint32_t>& own, const std::vector<uint32_t>& rivals) {
  if (own.empty() || rivals.empty() || !sentence.is_assertion) return false;
  const ClauseContext context(sentence.lexed(), facts.index, at);
  const ClauseContext::Score mine = context.best(own);
  const size_t looked = std::min(rivals.size(), ClauseContext::kMaxPlaces);
  return std::ranges::any_of(std::span(rivals).first(looked), [&](uint32_t place) {
    const ClauseContext::Score theirs = context.at(place);
    return theirs.words >= kRivalWords && theirs.words >= mine.words &&
           mine.sum < sentence.rules->clause_rival_factor * theirs.sum;
  });
}

}  // namespace precedent
