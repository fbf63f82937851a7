// Numerals: the spellings of numbers, times of day and dates that need no word beside them.
//
// Thread safety: pure functions. All take text in lower case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/ascii.h"
#include "grounding/text/tokens.h"

namespace precedent {

// The value of `count` digits from `at`; none if one of them is no digit.
std::optional<uint32_t> digits(std::string_view text, size_t at, size_t count);

// The hour of a day from one of a half day: 7 "pm" is 19; any other mark changes nothing.
uint32_t of_half_day(uint32_t hour, std::string_view mark);

// h:mm or hh:mm, perhaps :ss, perhaps fractions and a zone, which are left out; perhaps am or pm.
// In seconds.
std::optional<uint32_t> time_of_day(std::string_view text);

// Of a time with a zone: "+02:00", "-0500" or "+1" at its end, in minutes ahead of UTC; 0 without
// one.
int16_t zone_offset(std::string_view time);

// 2026-11-18, whatever follows.
std::optional<CalendarDate> iso_date(std::string_view text);

struct Number {
  double value = 0, step = 1;  // as in Quantity
  size_t length = 0;           // bytes
};
// Digits, perhaps with a sign and decimals. None if it goes on like a version: 2.31.0.
std::optional<Number> leading_number(std::string_view text);

}  // namespace precedent
