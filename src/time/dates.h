// Dates of the calendar: days, months, quarters, half-years and years, in digits or by name.
//
// Without a year, a date is the latest one that is not in the future: people ask about the past.
// All texts are lower case; linear in what is read. Thread safety: pure functions.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>

#include "base/time.h"
#include "time/period.h"

namespace precedent {

// "2025-01-20", "4th of March", "Q1 2025", "2025-03"; "H1" only `after_preposition`.
std::optional<Period> absolute_period(std::string_view s, TimePoint now, bool after_preposition);

// A month or a year alone: "March", "2024". Both are other words, too: the caller knows from the
// words around them that a time is meant.
std::optional<Period> bare_period(std::string_view s, TimePoint now);

// Whether the month at the beginning of `s` is sure to be one without a preposition: "October vs
// November", "March last year".
bool sure_month(std::string_view s, TimePoint now);

// "mid-October", "late September": the whole month.
std::optional<Period> vague_month(std::string_view s, TimePoint now);

struct SaidYear {
  std::chrono::year value;
  size_t length;  // bytes read
};

// " of last year", behind a period without a year.
std::optional<SaidYear> said_year(std::string_view s, TimePoint now);

}  // namespace precedent
