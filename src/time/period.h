// A period: a stretch of the calendar that a text names ("March 4", "last week", "Friday night").
//
// Thread safety: a value and pure functions.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "base/time.h"
#include "time/clock_time.h"

namespace precedent {

struct Period {
  TimePoint from, to;     // half-open
  size_t length = 0;      // bytes read
  bool day = false;       // one calendar day, which a time of day may narrow
  bool yearless = false;  // "March 4": the year was guessed; another date may know it better
  bool weekless = false;  // "Friday": the week was guessed
  // Where a range that this period bounds begins or ends, if not at `from` or `to`: "since the end
  // of March", "since two weeks ago".
  std::optional<TimePoint> bound = std::nullopt;

  TimePoint day_start() const { return std::chrono::floor<std::chrono::days>(from); }
  // A time of day on this day; of a part of a day, in that part: "9:30 last night" is 21:30.
  TimePoint at(const ClockTime& clock) const;
};

// So many whole months.
Period months_from(std::chrono::year_month first, int count, size_t length);

// The same days and months of another year.
Period in_year(Period period, std::chrono::year year);

}  // namespace precedent
