// What a reader of times found at the beginning of a text.
#pragma once

#include <cstddef>
#include <optional>

#include "base/time.h"

namespace precedent {

struct TimeReading {
  size_t length = 0;  // bytes read
  TimeRange range;
  std::optional<int> days = std::nullopt;  // as in TimeHint
};

}  // namespace precedent
