// The lower layer of the time hints: one period, read at the beginning of a text. What the words
// around it mean ("since", "between") is the business of time_hints.cc.
//
// All texts are lower case. The patterns are RE2's, so that time is linear in what is read. Thread
// safety: pure functions.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>

#include "base/time.h"
#include "search/clock_time.h"

namespace precedent {

struct Period {
  TimePoint from, to;     // half-open
  size_t length = 0;      // bytes read
  bool day = false;       // one calendar day, which a time of day may narrow
  bool yearless = false;  // "March 4": the year was guessed; another date may know it better

  bool weekless = false;  // "Friday": the week was guessed
  // Where a range that this period bounds begins or ends, if not at `from` or `to`: "since the end
  // of March", "since two weeks ago".
  std::optional<TimePoint> bound = std::nullopt;

  TimePoint day_start() const { return std::chrono::floor<std::chrono::days>(from); }
  // A time of day on this day; of a part of a day, in that part: "9:30 last night" is 21:30.
  TimePoint at(const ClockTime& clock) const;
};

// A day, week, month, quarter, half-year, season or year, or a part of one: "2025-01-20", "4th of
// March", "Q1 2025", "last week", "3 days ago", "Friday night", "first half of September". Without a
// year: the latest one that is not in the future. What is also another word ("may" is a verb, 2024
// a number, H2 a database) is a period only `after_preposition`.
std::optional<Period> read_period(std::string_view lower, TimePoint now, bool after_preposition);

// The same days and months of another year.
Period in_year(Period period, std::chrono::year year);

}  // namespace precedent
