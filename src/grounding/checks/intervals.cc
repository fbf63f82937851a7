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

}  // namespace precedent
