// Years without a preposition, where no number of anything else can be meant.
//
// All texts are lower case; linear in what is read. Thread safety: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "time/time_reading.h"

namespace precedent {

// ", 2024 and 2025": two recent years in a row, where a list or a remark begins. `before` is the
// text up to `s`.
std::optional<TimeReading> two_years(std::string_view before, std::string_view s, TimePoint now);

// "SEV1 incidents 2026", "2025 outages", "Northwind 2022: who was hit?", at byte `at` of `whole`.
std::optional<TimeReading> bare_year(std::string_view whole, size_t at, TimePoint now);

}  // namespace precedent
