#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "base/strings.h"
#include "grounding/checker.h"
#include "grounding/checks/clause_context.h"
#include "grounding/checks/exchange.h"
#include "grounding/text/comparisons.h"

namespace precedent {
namespace {

// Of the places where a fact stands, how many are looked at; a fact in more places is no evidence
// for where.
constexpr size_t kMaxPlaces = 48;
// Between a figure and a rival of another unit.
constexpr double kLargestRatio = 20;
// Words that must speak for a rival.
constexpr size_t kRivalWords = 2;
// "Two limiters": no rival of a small number is as large.
constexpr double kLargestSmall = 20;

}  // namespace

std::vector<uint32_t> Checker::in_passages(const Alignment& alignment, TokenKind kind) const {
  std::vector<uint32_t> found;
  for (const uint32_t unit : alignment.passages()) {
    for (uint32_t t = evidence_.units()[unit].first; t < evidence_.units()[unit].end; ++t) {
      if (evidence_.lexed().tokens[t].kind == kind && found.size() < kMaxPlaces &&
          !evidence_.is_label(t))
        found.push_back(t);
    }
  }
  return found;
}

// In a line about one of several series, which the sentence does not name.
bool Checker::of_another_series(uint32_t place) const {
  const EvidenceUnit& unit = evidence_.units()[evidence_.unit_of(place)];
  for (uint32_t t = unit.first; t < unit.labels_end; ++t) {
    const Token& label = evidence_.lexed().tokens[t];
    if (is_content(label.kind) && !label.part &&
        std::ranges::find(statement_->lexed.tokens, label.term, &Token::term) !=
            statement_->lexed.tokens.end())
      return false;
  }
  return unit.labels_end > unit.first;
}

// All of these in lines about other series than one that the sentence names.
bool Checker::of_other_series(const std::vector<uint32_t>& own) const {
  if (!std::ranges::all_of(own, [&](uint32_t place) { return of_another_series(place); }))
    return false;
  return std::ranges::any_of(evidence_.units(), [&](const EvidenceUnit& unit) {
    return unit.labels_end > unit.first && !of_another_series(unit.first);
  });
}

// A fact in the very line that the sentence cites is rivalled by that line only.
void Checker::keep_cited(const std::vector<uint32_t>& own, std::vector<uint32_t>& rivals) const {
  const auto cited = [&](uint32_t place) {
    return std::ranges::find(cited_units_, evidence_.unit_of(place)) != cited_units_.end();
  };
  if (std::ranges::any_of(own, cited))
    std::erase_if(rivals, [&](uint32_t place) { return !cited(place); });
}

// Whether the heading of a place's record has a word of the sentence.
bool Checker::shares_subject(uint32_t place) const {
  const uint32_t number = evidence_.units()[evidence_.unit_of(place)].record;
  const EvidenceRecord& record = evidence_.records()[number];
  return std::ranges::any_of(statement_->lexed.tokens, [&](const Token& token) {
    const uint32_t id = is_content(token.kind) ? evidence_.find(token.term) : ReceiptIndex::kNoTerm;
    return id != ReceiptIndex::kNoTerm && std::ranges::binary_search(record.title_terms, id);
  });
}

// Whether the word right before a figure of the receipts, as in "mean 2.3 s" and "Now: 2.3 s", stands
// in the clause of the sentence's figure `at`.
bool Checker::bears_label(size_t at, uint32_t place) const {
  const auto& stated = evidence_.lexed().tokens;
  if (stated[place].kind != TokenKind::kQuantity) return false;
  const uint32_t first = evidence_.units()[evidence_.unit_of(place)].first;
  uint32_t label = place;
  const auto is_colon = [](const Token& token) {
    return token.kind == TokenKind::kBreak && token.value == ':';
  };
  while (label > first && (stated[label - 1].part || is_colon(stated[label - 1]))) --label;
  if (label == first) return false;
  const Token& word = stated[label - 1];
  if (word.kind != TokenKind::kWord && word.kind != TokenKind::kStop) return false;
  const auto& tokens = statement_->lexed.tokens;
  // "Now: 2 s" of what the sentence says something "is".
  static const uint64_t kNow = hash64("now"), kIs = hash64("is");
  const bool present = word.term == kNow && shares_subject(place);
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

bool Checker::stands_in_place(Alignment& alignment, size_t at, const std::vector<uint32_t>& own,
                              const std::vector<uint32_t>& rivals) {
  Alignment::Affinity best;
  uint32_t best_place = own.empty() ? 0 : own.front();
  for (const uint32_t place : std::span(own).first(std::min(own.size(), kMaxPlaces))) {
    const Alignment::Affinity affinity = alignment.affinity(at, place);
    if (affinity.sum <= best.sum) continue;
    best = affinity;
    best_place = place;
  }
  const size_t rank = own.empty() ? SIZE_MAX : alignment.rank(evidence_.unit_of(best_place));
  const bool labelled = std::any_of(
      own.begin(), own.begin() + static_cast<ptrdiff_t>(std::min(own.size(), kMaxPlaces)),
      [&](uint32_t place) { return bears_label(at, place); });
  for (const uint32_t place : rivals) {
    // A passage that fits the sentence less is no place to look for another.
    if (alignment.rank(evidence_.unit_of(place)) > rank) continue;
    const Alignment::Affinity rival = alignment.affinity(at, place);
    if (!own.empty() && statement_->lexed.tokens[at].kind == TokenKind::kName &&
        in_one_list(place, best_place))
      continue;
    // One word alone stands near many things.
    if (rival.words < 2 || rival.words < best.words) continue;
    if (labelled && !bears_label(at, place)) continue;
    const bool same_unit = evidence_.unit_of(place) == evidence_.unit_of(best_place);
    const double factor =
        same_unit && !own.empty() ? rules_.near_rival_factor : rules_.rival_factor;
    if (best.sum < factor * rival.sum) return false;
  }
  if (!own.empty()) facts_.push_back(best_place);
  return true;
}

// Whether a rival has the words of the clause around it, and the fact has hardly any.
bool Checker::outplaced(size_t at, const std::vector<uint32_t>& own,
                        const std::vector<uint32_t>& rivals) const {
  if (own.empty() || rivals.empty() || !told_whole_) return false;
  const ClauseContext context(statement_->lexed, evidence_, at);
  const ClauseContext::Score mine = context.best(own);
  const size_t looked = std::min(rivals.size(), ClauseContext::kMaxPlaces);
  return std::ranges::any_of(std::span(rivals).first(looked), [&](uint32_t place) {
    const ClauseContext::Score theirs = context.at(place);
    return theirs.words >= kRivalWords && theirs.words >= mine.words &&
           mine.sum < rules_.clause_rival_factor * theirs.sum;
  });
}

namespace {

// No "34 minutes" is in the place of "5.4 s".
bool alike_in_size(const Quantity& one, const Quantity& other) {
  if (one.factor == other.factor || one.value == 0 || other.value == 0) return true;
  const double ratio = std::abs(one.value / other.value);
  return ratio < kLargestRatio && ratio > 1 / kLargestRatio;
}

}  // namespace

// "#283", the last part of an address that the receipts have.
bool Checker::is_reference(const Token& token) const {
  return token.begin > 0 && answer_[token.begin - 1] == '#' &&
         (evidence_.has_literal(fmt::format("/{}", spelled(token))) ||
          evidence_.has_literal(fmt::format("#{}", spelled(token))));
}

// "Between 53.2 % and 53.4 %", where 53.29 % is stated: a bound is rounded away from it.
bool Checker::is_rounded_bound(size_t at) const {
  static const uint64_t kBetween = hash64("between"), kAnd = hash64("and");
  const auto& lexed = statement_->lexed;
  const auto is = [&](size_t t, uint64_t term) {
    return t < lexed.tokens.size() && lexed.tokens[t].kind != TokenKind::kBreak &&
           lexed.tokens[t].term == term;
  };
  const bool lower = is(at - 1, kBetween) && is(at + 1, kAnd);
  const bool upper = at > 2 && is(at - 1, kAnd) && is(at - 3, kBetween);
  if (!lower && !upper) return false;
  const Quantity& q = lexed.quantities[lexed.tokens[at].value];
  const auto& stated = evidence_.lexed();
  for (uint32_t t = 0; t < stated.tokens.size(); ++t) {
    if (stated.tokens[t].kind != TokenKind::kQuantity || !in_scope(t)) continue;
    const Quantity& other = stated.quantities[stated.tokens[t].value];
    const double inwards = lower ? other.value - q.value : q.value - other.value;
    if (other.dimension == q.dimension && inwards >= 0 && inwards < q.step) return true;
  }
  return false;
}

Checker::Verdict Checker::check_quantities(Alignment& alignment) {
  const auto& tokens = statement_->lexed.tokens;
  for (size_t t = 0; t < tokens.size(); ++t) {
    if (tokens[t].kind != TokenKind::kQuantity) continue;
    const Quantity& q = statement_->lexed.quantities[tokens[t].value];
    const Hedge hedge = tokens[t].hedge;
    const auto stated = [&](uint32_t place) -> const Quantity& {
      return evidence_.lexed().quantities[evidence_.lexed().tokens[place].value];
    };
    std::vector<uint32_t> own = evidence_.quantities_near(q, hedge);
    std::erase_if(own, [&](uint32_t place) {
      return !in_scope(place) || !same_quantity(q, stated(place), hedge);
    });
    if (own.empty() && q.dimension == Dimension::kNone) {
      const bool year = std::ranges::any_of(evidence_.dates(), [&](uint32_t place) {
        return in_scope(place) &&
               evidence_.lexed().dates[evidence_.lexed().tokens[place].value].year == q.value;
      });
      if (year) continue;
    }
    if (!own.empty()) {
      std::vector<uint32_t> rivals = in_passages(alignment, TokenKind::kQuantity);
      std::erase_if(rivals, [&](uint32_t place) {
        const Quantity& rival = stated(place);
        if (rival.dimension != q.dimension || of_another_series(place)) return true;
        if (!alike_in_size(q, rival)) return true;
        if (q.word && std::abs(rival.value) > kLargestSmall) return true;
        return std::ranges::any_of(tokens, [&](const Token& other) {
          return other.kind == TokenKind::kQuantity &&
                 same_quantity(statement_->lexed.quantities[other.value], rival, other.hedge);
        });
      });
      keep_cited(own, rivals);
      if (statement_->supposing || !told_whole_ ||
          (!of_other_series(own) && stands_in_place(alignment, t, own, rivals)))
        continue;
    }
    if (own.empty() && is_rounded_bound(t)) continue;
    if (derived(alignment, q, hedge) || counted(t, q) || is_reference(tokens[t])) continue;
    return Fault{ClaimKind::kNumber,
                 own.empty() ? fmt::format("no receipt states {} and none of its figures gives it",
                                           squeeze(spelled(tokens[t])))
                             : fmt::format("the receipts state {} of something else",
                                           squeeze(spelled(tokens[t])))};
  }
  return {};
}

// "18 % now (at 03:30)": a line has the figure right before a time and the time.
bool Checker::is_of_figure(size_t at, const std::vector<uint32_t>& own) const {
  constexpr size_t kNear = 6;
  const auto& tokens = statement_->lexed.tokens;
  for (size_t t = at; t > 0 && t + kNear > at; --t) {
    const Token& figure = tokens[t - 1];
    if (figure.kind != TokenKind::kQuantity) continue;
    return std::ranges::any_of(own, [&](uint32_t place) {
      const EvidenceUnit& unit = evidence_.units()[evidence_.unit_of(place)];
      for (uint32_t s = unit.first; s < unit.end; ++s)
        if (same_fact(figure, evidence_.lexed().tokens[s])) return true;
      return false;
    });
  }
  return false;
}

// "From 20:07 to 20:29": two times that are both fields of one record.
bool Checker::in_span(size_t at, const std::vector<uint32_t>& own) const {
  const auto& tokens = statement_->lexed.tokens;
  for (const uint32_t place : own) {
    const uint32_t number = evidence_.units()[evidence_.unit_of(place)].record;
    const EvidenceRecord& record = evidence_.records()[number];
    if (evidence_.unit_of(place) >= record.end_header) continue;
    const uint32_t end = evidence_.units()[record.end_header - 1].end;
    for (size_t t = 0; t < tokens.size(); ++t) {
      if (tokens[t].kind != TokenKind::kTime || tokens[t].value == tokens[at].value) continue;
      for (const uint32_t other : evidence_.times()) {
        if (other >= evidence_.units()[record.first_unit].first && other < end &&
            same_fact(tokens[t], evidence_.lexed().tokens[other]))
          return true;
      }
    }
  }
  return false;
}

// "Unlike that of 30 June": it speaks of another record, too.
bool Checker::compares_records() const {
  static const uint64_t kWords[] = {term_of("differ"),   term_of("different"), term_of("unlike"),
                                    hash64("unlike"),    hash64("than"),       hash64("same"),
                                    hash64("like"),      term_of("similar"),   hash64("both"),
                                    term_of("previous"), hash64("earlier"),    hash64("again")};
  return std::ranges::any_of(statement_->lexed.tokens, [](const Token& token) {
    return token.kind != TokenKind::kBreak && token.term != 0 &&
           std::ranges::find(kWords, token.term) != std::end(kWords);
  });
}

Checker::Verdict Checker::check_times(Alignment& alignment) {
  const auto& tokens = statement_->lexed.tokens;
  for (size_t t = 0; t < tokens.size(); ++t) {
    if (tokens[t].kind == TokenKind::kDate) {
      const CalendarDate& date = statement_->lexed.dates[tokens[t].value];
      const bool wide = compares_records();
      const bool known = std::ranges::any_of(evidence_.dates(), [&](uint32_t place) {
        return (in_scope(place) || wide) &&
               date.compatible(evidence_.lexed().dates[evidence_.lexed().tokens[place].value]);
      });
      if (!known)
        return Fault{ClaimKind::kTime,
                     fmt::format("no receipt has the date {}", spelled(tokens[t]))};
    }
    if (tokens[t].kind != TokenKind::kTime) continue;
    std::vector<uint32_t> own, rivals;
    for (const uint32_t place : evidence_.times()) {
      if (in_scope(place) && same_minute(evidence_.lexed().tokens[place], tokens[t]))
        own.push_back(place);
    }
    if (own.empty())
      return Fault{ClaimKind::kTime, fmt::format("no receipt has the time {}", spelled(tokens[t]))};
    rivals = in_passages(alignment, TokenKind::kTime);
    std::erase_if(rivals, [&](uint32_t place) {
      return std::ranges::any_of(tokens, [&](const Token& other) {
        return other.kind == TokenKind::kTime &&
               same_minute(other, evidence_.lexed().tokens[place]);
      });
    });
    keep_cited(own, rivals);
    if (!statement_->supposing && !in_span(t, own) && !is_of_figure(t, own) &&
        !stands_in_place(alignment, t, own, rivals))
      return Fault{ClaimKind::kTime,
                   fmt::format("the receipts give {} for something else", spelled(tokens[t]))};
  }
  return {};
}

// "Reload: no | owner: Payments": a row of a table, its columns before its cells.
bool Checker::is_row() const {
  return std::ranges::count_if(statement_->lexed.tokens, [](const Token& token) {
           return token.kind == TokenKind::kBreak && token.value == '|';
         }) > 1;
}

// Whether one names a record, and the other stands in its heading or fields: "INC-7 SEV1: …".
bool Checker::is_of_record(uint64_t key, uint64_t term) const {
  const uint32_t id = evidence_.find(term);
  return std::ranges::any_of(evidence_.records(), [&](const EvidenceRecord& record) {
    return std::ranges::find(record.keys, key) != record.keys.end() &&
           std::ranges::binary_search(record.header_terms, id);
  });
}

Checker::Verdict Checker::check_exchanges() {
  if (statement_->supposing || statement_->advising || !told_whole_ || is_row()) return {};
  const auto& tokens = statement_->lexed.tokens;
  const auto found = find_exchange(statement_->lexed, evidence_, scope_, rules_.exchange_factor);
  if (found && !is_of_record(tokens[found->one].term, tokens[found->other].term) &&
      !is_of_record(tokens[found->other].term, tokens[found->one].term))
    return Fault{ClaimKind::kName, fmt::format("the receipts have {} and {} the other way round",
                                               squeeze(spelled(tokens[found->one])),
                                               squeeze(spelled(tokens[found->other])))};
  return {};
}

Checker::Verdict Checker::check_comparisons() {
  const auto& lexed = statement_->lexed;
  if (const auto wrong = find_false_comparison(lexed))
    return Fault{ClaimKind::kNumber, fmt::format("its own figures say the opposite of \"{}\"",
                                                 squeeze(spelled(lexed.tokens[*wrong])))};
  return {};
}

}  // namespace precedent
