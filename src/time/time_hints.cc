#include "time/time_hints.h"

#include <algorithm>
#include <optional>

#include "base/ascii.h"
#include "base/ids.h"
#include "base/strings.h"
#include "time/bare_years.h"
#include "time/range_ends.h"
#include "time/time_ranges.h"
#include "time/time_windows.h"
#include "time/time_words.h"

// One grammar in three layers. time_periods.h reads a *period* (a day, a month, last week),
// clock_time.h a time of day; range_ends.h puts both together. This file tries the constructions
// around them at every word start, the longest first:
//
//   two ends   "from END to END": END is a period, a time of day, or both ("March 4, from 14:30";
//              time_ranges.h)
//   counted    "last 7 days", "for 3 days" (time_windows.h)
//   one end    "since END", "before END", "in PERIOD" (time_ranges.h)
//   a period   "yesterday"
//   a year     "SEV1 incidents 2026" (bare_years.h)
//
// A construction reads at most kWindow bytes, so that time is linear whatever the question is.

namespace precedent {
namespace {

// "during the specified time range of September 30, 2021, from 23:30 to September 30, 2021, at …"
// has 90 bytes; the rest is generous white space.
constexpr size_t kWindow = 192;

std::optional<TimeReading> one_period(std::string_view s, TimePoint now, bool beside_another) {
  const auto end = read_end(s, now, beside_another);
  if (!end || end->clock_only()) return std::nullopt;
  return TimeReading{end->length, whole_of(*end)};
}

// "2 may crash", "and may crash": in small letters, without a year, an ordinal or a preposition,
// "may" is the verb, and so is "march" beside no day.
bool is_verb_may(std::string_view written) {
  static const RE2 kVerb("^(?:may\\s+\\d{1,2}|\\d{1,2}\\s+may|may|march)$");
  return RE2::FullMatch(re2::StringPiece(written.data(), written.size()), kVerb);
}

// The question in small letters, with the ids that hold a date blotted out.
std::string readable(std::string_view question) {
  std::string lower = ascii_lower(question);
  for (const IdMention& id : find_ids(question)) {
    if (date_in_id(id.id))
      std::fill(lower.begin() + static_cast<long>(id.begin),
                lower.begin() + static_cast<long>(id.end), '#');
  }
  return lower;
}

// "this month vs October", "in 2024 and 2025": what is too short alone is sure behind its like.
bool beside(std::string_view between) {
  static constexpr size_t kLongest = 20;
  static const RE2 kBeside(
      "\\s*(?:vs\\.?|versus|and|or|with|to|than|against|compared\\s+(?:to|with))\\s+");
  return between.size() <= kLongest &&
         RE2::FullMatch(re2::StringPiece(between.data(), between.size()), kBeside);
}

// "…? Started on Tuesday", "it began at 14:05": what is spoken of goes on. Not "the incidents that
// started on Tuesday".
std::optional<TimeReading> started(std::string_view before, std::string_view s, TimePoint now) {
  static const RE2 kStarted("^(?:started|began)\\s+(?:(?:on|at|around|about|in|from)\\s+)?");
  static constexpr size_t kSubject = 6;
  static const RE2 kIt("\\b(?:it|this)\\s+$");
  const TimeMatch m(kStarted, s);
  if (!m) return std::nullopt;
  const std::string_view subject = before.substr(before.size() - std::min(before.size(), kSubject));
  if (!clause_begins(before) &&
      !RE2::PartialMatch(re2::StringPiece(subject.data(), subject.size()), kIt)) {
    return std::nullopt;
  }
  auto end = read_end(s.substr(m.length()), now, false);
  if (!end) return std::nullopt;
  if (end->clock_only()) end->period = day_of_clock(*end->clock, now);
  return TimeReading{m.length() + end->length, {end->from(), std::nullopt}};
}

// The longest construction that begins at `at`. `other` is the hint before, if there is one.
std::optional<TimeReading> read_at(std::string_view whole, size_t at, TimePoint now,
                                   const TimeHint* other) {
  const std::string_view s = whole.substr(at, kWindow);
  if (auto found = two_ended(s, now)) return found;
  if (auto found = counted_window(s, now)) return found;
  if (auto found = lasting_window(whole.substr(0, at), s, now)) return found;
  if (auto found = started(whole.substr(0, at), s, now)) return found;
  if (other != nullptr && other->range.from) {
    if (auto found = window_before(s, *other->range.from)) return found;
  }
  if (auto found = one_ended(s, now)) return found;
  if (auto found = two_years(whole.substr(0, at), s, now)) return found;
  if (auto found =
          one_period(s, now, other != nullptr && beside(whole.substr(other->end, at - other->end))))
    return found;
  return bare_year(whole, at, now);
}

}  // namespace

std::vector<TimeHint> find_time_hints(std::string_view question, TimePoint now) {
  const std::string lower = readable(question);
  const std::string_view s = lower;
  std::vector<TimeHint> hints;
  bool word_start = true;
  for (size_t i = 0; i < s.size();) {
    const bool word = is_alnum(s[i]);
    if (word && word_start) {
      const std::optional<TimeReading> found =
          read_at(s, i, now, hints.empty() ? nullptr : &hints.back());
      if (found && !is_verb_may(question.substr(i, found->length))) {
        hints.push_back({std::string(question.substr(i, found->length)), i, i + found->length,
                         found->range, found->days});
        i += found->length;
        word_start = false;
        continue;
      }
    }
    word_start = !word && std::string_view("-_/.@#$").find(s[i]) == std::string_view::npos;
    ++i;
  }
  return hints;
}

std::optional<TimePoint> find_moment(std::string_view question, TimePoint now) {
  static constexpr size_t kSeen = 16;
  static const RE2 kAt("(?:^|\\s)(?:at|around|about|near|circa|the)\\s+$");
  static const RE2 kEnd(
      "\\b(?:since|from|after|before|until|till|to|between|and|by|starting|started|began)\\s+(?:"
      "on\\s+|at\\s+|"
      "about\\s+|around\\s+)?$");
  const std::string lower = readable(question);
  const std::string_view s = lower;
  bool word_start = true;
  for (size_t i = 0; i < s.size(); ++i) {
    const bool word = is_alnum(s[i]);
    const bool begins = word && word_start;
    word_start = !word && std::string_view("-_/.@#$:").find(s[i]) == std::string_view::npos;
    if (!begins) continue;
    const auto end = read_end(s.substr(i, kWindow), now, false);
    if (!end || !end->clock) continue;
    const std::string before(s.substr(i - std::min(i, kSeen), std::min(i, kSeen)));
    if (RE2::PartialMatch(before, kEnd)) return std::nullopt;
    if (end->period) return end->from();
    if (RE2::PartialMatch(before, kAt)) return day_of_clock(*end->clock, now).at(*end->clock);
  }
  return std::nullopt;
}

TimeRange intersection(const std::vector<TimeHint>& hints) {
  TimeRange all, hull;
  bool from_open = false, to_open = false;
  for (const TimeHint& hint : hints) {
    const auto& [from, to] = hint.range;
    from_open |= !from;
    to_open |= !to;
    if (from && (!all.from || *from > *all.from)) all.from = from;
    if (to && (!all.to || *to < *all.to)) all.to = to;
    if (from && (!hull.from || *from < *hull.from)) hull.from = from;
    if (to && (!hull.to || *to > *hull.to)) hull.to = to;
  }
  if (!all.from || !all.to || *all.from < *all.to) return all;
  if (from_open) hull.from.reset();
  if (to_open) hull.to.reset();
  return hull;
}

}  // namespace precedent
