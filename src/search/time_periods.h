// The lower layer of the time hints: one period or one time of day, read at the beginning of a
// text. What the words around it mean ("since", "between") is the business of time_hints.cc.
//
// All texts are lower case. The patterns are RE2's, so that time is linear in what is read. Thread
// safety: pure functions.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>

#include "base/time.h"

namespace precedent {

struct Period {
  TimePoint from, to;     // half-open
  size_t length = 0;      // bytes read
  bool day = false;       // one calendar day, which a time of day may narrow
  bool yearless = false;  // "March 4": the year was guessed; another date may know it better

  TimePoint day_start() const { return std::chrono::floor<std::chrono::days>(from); }
};

// A day, week, month, quarter, half-year or year: "2025-01-20", "4th of March", "Q1 2025", "last
// week", "3 days ago", "Friday". Without a year: the latest one that is not in the future. A bare
// month or year ("May", "2024") is only one `after_preposition`: "may" is a verb, 2024 a number.
std::optional<Period> read_period(std::string_view lower, TimePoint now, bool after_preposition);

// The same days and months of another year.
Period in_year(Period period, std::chrono::year year);

// "14:30", "2:30 pm", "2pm", with or without "UTC".
struct ClockTime {
  std::chrono::minutes since_midnight;
  size_t length = 0;
};
std::optional<ClockTime> read_clock(std::string_view lower);

// "7", "seven", "a", "a couple of" → a number below 10^6.
std::optional<int> read_number(std::string_view words);

}  // namespace precedent
