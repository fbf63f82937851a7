// Windows that are counted in units: "last 7 days", "has been failing for 3 hours", "the 30 days
// before". They roll: they end now, or where another window begins.
//
// Texts are lower case; linear in what is read. Thread safety: pure functions.
#pragma once

#include <optional>
#include <string_view>

#include "time/time_reading.h"

namespace precedent {

// "in the last 12 months" (of the calendar), "the past fortnight", "last half hour", "since 2
// hours".
std::optional<TimeReading> counted_window(std::string_view s, TimePoint now);

// "has been failing for 3 days": a window only where the words before say that it still lasts, and
// that it is no setting ("has been kept for 3 days"). `before` is the text up to `s`.
std::optional<TimeReading> lasting_window(std::string_view before, std::string_view s,
                                          TimePoint now);

// "the 30 days before", behind a window that begins at `other`: as many days up to there.
std::optional<TimeReading> window_before(std::string_view s, TimePoint other);

}  // namespace precedent
