#include "time/period.h"

#include "time/calendar.h"

namespace precedent {

using namespace std::chrono;  // NOLINT: calendar arithmetic reads badly without

TimePoint Period::at(const ClockTime& clock) const {
  const TimePoint midnight = day_start();
  // "9:30 last night", "2:00 last night", "7:30 yesterday evening".
  for (const minutes later : {minutes(0), minutes(hours(12)), minutes(hours(24))}) {
    if (later == hours(12) && !clock.either_half) continue;
    const TimePoint there = midnight + clock.since_midnight + later;
    if (there >= from && there < to) return midnight + clock.utc() + later;
  }
  return midnight + clock.utc();
}

Period months_from(year_month first, int count, size_t length) {
  return {first_of(first), first_of(first + months(count)), length};
}

Period in_year(Period period, year wanted) {
  const auto moved = [&](TimePoint t, int by) {
    const sys_days day = floor<days>(t);
    const year_month_day date(day);
    year_month_day there{date.year() + years(by), date.month(), date.day()};
    if (!there.ok()) there = there.year() / there.month() / last;  // 29 February
    return sys_days(there) + (t - day);
  };
  const int by = static_cast<int>(wanted) - static_cast<int>(month_of(period.from).year());
  period.from = moved(period.from, by);
  period.to = moved(period.to, by);
  return period;
}

}  // namespace precedent
