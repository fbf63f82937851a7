// Points in time: whole UTC seconds, read from the many spellings that exports use.
//
// Thread safety: pure functions.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace precedent {

using TimePoint = std::chrono::sys_seconds;

// Reads ISO 8601 (date, date-time, with `T` or a space, fractions, `Z`, `+02:00`, `+0200`, `UTC`)
// and the common forms of exports: `14 Mar 2023 09:12`, `March 14, 2023`, `Mar 14 2023 9:12 PM`,
// `2023/03/14`, `14.03.2023` (day first), `03/28/2023 18:40`, `14/Mar/23`, RFC 2822, ctime, and
// seconds or milliseconds since 1970 (9 digits or more, so 1973 onwards; dates in words reach from
// the year 1 to 9999). Without an offset: UTC. Fractions of a second are cut off. 24:00 and a leap
// second (…:59:60) become the second that follows; a weekday is not checked. `d/m/y` with both
// below 13 is ambiguous: refused with a message that says how to write it, rather than guessed. So
// are days that do not exist, unknown time zones, anything left over, and years of two digits
// beside a month in digits, but for `6/1/23 4:15 PM` and `14.08.23 06:20`. Errors:
// kInvalidArgument, naming the text, the reason and the remedy.
Result<TimePoint> parse_time(std::string_view text);

// 2025-01-20T14:05:00Z
std::string format_time(TimePoint time);
// 2025-01-20
std::string format_date(TimePoint time);

// Also what a date without a time of day is read as.
inline bool is_midnight(TimePoint time) {
  return std::chrono::floor<std::chrono::days>(time) == time;
}

// Half-open: from <= t < to. A missing end is open.
struct TimeRange {
  std::optional<TimePoint> from;
  std::optional<TimePoint> to;

  bool contains(TimePoint t) const { return (!from || t >= *from) && (!to || t < *to); }
  bool unbounded() const { return !from && !to; }
  bool operator==(const TimeRange&) const = default;
};

}  // namespace precedent
