// The part of the lexer that reads dates and times of day: "2026-11-18T08:52:00Z", "18 November
// 2026", "the 17th", "07:00-19:00", "half past four", "six in the morning". Internal to text/.
//
// Thread safety: pure function.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "grounding/text/raw_tokens.h"

namespace precedent {

struct DateReading {
  struct Time {
    uint32_t second = 0;  // of the day
    int16_t zone = 0;     // minutes ahead of UTC
  };
  size_t last = 0;  // the raw token that it ends with
  std::optional<CalendarDate> date;
  std::array<Time, 2> time = {};
  size_t times = 0;  // of `time`; two are a span
};

// What begins at raw token `at`, which is no break; none if it is neither a date nor a time.
std::optional<DateReading> read_date(const RawText& text, size_t at);

}  // namespace precedent
