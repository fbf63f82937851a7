#include "time/named_periods.h"

#include <algorithm>

#include "time/calendar.h"
#include "time/time_words.h"

namespace precedent {
namespace {

using namespace std::chrono;  // NOLINT: calendar arithmetic reads badly without

// "of last year" behind a name without a year.
#define YEAR_SAID \
  "(?:\\s*,?\\s+(?:(?:in|of)\\s+)?(?:" PRECEDENT_YEAR "|(last|previous|this)\\s+year))"

std::optional<year> said_year(const TimeMatch& m, size_t digits, TimePoint now) {
  if (m.has(digits)) return year(m.number(digits));
  if (!m.has(digits + 1)) return std::nullopt;
  return month_of(now).year() - years(m[digits + 1] == "this" ? 0 : 1);
}

sys_days feast_in(std::string_view feast, year y) {
  // The fourth Thursday of November, and what hangs on it.
  const sys_days thanksgiving = y / November / Thursday[4];
  if (feast == "thanksgiving") return thanksgiving;
  if (feast == "black friday") return thanksgiving + days(1);
  if (feast == "cyber monday") return thanksgiving + days(4);
  if (feast == "halloween") return y / October / 31;
  if (feast == "boxing day") return y / December / 26;
  if (feast.starts_with("christmas")) return y / December / (feast.ends_with("eve") ? 24 : 25);
  return feast.ends_with("eve") ? sys_days(y / December / 31) : sys_days(y / January / 1);
}

// The first month of a season: "winter" begins in the December of its year.
month season_start(std::string_view name) {
  if (name == "spring") return March;
  if (name == "summer") return June;
  if (name == "winter") return December;
  return September;
}

DayPart part_named(std::string_view name, bool early, size_t length) {
  if (name.ends_with("hours")) return {hours(0), hours(6), length};
  if (name == "morning") return {hours(early ? 0 : 6), hours(early ? 9 : 12), length};
  if (name == "afternoon") return {hours(12), hours(18), length};
  if (name == "evening") return {hours(18), hours(24), length};
  return {hours(18), hours(30), length};
}

}  // namespace

std::optional<Period> calendar_words(std::string_view s, TimePoint now) {
  const TimePoint today = floor<days>(now);
  const TimePoint week = start_of_week(now);
  const year_month month_now = month_of(now), quarter = quarter_of(now);
  const year year_now = month_now.year();
  const TimePoint month_start = first_of(month_now), year_start = first_of(year_now);
  const TimePoint last_month = first_of(month_now - months(1));
  const TimePoint last_year = first_of(year_now - years(1));
  struct Named {
    std::string_view words;
    TimePoint from, to;
    bool day = false;
  };
  // The longest of several that fit stands first.
  const Named kNamed[] = {
      {"today", today, now, true},
      {"the day before yesterday", today - days(2), today - days(1), true},
      {"day before yesterday", today - days(2), today - days(1), true},
      {"yesterday", today - days(1), today, true},
      {"this week", week, now},
      {"the week before last", week - days(14), week - days(7)},
      {"week before last", week - days(14), week - days(7)},
      {"last week", week - days(7), week},
      {"previous week", week - days(7), week},
      {"last weekend", week - days(2), week},
      {"past weekend", week - days(2), week},
      {"the weekend", week - days(2), week},
      {"this month", month_start, now},
      {"last month", last_month, month_start},
      {"previous month", last_month, month_start},
      {"this quarter", first_of(quarter), now},
      {"last quarter", first_of(quarter - months(3)), first_of(quarter)},
      {"previous quarter", first_of(quarter - months(3)), first_of(quarter)},
      {"this year", year_start, now},
      {"last year", last_year, year_start},
      {"previous year", last_year, year_start},
  };
  for (const Named& named : kNamed) {
    if (!s.starts_with(named.words) || !ends_well(s, named.words.size(), "")) continue;
    return Period{named.from, named.to, named.words.size(), named.day};
  }
  return std::nullopt;
}

std::optional<Period> feast_day(std::string_view s, TimePoint now) {
  static const RE2 kFeast(
      "^(?:last\\s+|this\\s+)?(thanksgiving|black friday|cyber monday|halloween|christmas eve|"
      "christmas(?: day)?|boxing day|new year['’]?s? eve|new year['’]?s?(?: day)?)" YEAR_SAID
      "?\\b");
  const TimeMatch m(kFeast, s);
  if (!m || !ends_well(s, m.length())) return std::nullopt;
  const auto said = said_year(m, 2, now);
  sys_days day = feast_in(m[1], said ? *said : month_of(now).year());
  if (!said && day > now) day = feast_in(m[1], month_of(now).year() - years(1));
  return Period{day, day + days(1), m.length(), true, !said};
}

std::optional<Period> season(std::string_view s, TimePoint now, bool after_preposition) {
  static const RE2 kOfYear("^(?:the\\s+)?(spring|summer|autumn|fall)" YEAR_SAID "\\b");
  static const RE2 kWinter("^(?:the\\s+)?winter(?:\\s+of)?\\s+" PRECEDENT_YEAR
                           "\\s*[/–-]\\s*(?:20)?(\\d{2})\\b");
  static const RE2 kLatest("^(last\\s+|the\\s+)?(spring|summer|autumn|winter)\\b");
  const auto months_of = [](month first, year y, size_t length) {
    return months_from(y / first, 3, length);
  };
  if (const TimeMatch m(kOfYear, s); m && ends_well(s, m.length())) {
    // "Spring 2025" and "fall 2025" may be a release and a verb: only "in spring 2025".
    const bool sure = m[1] == "summer" || m[1] == "autumn" || after_preposition ||
                      s.substr(m[1].size(), 4) == " of ";
    if (sure) return months_of(season_start(m[1]), *said_year(m, 2, now), m.length());
  }
  if (const TimeMatch m(kWinter, s);
      m && ends_well(s, m.length()) && (m.number(1) + 1) % 100 == m.number(2)) {
    return months_of(December, year(m.number(1)), m.length());
  }
  const TimeMatch m(kLatest, s);
  if (!m || !no_noun_follows(s.substr(m.length()))) return std::nullopt;
  const bool last = m[1].starts_with("last");
  const bool names_one = after_preposition || m.has(1);
  if (!last && !(names_one && (m[2] == "summer" || m[2] == "winter"))) return std::nullopt;
  Period period = months_of(season_start(m[2]), month_of(now).year(), m.length());
  // The last season is over; "in the summer" may still be going on.
  if ((last ? period.to : period.from) > now)
    period = months_of(season_start(m[2]), month_of(now).year() - years(1), m.length());
  if (last && period.to > now)
    period = months_of(season_start(m[2]), month_of(now).year() - years(2), m.length());
  return period;
}

Period DayPart::of(Period day) const {
  const TimePoint midnight = day.day_start();
  // Today ends now.
  const bool cut = day.to < midnight + days(1);
  day.to = cut ? std::min(day.to, midnight + to) : midnight + to;
  day.from = midnight + from;
  day.length += length;
  return day;
}

std::optional<DayPart> part_before_day(std::string_view s) {
  static const RE2 kBefore(
      "^(?:the\\s+)?(?:(early)\\s+|late\\s+)?(morning|afternoon|evening|night|(?:early|small) "
      "hours)\\s+"
      "of\\s+(?:the\\s+)?");
  const TimeMatch m(kBefore, s);
  if (!m) return std::nullopt;
  return part_named(m[2], m.has(1), m.length());
}

std::optional<DayPart> part_behind_day(std::string_view s) {
  static const RE2 kBehind(
      "^,?\\s+(?:in\\s+the\\s+|at\\s+)?(?:(early)\\s+|late\\s+)?(morning|afternoon|evening|night)"
      "\\b");
  const TimeMatch m(kBehind, s);
  if (!m || !ends_well(s, m.length())) return std::nullopt;
  return part_named(m[2], m.has(1), m.length());
}

std::optional<Period> part_of_today(std::string_view s, TimePoint now) {
  static const RE2 kThis("^(?:(early)\\s+|late\\s+)?this\\s+(morning|afternoon|evening)\\b");
  static const RE2 kLastNight("^(?:last\\s+(night|evening)|(overnight))\\b");
  static const RE2 kTonight("^tonight\\b");
  const TimePoint today = floor<days>(now);
  // Of the evening that has come, or that the small hours follow; at noon it is still to come.
  if (const TimeMatch m(kTonight, s); m && ends_well(s, m.length())) {
    const bool small_hours = now < today + hours(6);
    const TimePoint evening = small_hours ? today - hours(6) : today + hours(18);
    if (evening > now) return std::nullopt;
    return Period{evening, now, m.length()};
  }
  if (const TimeMatch m(kThis, s); m && ends_well(s, m.length())) {
    DayPart part = part_named(m[2], m.has(1), m.length());
    // Before six it is morning since midnight.
    if (m[2] == "morning" && today + part.from > now) part.from = hours(0);
    if (today + part.from > now) return std::nullopt;
    return part.of({today, now, 0, true});
  }
  if (const TimeMatch m(kLastNight, s); m && ends_well(s, m.length())) {
    // "The overnight export" is a kind of export.
    if (m.has(2) && !no_noun_follows(s.substr(m.length()))) return std::nullopt;
    return part_named(m.has(2) ? "night" : m[1], false, m.length())
        .of({today - days(1), today, 0, true});
  }
  return std::nullopt;
}

}  // namespace precedent
