// Times in a question → ranges: "last 7 days", "since yesterday", "in January 2025", "between 3 and
// 5 March", "on March 4, 2021, from 14:30 to 15:00".
//
// Rules only. Relative words are resolved against `now`. Calendar words mean the calendar ("last
// week" is Monday to Monday, "last month" the month before); counted words roll ("last 7 days" ends
// now). Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace precedent {

struct TimeHint {
  std::string text;           // as written
  size_t begin = 0, end = 0;  // bytes in the question
  TimeRange range;
  std::optional<int> days;  // for counted windows that end now: the window in days, rounded up
};

// In order of appearance, not overlapping. Dates inside incident ids are not hints.
std::vector<TimeHint> find_time_hints(std::string_view question, TimePoint now);

// The intersection of all hints; unbounded if there are none.
TimeRange intersection(const std::vector<TimeHint>& hints);

}  // namespace precedent
