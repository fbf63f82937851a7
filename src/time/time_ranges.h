// Ranges between two ends ("from March 3 to 5, 2025", "14:30-15:00 on 2025-01-20") and with one
// ("since yesterday", "before March", "in January").
//
// All texts are lower case; linear in what is read. Thread safety: pure functions.
#pragma once

#include <optional>
#include <string_view>

#include "time/time_reading.h"

namespace precedent {

std::optional<TimeReading> two_ended(std::string_view s, TimePoint now);

std::optional<TimeReading> one_ended(std::string_view s, TimePoint now);

}  // namespace precedent
