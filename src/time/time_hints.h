// Times in a question → ranges: "last 7 days", "since yesterday", "in January 2025", "between 3 and
// 5 March", "on March 4, 2021, from 14:30 to 15:00".
//
// Rules only, in linear time. Relative words are resolved against `now`; without a year, a month or
// a week, a date is the latest that is not in the future. Calendar words mean the calendar ("last
// week" is Monday to Monday, "two weeks ago" the calendar week then, "last month" the month
// before); counted words roll ("last 7 days", "the past week", "has been failing for 3 days" end
// now). A moment bounds a range ("since March 4, 14:30") but alone means its day, because an
// incident is rarely opened in the very minute that is asked about. Times are UTC unless a zone
// stands behind the clock. Parts of the day and seasons: named_periods.h; zones: clock_time.h.
//
// No reading is better than a wrong one: a word that could be something else ("H2", "the 2nd",
// "overnight", "for 3 days") counts only where the words around it leave no other meaning. Thread
// safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace precedent {

struct TimeHint {
  std::string text;           // as written
  size_t begin = 0, end = 0;  // bytes in the question
  TimeRange range;
  std::optional<int> days;  // for counted windows that end now: the window in days, rounded up
};

// In order of appearance, not overlapping. Dates inside ids, paths and versions are not hints.
std::vector<TimeHint> find_time_hints(std::string_view question, TimePoint now);

// The moment that is asked about: "yesterday at 22:30", "at 21:00" and "the 22:15 deploy" of no
// day, which is the latest such time before `now`. Nothing where none is said, or an end of a range
// ("since 14:00").
std::optional<TimePoint> find_moment(std::string_view question, TimePoint now);

// The intersection of all hints; unbounded if there are none. Hints that exclude one another
// ("compare March with May") span from the first to the last of them.
TimeRange intersection(const std::vector<TimeHint>& hints);

}  // namespace precedent
