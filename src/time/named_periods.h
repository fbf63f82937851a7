// Periods that have a name of their own: calendar words ("last week"), feasts ("Black Friday"),
// seasons ("summer of 2025") and parts of the day ("overnight", "this morning").
//
// All texts are lower case; linear in what is read. Thread safety: pure functions.
#pragma once

#include <optional>
#include <string_view>

#include "time/period.h"

namespace precedent {

// "today", "last week", "this quarter", "previous year".
std::optional<Period> calendar_words(std::string_view s, TimePoint now);

// "christmas eve", "Black Friday 2025", "last Halloween", "New Year last year".
std::optional<Period> feast_day(std::string_view s, TimePoint now);

// "summer of 2025", "winter 2024/25", "last spring"; "in the summer" only `after_preposition`. By
// months: spring is March to May. "Winter 2025" is two winters and not read.
std::optional<Period> season(std::string_view s, TimePoint now, bool after_preposition);

// "this afternoon", "overnight", "last night". Morning is 06:00 to 12:00, afternoon to 18:00,
// evening to midnight; night is 18:00 to 06:00, an early morning midnight to 09:00. What is still
// to come is not read.
std::optional<Period> part_of_today(std::string_view s, TimePoint now);

// "evening of ": the words before the day. `length` is what was read of them.
struct DayPart {
  std::chrono::hours from, to;
  size_t length;

  Period of(Period day) const;
};
std::optional<DayPart> part_before_day(std::string_view s);

// " morning", ", in the evening", " at night", behind a day.
std::optional<DayPart> part_behind_day(std::string_view s);

}  // namespace precedent
