#include "time/range_ends.h"

#include "time/calendar.h"
#include "time/time_periods.h"
#include "time/time_words.h"

namespace precedent {
namespace {

using namespace std::chrono;  // NOLINT: calendar arithmetic reads badly without

size_t separators(std::string_view s) {
  const size_t end = s.find_first_not_of(" ,\t\n");
  return end == std::string_view::npos ? s.size() : end;
}

// "14:30", "14:30 on March 4".
std::optional<RangeEnd> clock_end(std::string_view s, TimePoint now) {
  const auto clock = read_clock(s);
  if (!clock) return std::nullopt;
  RangeEnd end{clock->length, std::nullopt, clock, std::nullopt};
  static const RE2 kOn("^[\\s,]*(?:(?:on|of)\\s+(?:the\\s+)?)?");
  const size_t at = clock->length + TimeMatch(kOn, s.substr(clock->length)).length();
  if (auto day = read_period(s.substr(at), now, false); day && day->day) {
    end.length = at + day->length;
    end.period = *day;
  }
  return end;
}

// "after 17:00", "before noon", behind a day.
std::optional<RangeEnd> side_of_day(std::string_view s, Period day) {
  static const RE2 kSide("^(?:(after|since)|before|until)\\s+(?:about\\s+|around\\s+)?");
  const TimeMatch m(kSide, s);
  if (!m) return std::nullopt;
  const auto clock = read_clock(s.substr(m.length()));
  if (!clock) return std::nullopt;
  const TimePoint moment = day.at(*clock);
  if (moment <= day.from || moment >= day.to) return std::nullopt;
  (m.has(1) ? day.from : day.to) = moment;
  return RangeEnd{m.length() + clock->length, day, std::nullopt, std::nullopt};
}

std::optional<RangeEnd> day_of_month_end(const RE2& pattern, std::string_view s) {
  const TimeMatch m(pattern, s);
  const auto day = m ? read_number(m[1]) : std::nullopt;
  if (!day || *day < 1 || *day > 31) return std::nullopt;
  return RangeEnd{m.length(), std::nullopt, std::nullopt, static_cast<unsigned>(*day)};
}

}  // namespace

const RE2& lead_words() {
  static const RE2 kLead(
      "^(?:(?:between|from|within|during|over|in|on|of|at|around|about|for|the|a|same|specified|"
      "given|following|exact|\\d+[-\\s](?:minute|hour|day)|time|timeframe|range|window|period|"
      "interval|frame|span)\\s+){0,8}");
  return kLead;
}

TimeRange whole_of(const RangeEnd& end) {
  const Period& period = *end.period;
  if (!end.clock || !end.clock->zone || period.to - period.from != days(1))
    return {period.from, period.to};
  const TimePoint day = floor<days>(end.from());
  return {day, day + days(1)};
}

std::optional<RangeEnd> read_end(std::string_view s, TimePoint now, bool after_preposition) {
  if (auto end = clock_end(s, now)) return end;
  return period_end(s, now, after_preposition);
}

std::optional<RangeEnd> period_end(std::string_view s, TimePoint now, bool after_preposition) {
  const auto period = read_period(s, now, after_preposition);
  if (!period) return std::nullopt;
  RangeEnd end{.length = period->length};
  end.period = period;
  if (!period->day) return end;
  size_t at = period->length + separators(s.substr(period->length));
  if (auto side = side_of_day(s.substr(at), *period)) {
    side->length += at;
    return side;
  }
  const bool after_t = s.substr(at).starts_with("t") && at == period->length;
  at += after_t ? 1 : TimeMatch(lead_words(), s.substr(at)).length();
  if (const auto clock = read_clock(s.substr(at), after_t)) {
    end.length = at + clock->length;
    end.clock = clock;
  }
  return end;
}

std::optional<RangeEnd> bare_day_end(std::string_view s) {
  static const RE2 kDay("^(?:the\\s+)?(\\d{1,2})(?:st|nd|rd|th)?\\b");
  return day_of_month_end(kDay, s);
}

std::optional<RangeEnd> ordinal_day_end(std::string_view s, bool may_go_on) {
  static const RE2 kOrdinal("^(?:the\\s+)?(\\d{1,2})(?:st|nd|rd|th)\\b");
  auto end = day_of_month_end(kOrdinal, s);
  if (!end || !(may_go_on || clause_ends(s.substr(end->length)))) return std::nullopt;
  return end;
}

std::optional<Period> latest_day(unsigned wanted, TimePoint latest, size_t length) {
  const year_month this_month = month_of(latest);
  // Of three months in a row at least two have a 31st.
  for (int back = 0; back < 3; ++back) {
    const year_month_day date = (this_month - months(back)) / day(wanted);
    if (date.ok() && sys_days(date) <= latest)
      return Period{sys_days(date), sys_days(date) + days(1), length, true};
  }
  return std::nullopt;
}

std::optional<RangeEnd> present_end(std::string_view s, TimePoint now) {
  static const RE2 kNow("^(?:now|the present|present|date)\\b");
  const size_t length = TimeMatch(kNow, s).length();
  if (length == 0) return std::nullopt;
  return RangeEnd{length, Period{now, now, length}, std::nullopt, std::nullopt};
}

Period day_of_clock(const ClockTime& clock, TimePoint now) {
  // In the west of UTC the day of the clock may be the one before, in the east the one after.
  TimePoint day = floor<days>(now) + days(1);
  while (day + clock.utc() > now) day -= days(1);
  return {day, day + days(1), 0, true};
}

}  // namespace precedent
