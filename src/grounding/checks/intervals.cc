#include "grounding/checks/intervals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "base/strings.h"
#include "grounding/checks/claim_check.h"
#include "grounding/checks/measured_trends.h"
#include "grounding/checks/places.h"
#include "grounding/text/clauses.h"
#include "grounding/text/synonyms.h"

namespace precedent {
namespace {

constexpr double kDay = 86400;
// Of more moments some two are as far apart as any duration.
constexpr size_t kFewMoments = 6;
// How likely some moment of a record may be as far by chance from one that the sentence names.
constexpr double kMaxChance = 0.25;
// And some two of its moments from one another.
constexpr double kMaxPairChance = 0.1;
// Of a hedged duration: what quantity.h allows at most.
constexpr double kHedgedWidth = 0.1;
// Words of a sentence that a line must hold to be what it speaks of.
constexpr size_t kNearWords = 2;
// Of the words that tell an event, how much its line must hold.
constexpr double kMostWords = 0.7;

bool is_as_long(const Quantity& q, Hedge hedge, double between) {
  return between > 0 && same_amount(q.value, q.step, between, hedge);
}

// Between two moments; of two times without a day, perhaps over midnight.
bool is_between(const Quantity& q, Hedge hedge, double one, double other) {
  const double between = std::abs(one - other);
  const bool dayless = one < kFirstDay && other < kFirstDay;
  return is_as_long(q, hedge, between) || (dayless && is_as_long(q, hedge, kDay - between));
}

void keep_distinct(std::vector<double>& moments) {
  std::ranges::sort(moments);
  const auto duplicates = std::ranges::unique(moments);
  moments.erase(duplicates.begin(), duplicates.end());
}

bool is_term(const Token& token, std::initializer_list<std::string_view> words) {
  if (token.kind == TokenKind::kBreak) return false;
  return std::ranges::any_of(words, [&](std::string_view word) {
    return token.term == hash64(word) || token.term == term_of(word);
  });
}

// The events that are the moments of these mentions.
std::vector<const DatedEvent*> events_at(const Sentence& sentence, const Facts& facts,
                                         const std::vector<Mention>& mentions) {
  std::vector<const DatedEvent*> found;
  for (const DatedEvent& event : facts.events) {
    if (sentence.scope[facts.index.units()[event.unit].record] &&
        std::ranges::any_of(mentions, [&](const Mention& m) { return is_at(event, m); }))
      found.push_back(&event);
  }
  return found;
}

// The events whose lines the sentence speaks of.
std::vector<const DatedEvent*> events_near(const Sentence& sentence, const Facts& facts) {
  std::vector<std::pair<uint32_t, uint64_t>> hits;  // unit, term of the sentence
  for (const Token& token : sentence.tokens()) {
    if (!is_content(token.kind)) continue;
    const auto add = [&](uint64_t term) {
      for (const uint32_t place : facts.index.postings_of(term))
        hits.emplace_back(facts.index.unit_of(place), token.term);
    };
    add(token.term);
    for (const uint64_t other : synonyms_of(token.term)) add(other);
  }
  std::ranges::sort(hits);
  const auto duplicates = std::ranges::unique(hits);
  hits.erase(duplicates.begin(), duplicates.end());
  // A metric is named by its heading; a change may be called just that.
  std::vector<bool> of_a_metric(facts.index.records().size());
  for (uint32_t r = 0; r < of_a_metric.size(); ++r)
    of_a_metric[r] = named_by(sentence, facts, r) > 0;
  const bool of_changes = std::ranges::any_of(sentence.tokens(), is_change_word);
  // "**Resolved**: 14:22" has no more words than its label.
  const auto is_field = [&](const DatedEvent& event) {
    return facts.index.is_label(facts.index.units()[event.unit].first);
  };
  std::vector<const DatedEvent*> found;
  for (const DatedEvent& event : facts.events) {
    const uint32_t record = facts.index.units()[event.unit].record;
    const auto own =
        std::ranges::equal_range(hits, event.unit, {}, &std::pair<uint32_t, uint64_t>::first);
    if (sentence.scope[record] &&
        (own.size() >= kNearWords || (own.size() == 1 && is_field(event)) ||
         sentence.alignment->rank(event.unit) != SIZE_MAX || of_a_metric[record] ||
         (of_changes && facts.index.receipt_of(event.unit).lists_changes)))
      found.push_back(&event);
  }
  return found;
}

// The moments of a record, each once.
std::vector<double> moments_of(const Facts& facts, uint32_t record) {
  std::vector<double> moments;
  for (const DatedEvent& event : facts.events)
    if (event.timed && facts.index.units()[event.unit].record == record)
      moments.push_back(event.at);
  keep_distinct(moments);
  return moments;
}

// "Eleven days: on 22 June and on 2 July": both days may count. "On 2 July, ten days earlier": from
// there to a day of the receipts. "The lock had expired two days earlier", after a sentence with a
// day.
bool between_dates(const Sentence& sentence, const Facts& facts, const Quantity& q, Hedge hedge) {
  if (q.factor < kDay) return false;
  const std::vector<double> days = days_of(sentence.lexed(), facts.index);
  const auto in_passages = [&](const DatedEvent& event) {
    return std::ranges::any_of(sentence.alignment->passages(), [&](uint32_t unit) {
      return facts.index.units()[unit].record == facts.index.units()[event.unit].record;
    });
  };
  for (const double day : days.empty() ? sentence.recent_days : std::vector<double>()) {
    const auto beside_it = [&](const DatedEvent& event) {
      return std::ranges::any_of(facts.events, [&](const DatedEvent& other) {
        return std::floor(other.at / kDay) * kDay == day &&
               facts.index.units()[other.unit].record == facts.index.units()[event.unit].record;
      });
    };
    if (std::ranges::any_of(facts.events, [&](const DatedEvent& event) {
          return event.at >= kFirstDay && (in_passages(event) || beside_it(event)) &&
                 is_between(q, hedge, day, std::floor(event.at / kDay) * kDay);
        }))
      return true;
  }
  for (size_t i = 0; i < days.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (is_between(q, hedge, days[i], days[j]) ||
          is_as_long(q, hedge, std::abs(days[i] - days[j]) + kDay))
        return true;
  return std::ranges::any_of(days, [&](double day) {
    return std::ranges::any_of(facts.events, [&](const DatedEvent& event) {
      return event.at >= kFirstDay && is_between(q, hedge, day, std::floor(event.at / kDay) * kDay);
    });
  });
}

// The events whose lines hold most of these words.
std::vector<const DatedEvent*> events_of(const Sentence& sentence, const Facts& facts, size_t first,
                                         size_t end) {
  const auto& tokens = sentence.tokens();
  std::vector<double> held(facts.events.size(), 0);
  double all = 0;
  size_t words = 0;
  for (size_t t = first; t < end; ++t) {
    if (!is_content(tokens[t].kind) || tokens[t].part) continue;
    const double weight = facts.index.idf(facts.index.find(tokens[t].term));
    all += weight;
    ++words;
    for (size_t e = 0; e < facts.events.size(); ++e) {
      const uint32_t unit = facts.events[e].unit;
      const bool has = facts.index.unit_has(unit, tokens[t].term) ||
                       std::ranges::any_of(synonyms_of(tokens[t].term), [&](uint64_t other) {
                         return facts.index.unit_has(unit, other);
                       });
      held[e] += has ? weight : 0;
    }
  }
  std::vector<const DatedEvent*> found;
  for (size_t e = 0; e < facts.events.size() && words >= kNearWords; ++e)
    if (facts.events[e].timed && sentence.scope[facts.index.units()[facts.events[e].unit].record] &&
        held[e] >= kMostWords * all)
      found.push_back(&facts.events[e]);
  return found;
}

// "The restart came ten minutes after the deploy", where the lines of both give another time.
bool lies_otherwise(const Sentence& sentence, const Facts& facts, size_t at, size_t order) {
  const auto& tokens = sentence.tokens();
  const Quantity& q = sentence.lexed().quantities[tokens[at].value];
  size_t first = at, end = order + 1;
  while (first > 0 && tokens[first - 1].kind != TokenKind::kBreak) --first;
  while (end < tokens.size() && tokens[end].kind != TokenKind::kBreak) ++end;
  const auto told = events_of(sentence, facts, first, at),
             from = events_of(sentence, facts, order + 1, end);
  bool any = false;
  for (const DatedEvent* a : told) {
    for (const DatedEvent* b : from) {
      if (facts.index.units()[a->unit].record != facts.index.units()[b->unit].record || a == b)
        continue;
      any = true;
      if (is_between(q, tokens[at].hedge, a->at, b->at)) return false;
    }
  }
  return any;
}

}  // namespace

// Whether two moments are so far apart, of which the sentence names or tells one, and perhaps the
// other.
bool lies_between(const Sentence& sentence, const Facts& facts, const Quantity& q, Hedge hedge) {
  if (between_dates(sentence, facts, q, hedge)) return true;
  for (const Mention& one : sentence.mentions)
    for (const Mention& other : sentence.mentions)
      if (one.second > other.second && is_between(q, hedge, one.second, other.second)) return true;
  const auto record_of = [&](const DatedEvent* event) {
    return facts.index.units()[event->unit].record;
  };
  std::vector<const DatedEvent*> named = events_at(sentence, facts, sentence.mentions);
  const size_t own = named.size();
  const std::vector<const DatedEvent*> told = events_near(sentence, facts),
                                       recent =
                                           events_at(sentence, facts, sentence.recent_mentions);
  named.insert(named.end(), told.begin(), told.end());
  named.insert(named.end(), recent.begin(), recent.end());
  const auto in_day = [&](double a, double b) {
    return is_between(q, hedge, std::fmod(a, kDay), std::fmod(b, kDay));
  };
  const auto fits = [&](const DatedEvent* a, const DatedEvent* b) {
    if (record_of(a) != record_of(b) && (a->at < kFirstDay || b->at < kFirstDay)) return false;
    // A day is no time of day, and days are counted from day to day.
    if (q.factor < kDay && (!a->timed || !b->timed)) return false;
    if (q.factor >= kDay && a->at >= kFirstDay && b->at >= kFirstDay &&
        is_between(q, hedge, std::floor(a->at / kDay) * kDay, std::floor(b->at / kDay) * kDay))
      return true;
    return is_between(q, hedge, a->at, b->at) || ((!a->dated || !b->dated) && in_day(a->at, b->at));
  };
  for (size_t i = 0; i < named.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (fits(named[i], named[j])) return true;

  std::vector<uint32_t> records;
  const auto add = [&](uint32_t record) {
    if (std::ranges::find(records, record) == records.end()) records.push_back(record);
  };
  for (const uint32_t unit : sentence.alignment->passages()) add(facts.index.units()[unit].record);
  for (const DatedEvent* event : named) add(record_of(event));
  // "Two incidents, 19 days apart": from the first field of one record to that of another.
  if (q.factor >= kDay) {
    std::vector<double> days;
    for (const uint32_t number : records) {
      const EvidenceRecord& r = facts.index.records()[number];
      const auto fields = moments_in(facts.index, r.first_unit, r.end_header);
      if (!fields.empty() && fields.front() >= kFirstDay)
        days.push_back(std::floor(fields.front() / kDay) * kDay);
    }
    for (size_t i = 0; i < days.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (is_between(q, hedge, days[i], days[j])) return true;
  }
  for (const uint32_t record : records) {
    const std::vector<double> moments = moments_of(facts, record);
    const auto any_pair = [&](const std::vector<double>& all) {
      return std::ranges::any_of(all, [&](double a) {
        return std::ranges::any_of(all, [&](double b) { return is_between(q, hedge, a, b); });
      });
    };
    if (moments.size() <= kFewMoments && any_pair(moments)) return true;
    const EvidenceRecord& r = facts.index.records()[record];
    if (r.end_header > r.first_unit &&
        any_pair(moments_in(facts.index, r.first_unit, r.end_header)))
      return true;
    if (moments.size() < 2) continue;
    const double width = hedge == Hedge::kNone ? q.step : 2 * kHedgedWidth * q.value;
    const double span = moments.back() - moments.front();
    const auto count = static_cast<double>(moments.size());
    if (count * (count - 1) / 2 * width < kMaxPairChance * span && any_pair(moments)) return true;
    // From a moment that the sentence names to any other, unless some other is always so far.
    if (static_cast<double>(moments.size()) * width > kMaxChance * span) continue;
    for (const DatedEvent* event : std::span(named).first(own)) {
      if (record_of(event) == record && std::ranges::any_of(moments, [&](double other) {
            return is_between(q, hedge, event->at, other);
          }))
        return true;
    }
  }
  return false;
}

// "At 23:13, six minutes earlier": some moment must lie on that side, where one lies on the other.
Judgement check_intervals(const Sentence& sentence, const Facts& facts) {
  const auto& tokens = sentence.tokens();
  for (size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (tokens[at].kind != TokenKind::kQuantity) continue;
    const Quantity& q = sentence.lexed().quantities[tokens[at].value];
    if (q.dimension != Dimension::kTime) continue;
    const Token& order = tokens[at + 1];
    // "Another 32 minutes until the restart at 19:40": from a moment before that one.
    const bool until = is_term(order, {"until", "till"});
    const bool back = until || is_term(order, {"earlier", "before", "previously"});
    if (!back && !is_term(order, {"later", "after", "afterwards"})) continue;
    // "The day before" is a window.
    if (at > 0 && is_term(tokens[at - 1], {"the"})) continue;
    // What it is told of: the last moment before it, or the one right behind it, or an earlier one.
    const Mention* last = nullptr;
    const Mention* behind = nullptr;
    for (const Mention& mention : sentence.mentions) {
      if (mention.token < at && !until) last = &mention;
      if (mention.token > at && behind == nullptr) behind = &mention;
    }
    if (until && (behind == nullptr ||
                  std::any_of(tokens.begin() + static_cast<ptrdiff_t>(at),
                              tokens.begin() + static_cast<ptrdiff_t>(behind->token),
                              [](const Token& t) { return t.kind == TokenKind::kBreak; })))
      continue;
    // With a complement, "after the alert": from there to the moment told; else from the moment.
    const bool complement = is_term(order, {"before", "after"}) && at + 2 < tokens.size() &&
                            tokens[at + 2].kind != TokenKind::kBreak &&
                            !is_term(tokens[at + 2], {"that", "it", "this", "and"});
    if (complement && last == nullptr && lies_otherwise(sentence, facts, at, at + 1))
      return refuted(ClaimKind::kTime, fmt::format("by the times of the receipts it was not {}",
                                                   squeeze(sentence.spelling(tokens[at]))));
    const bool told = last == nullptr && behind != nullptr;
    const Mention* from = last != nullptr ? last : behind;
    if (from == nullptr && !complement && !sentence.recent_mentions.empty())
      from = &sentence.recent_mentions.back();
    if (from == nullptr || (last != nullptr && behind != nullptr && !complement)) continue;
    // Between two that it names itself.
    const bool between = std::ranges::any_of(sentence.mentions, [&](const Mention& a) {
      return std::ranges::any_of(sentence.mentions, [&](const Mention& b) {
        return a.second != b.second && is_between(q, tokens[at].hedge, a.second, b.second);
      });
    });
    if (between) continue;
    const double sign = until || back != (complement || told) ? -1 : 1;
    bool right = false, wrong = false, known = false;
    bool stated = false;
    for (const uint32_t place : facts.index.quantities_near(q, tokens[at].hedge))
      stated = stated || same_fact(sentence, facts, tokens[at], facts.index.lexed().tokens[place]);
    for (const DatedEvent* event : events_at(sentence, facts, {*from})) {
      known = true;
      for (const DatedEvent& other : facts.events) {
        const bool record =
            facts.index.units()[other.unit].record == facts.index.units()[event->unit].record;
        if (!other.timed || (!record && (event->at < kFirstDay || other.at < kFirstDay))) continue;
        double apart = sign * (other.at - event->at);
        // Of a day that is not certain the time alone counts.
        if (!other.dated || !event->dated) apart = std::remainder(apart, kDay);
        right = right || is_as_long(q, tokens[at].hedge, apart);
        wrong = wrong || (record && is_as_long(q, tokens[at].hedge, -apart));
      }
    }
    const bool required = (until || (last != nullptr && !stated)) && known && q.value < kDay;
    if ((wrong || required) && !right)
      return refuted(ClaimKind::kTime, fmt::format("by the times of the receipts it was not \"{}\"",
                                                   squeeze(sentence.spelling(order))));
  }
  return {};
}

}  // namespace precedent
