#include "grounding/matching/alignment.h"

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "grounding/text/synonyms.h"

namespace precedent {
namespace {

// A term that occurs more often than this says nothing about where.
constexpr size_t kMaxPostings = 2000;
// What the neighbours of a unit count beside its own words.
constexpr double kNeighbourWeight = 0.5;
// How far around a fact words belong to it, in tokens; and how fast they count less.
constexpr size_t kSentenceReach = 8, kEvidenceReach = 24;
constexpr double kSentenceDecay = 3, kEvidenceDecay = 5;
// Beyond a "while" or "but" another thing is told.
constexpr double kAcrossContrast = 0.3;
// A word beyond the end of a line or sentence belongs less.
constexpr double kAcrossUnits = 0.3;

// What stands in the heading and fields of a record is a little near to all of it.
constexpr double kHeaderNearness = 0.15;
// And what names the record, nearer.
constexpr double kTitleNearness = 0.4;
// Of a word that only a synonym of it stands for.
constexpr double kSynonymWeight = 0.6;
// In a run of words that no receipt has, one with a synonym there counts half.
constexpr double kSynonymRun = 0.5;
// And "a" or "an" before it counts so much.
constexpr double kIntroduction = 0.75;
// Of a figure, which is checked by itself, beside the words of a sentence.
constexpr double kFigureWeight = 2;

bool carries_meaning(const Token& token) {
  return !token.part && (token.kind == TokenKind::kWord || token.kind == TokenKind::kName ||
                         token.kind == TokenKind::kService ||
                         token.kind == TokenKind::kIdentifier || token.kind == TokenKind::kPath);
}

}  // namespace

Alignment::Alignment(const ReceiptIndex& evidence, const LexedText& sentence,
                     const std::vector<bool>& records)
    : evidence_(evidence), sentence_(sentence) {
  ids_.reserve(sentence.tokens.size());
  for (const Token& token : sentence.tokens) {
    const bool word = carries_meaning(token);
    ids_.push_back(word ? evidence.find(token.term) : ReceiptIndex::kNoTerm);
    weights_.push_back(word ? evidence.idf(ids_.back()) : 0);
  }
  score_units(records);
  mark_held();
}

// Units that state a figure of the sentence.
void Alignment::add_figure_hits(const std::vector<bool>& records,
                                std::vector<std::pair<uint32_t, double>>& hits) const {
  const auto& stated = evidence_.lexed();
  for (const Token& token : sentence_.tokens) {
    std::vector<uint32_t> places;
    if (token.kind == TokenKind::kQuantity)
      places = evidence_.quantities_near(sentence_.quantities[token.value], token.hedge);
    else if (token.kind == TokenKind::kTime)
      places = evidence_.times();
    uint32_t last = UINT32_MAX;
    for (const uint32_t place : places) {
      const uint32_t unit = evidence_.unit_of(place);
      if (unit == last || !records[evidence_.units()[unit].record] ||
          !same_fact(token, stated.tokens[place]))
        continue;
      hits.emplace_back(unit, kFigureWeight);
      last = unit;
    }
  }
}

void Alignment::score_units(const std::vector<bool>& records) {
  std::vector<std::pair<uint32_t, double>> hits;
  for (size_t t = 0; t < ids_.size(); ++t) {
    if (ids_[t] == ReceiptIndex::kNoTerm) continue;
    if (std::find(ids_.begin(), ids_.begin() + static_cast<ptrdiff_t>(t), ids_[t]) !=
        ids_.begin() + static_cast<ptrdiff_t>(t))
      continue;
    const auto postings = evidence_.postings(ids_[t]);
    uint32_t last = UINT32_MAX;
    for (const uint32_t token : postings.first(std::min(postings.size(), kMaxPostings))) {
      const uint32_t unit = evidence_.unit_of(token);
      if (unit == last || !records[evidence_.units()[unit].record]) continue;
      hits.emplace_back(unit, weights_[t]);
      last = unit;
    }
  }
  add_figure_hits(records, hits);
  std::ranges::sort(hits);
  std::vector<std::pair<double, uint32_t>> scored;  // of units with a word of their own
  for (size_t i = 0; i < hits.size();) {
    const uint32_t unit = hits[i].first;
    double sum = 0;
    for (; i < hits.size() && hits[i].first == unit; ++i) sum += hits[i].second;
    scored.emplace_back(sum, unit);
  }
  std::vector<double> own;
  own.reserve(scored.size());
  for (const auto& [sum, unit] : scored) own.push_back(sum);
  const auto neighbour = [&](size_t i, size_t j, uint32_t unit) {
    return j < scored.size() && scored[j].second == unit &&
                   evidence_.units()[unit].record == evidence_.units()[scored[i].second].record
               ? own[j]
               : 0.0;
  };
  for (size_t i = 0; i < scored.size(); ++i) {
    const uint32_t unit = scored[i].second;
    scored[i].first =
        own[i] + kNeighbourWeight * (neighbour(i, i + 1, unit + 1) +
                                     (i > 0 && unit > 0 ? neighbour(i, i - 1, unit - 1) : 0.0));
  }
  const size_t kept = std::min(scored.size(), kMaxPassages);
  std::ranges::partial_sort(scored, scored.begin() + static_cast<ptrdiff_t>(kept),
                            [](const auto& a, const auto& b) {
                              return a.first != b.first ? a.first > b.first : a.second < b.second;
                            });
  for (size_t i = 0; i < kept; ++i) passages_.push_back(scored[i].second);
}

size_t Alignment::rank(uint32_t unit) const {
  const auto found = std::ranges::find(passages_, unit);
  return found == passages_.end() ? SIZE_MAX : static_cast<size_t>(found - passages_.begin());
}

void Alignment::mark_held() {
  std::vector<uint32_t> records;
  for (const uint32_t passage : passages_) records.push_back(evidence_.units()[passage].record);
  const auto among = [&](uint32_t id) {
    if (id == ReceiptIndex::kNoTerm) return false;
    const auto postings = evidence_.postings(id);
    return std::ranges::any_of(
        postings.first(std::min(postings.size(), kMaxPostings)), [&](uint32_t token) {
          return std::ranges::find(records, evidence_.units()[evidence_.unit_of(token)].record) !=
                 records.end();
        });
  };
  held_.assign(ids_.size(), 0);
  for (size_t t = 0; t < ids_.size(); ++t) {
    if (weights_[t] == 0) continue;
    if (among(ids_[t]))
      held_[t] = 1;
    else if (std::ranges::any_of(synonyms_of(sentence_.tokens[t].term),
                                 [&](uint64_t other) { return among(evidence_.find(other)); }))
      held_[t] = kSynonymWeight;
  }
}

Alignment::Overlap Alignment::overlap(size_t first, size_t end) const {
  Overlap overlap;
  for (size_t t = first; t < end; ++t) {
    const TokenKind kind = sentence_.tokens[t].kind;
    if (kind == TokenKind::kQuantity || kind == TokenKind::kTime || kind == TokenKind::kDate) {
      overlap.held += kFigureWeight;
      overlap.all += kFigureWeight;
    }
    if (weights_[t] == 0) continue;
    overlap.all += weights_[t];
    ++overlap.words;
    double held = held_[t];
    // The other forms of the same bytes: the parts of a compound, "affected" of "unaffected".
    for (size_t p = t + 1; held == 0 && p < end && sentence_.tokens[p].part; ++p)
      held = evidence_.find(sentence_.tokens[p].term) != ReceiptIndex::kNoTerm ? 1 : 0;
    overlap.held += held * weights_[t];
  }
  return overlap;
}

Alignment::Overlap Alignment::unit_overlap(size_t first, size_t end,
                                           const std::vector<bool>& records, bool causes) const {
  Overlap overlap;
  std::vector<std::pair<uint32_t, double>> hits;  // unit, weight
  for (size_t t = first; t < end; ++t) {
    if (weights_[t] == 0) continue;
    overlap.all += weights_[t];
    ++overlap.words;
    std::vector<uint32_t> units;
    const auto collect = [&](uint32_t id) {
      if (id == ReceiptIndex::kNoTerm) return;
      const auto postings = evidence_.postings(id);
      for (const uint32_t token : postings.first(std::min(postings.size(), kMaxPostings))) {
        const uint32_t unit = evidence_.unit_of(token);
        if (records[evidence_.units()[unit].record] && (!causes || evidence_.gives_cause(unit)))
          units.push_back(unit);
      }
    };
    collect(ids_[t]);
    for (size_t p = t + 1; p < end && sentence_.tokens[p].part; ++p)
      collect(evidence_.find(sentence_.tokens[p].term));
    const auto add = [&](double weight) {
      std::ranges::sort(units);
      const auto duplicates = std::ranges::unique(units);
      units.erase(duplicates.begin(), duplicates.end());
      for (const uint32_t unit : units) hits.emplace_back(unit, weight);
    };
    const std::vector<uint32_t> own = units;
    add(weights_[t]);
    units.clear();
    for (const uint64_t other : synonyms_of(sentence_.tokens[t].term))
      collect(evidence_.find(other));
    std::erase_if(units, [&](uint32_t unit) { return std::ranges::find(own, unit) != own.end(); });
    add(kSynonymWeight * weights_[t]);
  }
  std::ranges::sort(hits);
  for (size_t i = 0; i < hits.size();) {
    const uint32_t unit = hits[i].first;
    double sum = 0;
    for (; i < hits.size() && hits[i].first == unit; ++i) sum += hits[i].second;
    overlap.held = std::max(overlap.held, sum);
  }
  return overlap;
}

bool Alignment::same_fact(const Token& token, const Token& stated) const {
  if (token.kind != stated.kind) return false;
  if (token.kind == TokenKind::kTime) return same_minute(token, stated);
  return same_quantity(sentence_.quantities[token.value],
                       evidence_.lexed().quantities[stated.value], token.hedge);
}

void Alignment::find_near(size_t at) const {
  if (near_to_ == at) return;
  near_to_ = at;
  near_.clear();
  near_facts_.clear();
  near_filter_ = 0;
  // "Siobhan Keane": the one name says nothing about the place of the other.
  size_t run_begin = at, run_end = at + 1;
  const auto& tokens = sentence_.tokens;
  if (tokens[at].kind == TokenKind::kName) {
    while (run_begin > 0 && tokens[run_begin - 1].kind == TokenKind::kName) --run_begin;
    while (run_end < tokens.size() && tokens[run_end].kind == TokenKind::kName) ++run_end;
  }
  const size_t from = at > kSentenceReach ? at - kSentenceReach : 0;
  const auto contrasted = [&](size_t t) {
    return std::any_of(tokens.begin() + static_cast<ptrdiff_t>(std::min(t, at)),
                       tokens.begin() + static_cast<ptrdiff_t>(std::max(t, at)), is_contrast);
  };
  for (size_t t = from; t < std::min(ids_.size(), at + kSentenceReach + 1); ++t) {
    if (t >= run_begin && t < run_end) continue;
    // "db-1" stands near "db-0" in every list of them.
    const bool alike = tokens[at].kind == TokenKind::kIdentifier && tokens[at].value != 0 &&
                       tokens[t].kind == TokenKind::kIdentifier &&
                       tokens[t].value == tokens[at].value;
    if (alike) continue;
    const double distance = t > at ? static_cast<double>(t - at) : static_cast<double>(at - t);
    const double nearness = (contrasted(t) ? kAcrossContrast : 1) / (1 + distance / kSentenceDecay);
    if (ids_[t] != ReceiptIndex::kNoTerm) {
      near_.emplace_back(ids_[t], weights_[t] * nearness);
      near_filter_ |= filter_bit(ids_[t]);
    }
    if (tokens[t].kind == TokenKind::kQuantity || tokens[t].kind == TokenKind::kTime)
      near_facts_.emplace_back(static_cast<uint32_t>(t), kFigureWeight * nearness);
  }
}

Alignment::Affinity Alignment::affinity(size_t at, uint32_t there) const {
  const auto& tokens = evidence_.lexed().tokens;
  find_near(at);
  used_.assign(near_.size() + near_facts_.size(), false);
  Affinity affinity;
  const uint32_t own_unit = evidence_.unit_of(there), record = evidence_.units()[own_unit].record;
  const auto count = [&](double weight, size_t used, uint32_t t) {
    const double distance = t > there ? t - there : there - t;
    const double across = evidence_.unit_of(t) == own_unit ? 1 : kAcrossUnits;
    // A name says where as well as two words do.
    affinity.words += tokens[t].kind == TokenKind::kWord ? 1 : 2;
    affinity.sum += weight * across / (1 + distance / kEvidenceDecay);
    used_[used] = true;
  };
  const auto look = [&](uint32_t t) {
    // Figures and times have no term.
    const uint32_t id = evidence_.term_id(t);
    if (id == ReceiptIndex::kNoTerm) {
      if (near_facts_.empty() ||
          (tokens[t].kind != TokenKind::kQuantity && tokens[t].kind != TokenKind::kTime))
        return;
      for (size_t n = 0; n < near_facts_.size(); ++n) {
        const size_t used = near_.size() + n;
        if (!used_[used] && same_fact(sentence_.tokens[near_facts_[n].first], tokens[t]))
          return count(near_facts_[n].second, used, t);
      }
      return;
    }
    if ((near_filter_ & filter_bit(id)) == 0) return;
    for (size_t n = 0; n < near_.size(); ++n) {
      if (near_[n].first == id && !used_[n]) return count(near_[n].second, n, t);
    }
  };
  const EvidenceRecord& own = evidence_.records()[record];
  const uint32_t first = evidence_.units()[own.first_unit].first,
                 end = evidence_.units()[own.end_unit - 1].end;
  for (uint32_t d = 1; d <= kEvidenceReach; ++d) {
    if (there >= first + d) look(there - d);
    if (there + d < end) look(there + d);
  }
  affinity.local = affinity.sum;
  affinity.record = record;
  const auto& header = own.header_terms;
  const auto& title = own.title_terms;
  for (size_t n = 0; n < near_.size(); ++n) {
    if (used_[n] || !std::ranges::binary_search(header, near_[n].first)) continue;
    const bool names = std::ranges::binary_search(title, near_[n].first);
    affinity.sum += (names ? kTitleNearness : kHeaderNearness) * near_[n].second;
  }
  return affinity;
}

double Alignment::longest_unknown_run() const {
  double longest = 0, run = 0;
  for (size_t t = 0; t < ids_.size(); ++t) {
    const Token& token = sentence_.tokens[t];
    if (token.kind == TokenKind::kStop || token.part) continue;
    const bool unknown = token.kind == TokenKind::kWord && ids_[t] == ReceiptIndex::kNoTerm;
    bool other_form = false;
    for (size_t p = t + 1; p < ids_.size() && sentence_.tokens[p].part; ++p)
      other_form = other_form || evidence_.find(sentence_.tokens[p].term) != ReceiptIndex::kNoTerm;
    const bool synonym =
        unknown && !other_form && std::ranges::any_of(synonyms_of(token.term), [&](uint64_t other) {
          return evidence_.find(other) != ReceiptIndex::kNoTerm;
        });
    run = !unknown || other_form ? 0 : run + (synonym ? kSynonymRun : 1);
    // "A lightning strike": what is introduced as new is one word of it.
    static const uint64_t kA = hash64("a"), kAn = hash64("an");
    if (run == 1 && t > 0 &&
        (sentence_.tokens[t - 1].term == kA || sentence_.tokens[t - 1].term == kAn))
      run += kIntroduction;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace precedent
