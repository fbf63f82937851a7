// A time of day at the beginning of a text: "14:30", "2:30 pm", "2pm", "8 in the evening", "noon",
// with or without a time zone.
//
// Texts are lower case; linear in what is read. Thread safety: pure functions.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>

namespace precedent {

struct ClockTime {
  enum class Half { kNone, kAm, kPm };

  std::chrono::minutes since_midnight{0};    // where the clock hangs; 24:00 is 1440
  size_t length = 0;                         // bytes read
  Half half = Half::kNone;                   // "am", "in the evening", as said
  bool either_half = false;                  // "3:30" of nothing else may be the afternoon's
  std::optional<std::chrono::minutes> zone;  // east of UTC, if said

  // Negative, or past 24 h, where the zone moves it to another day.
  std::chrono::minutes utc() const {
    return since_midnight - zone.value_or(std::chrono::minutes(0));
  }
};

// `after_t`: the time follows the "T" of an ISO 8601 date, so that "-05:00" is an offset, not the
// other end of a range. A bare hour is a time only where its half of the day stands behind the
// other end: "3 and 5 pm", "8-9 in the evening". Zones: UTC, GMT, Z, offsets, those of RFC 5322
// §4.3 (EST … PDT), and BST (British), IST (Indian), CET, CEST, EET, EEST, MSK, SGT, JST, AEST,
// AEDT. A zone that depends on the season or the place ("ET", "local time") is no time at all.
std::optional<ClockTime> read_clock(std::string_view lower, bool after_t = false);

// "between 3 and 5 pm", "from 14:00 to 15:00 CET": what was said of one end holds for both.
void agree_on_clock(ClockTime& left, ClockTime& right);

}  // namespace precedent
