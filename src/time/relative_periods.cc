#include "time/relative_periods.h"

#include <array>

#include "time/calendar.h"
#include "time/dates.h"
#include "time/named_periods.h"
#include "time/time_words.h"

namespace precedent {
namespace {

using namespace std::chrono;  // NOLINT: calendar arithmetic reads badly without

constexpr std::array<std::string_view, 7> kWeekdays = {"sun", "mon", "tue", "wed",
                                                       "thu", "fri", "sat"};
// Older than this is no date of an incident.
constexpr int kMostYears = 100;

// " of last week" behind a weekday: the Monday of that week.
struct SaidWeek {
  TimePoint monday;
  size_t length;
};

std::optional<SaidWeek> said_week(std::string_view s, TimePoint now) {
  static const RE2 kSaid("^,?\\s+(?:of\\s+)?(last|previous|this)\\s+week\\b");
  const TimeMatch m(kSaid, s);
  if (!m) return std::nullopt;
  return SaidWeek{start_of_week(now) - days(m[1] == "this" ? 0 : 7), m.length()};
}

}  // namespace

std::optional<Period> period_ago(std::string_view s, TimePoint now) {
  static const RE2 kAgo(
      "^(an?|a few|few|a couple of|couple of|[a-z]+|\\d+)\\s*"
      "(minute|min|hour|hr|h|day|d|week|fortnight|month|year)s?\\s+ago\\b");
  const TimeMatch m(kAgo, s);
  if (!m) return std::nullopt;
  const auto n = read_number(m[1]);
  if (!n) return std::nullopt;
  const TimePoint today = floor<days>(now);
  const std::string_view unit = m[2];
  if (unit.starts_with("mi")) return Period{now - minutes(*n), now, m.length()};
  if (unit.starts_with("h")) return Period{now - hours(*n), now, m.length()};
  if (*n > 366 * kMostYears) return std::nullopt;
  if (unit.starts_with("d"))
    return Period{today - days(*n), today - days(*n - 1), m.length(), true};
  if (unit == "week" || unit == "fortnight") {
    const int weeks_back = unit == "week" ? *n : 2 * *n;
    const TimePoint day = today - days(7 * weeks_back), week = start_of_week(day);
    Period calendar_week{week, week + days(7), m.length()};
    calendar_week.bound = day;
    return calendar_week;
  }
  if (*n > (unit == "month" ? 12 : 1) * kMostYears) return std::nullopt;
  if (unit == "year")
    return months_from((month_of(now).year() - years(*n)) / January, 12, m.length());
  Period period = months_from(month_of(now) - months(*n), 1, m.length());
  period.bound = months_before(today, *n);
  return period;
}

std::optional<Period> weekday_named(std::string_view s, TimePoint now) {
  static const RE2 kWeekday(
      "^(?:last\\s+|this\\s+|past\\s+)?(sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:day)"
      "?"
      "\\b");
  static const RE2 kComma("^,?\\s+(?:the\\s+)?");
  static const RE2 kTime("^,?\\s+\\d{1,2}:\\d{2}\\b");
  const TimeMatch m(kWeekday, s);
  if (!m || !ends_well(s, m.length())) return std::nullopt;
  const std::string_view after = s.substr(m.length());
  const auto part = part_behind_day(after);
  if (m.length() < 6 && !part && !TimeMatch(kTime, after)) return std::nullopt;
  if (const size_t comma = TimeMatch(kComma, after).length(); comma > 0) {
    auto date = absolute_period(after.substr(comma), now, false);
    if (date && date->day) {
      date->length += m.length() + comma;
      return date;
    }
  }
  const weekday wanted(index_of(kWeekdays, m[1]));
  const sys_days today = floor<days>(now);
  days back = weekday(today) - wanted;
  if (back == days(0)) back = days(7);
  Period day{today - back, today - back + days(1), m.length(), true};
  day.weekless = true;
  // "Thursday last week", "Thursday evening last week".
  const size_t part_length = part ? part->length : 0;
  if (const auto week = said_week(after.substr(part_length), now)) {
    day.from = week->monday + (wanted - Monday);
    day.to = day.from + days(1);
    day.weekless = false;
    if (day.from > now) return std::nullopt;
    if (part) day = part->of(day);
    day.length += week->length;
  }
  return day;
}

std::optional<Period> week_of(std::string_view s, TimePoint now) {
  static const RE2 kWeekOf("^(?:the\\s+)?week(end)?\\s+of\\s+(?:the\\s+)?");
  const TimeMatch m(kWeekOf, s);
  if (!m) return std::nullopt;
  const auto day = absolute_period(s.substr(m.length()), now, true);
  if (!day || !day->day) return std::nullopt;
  const TimePoint monday = start_of_week(day->from);
  return Period{monday + days(m.has(1) ? 5 : 0), monday + days(7), m.length() + day->length, false,
                day->yearless};
}

std::optional<Period> same_time(std::string_view s, TimePoint now) {
  static const RE2 kSame(
      "^(?:the\\s+)?same\\s+(?:time|hour|day)\\s+(?:(yesterday)|(?:last|previous)\\s+(week|month|"
      "year)|"
      "an?\\s+(day|week|month|year)\\s+ago)\\b");
  const TimeMatch m(kSame, s);
  if (!m) return std::nullopt;
  const std::string_view unit = m.has(1) ? "day" : m.has(2) ? m[2] : m[3];
  const TimePoint today = floor<days>(now);
  const TimePoint day = unit == "day"    ? today - days(1)
                        : unit == "week" ? today - days(7)
                                         : months_before(today, unit == "month" ? 1 : 12);
  return Period{day, day + days(1), m.length(), true};
}

}  // namespace precedent
