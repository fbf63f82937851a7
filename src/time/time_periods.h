// Reads one period at the beginning of a text. What the words around it mean ("since", "between")
// is the business of time_hints.h.
//
// All texts are lower case. The patterns are RE2's, so that time is linear in what is read. Thread
// safety: pure functions.
#pragma once

#include <optional>
#include <string_view>

#include "base/time.h"
#include "time/period.h"

namespace precedent {

// A day, week, month, quarter, half-year, season or year, or a part of one: "2025-01-20", "4th of
// March", "Q1 2025", "last week", "3 days ago", "Friday night", "first half of September". Without
// a year: the latest one that is not in the future. What is also another word ("may" is a verb,
// 2024 a number, H2 a database) is a period only `after_preposition`.
std::optional<Period> read_period(std::string_view lower, TimePoint now, bool after_preposition);

}  // namespace precedent
