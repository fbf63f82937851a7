// Days, weeks, months and years of the calendar as ranges of time, for those who read times. UTC.
// Thread safety: pure functions.
#pragma once

#include <chrono>

#include "base/time.h"

namespace precedent {

// Four digits are a year only in this and the last century: 8080 is a port, 4040 a count.
#define PRECEDENT_YEAR "((?:19|20)\\d{2})"

inline TimePoint start_of_week(TimePoint t) {
  const std::chrono::sys_days day = std::chrono::floor<std::chrono::days>(t);
  return day - (std::chrono::weekday(day) - std::chrono::Monday);
}

inline std::chrono::year_month month_of(TimePoint t) {
  const std::chrono::year_month_day date(std::chrono::floor<std::chrono::days>(t));
  return date.year() / date.month();
}

inline std::chrono::year_month quarter_of(TimePoint t) {
  const std::chrono::year_month month = month_of(t);
  return month - std::chrono::months((static_cast<unsigned>(month.month()) - 1) % 3);
}

inline TimePoint first_of(std::chrono::year_month month) {
  return std::chrono::sys_days(month / 1);
}
inline TimePoint first_of(std::chrono::year y) { return first_of(y / std::chrono::January); }

// The same time of day as many months before, on the last of a month that is too short.
inline TimePoint months_before(TimePoint t, int count) {
  const std::chrono::sys_days day = std::chrono::floor<std::chrono::days>(t);
  const std::chrono::year_month_day date(day);
  std::chrono::year_month_day there = date - std::chrono::months(count);
  if (!there.ok()) there = there.year() / there.month() / std::chrono::last;
  return std::chrono::sys_days(there) + (t - day);
}

}  // namespace precedent
