#include "base/time.h"

#include <fmt/format.h>

namespace precedent {

std::string format_date(TimePoint time) {
  const std::chrono::year_month_day date(std::chrono::floor<std::chrono::days>(time));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

std::string format_time(TimePoint time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format("{}T{:02}:{:02}:{:02}Z", format_date(time), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count());
}

}  // namespace precedent
