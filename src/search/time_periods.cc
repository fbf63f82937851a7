#include "search/time_periods.h"

#include <algorithm>
#include <array>

#include "search/calendar.h"
#include "search/named_periods.h"
#include "search/time_words.h"

namespace precedent {
namespace {

using namespace std::chrono;  // NOLINT: calendar arithmetic reads badly without

constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun",
                                                      "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::array<std::string_view, 7> kWeekdays = {"sun", "mon", "tue", "wed",
                                                       "thu", "fri", "sat"};
// Older than this is no date of an incident.
constexpr int kMostYears = 100;
constexpr std::array<std::string_view, 4> kOrdinals = {"first", "second", "third", "fourth"};

#define MONTH                                                                                      \
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|" \
  "oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?"
#define DAY "(\\d{1,2})(?:st|nd|rd|th)?"
#define YEAR PRECEDENT_YEAR

template <size_t N>
unsigned index_of(const std::array<std::string_view, N>& names, std::string_view word) {
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](std::string_view name) { return word.starts_with(name); });
  return static_cast<unsigned>(found - names.begin());
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

unsigned month_number(std::string_view word) { return index_of(kMonths, word) + 1; }

std::optional<Period> whole_day(int y, unsigned m, unsigned d, size_t length) {
  const year_month_day date{year(y), month(m), day(d)};
  if (!date.ok()) return std::nullopt;
  return Period{sys_days(date), sys_days(date) + days(1), length, true};
}

// The latest such day that is not in the future: people ask about the past.
int year_for(unsigned month, unsigned day, TimePoint now) {
  const year_month_day today(floor<days>(now));
  const bool ahead =
      month > static_cast<unsigned>(today.month()) ||
      (month == static_cast<unsigned>(today.month()) && day > static_cast<unsigned>(today.day()));
  return static_cast<int>(today.year()) - (ahead ? 1 : 0);
}

std::optional<Period> named_day(std::string_view month, int day, std::optional<int> year,
                                TimePoint now, size_t length) {
  const unsigned m = month_number(month), d = static_cast<unsigned>(day);
  auto period = whole_day(year ? *year : year_for(m, d, now), m, d, length);
  if (period) period->yearless = !year;
  return period;
}

// Days written in digits alone.
std::optional<Period> numeric_day(std::string_view s) {
  static const RE2 kIso("^" YEAR "[-/](\\d{1,2})[-/](\\d{1,2})");
  static const RE2 kDotted("^(\\d{1,2})\\.(\\d{1,2})\\." YEAR);
  static const RE2 kSlashed("^(\\d{1,2})/(\\d{1,2})/" YEAR);
  const auto read = [&](const TimeMatch& m, size_t y, size_t mon,
                        size_t d) -> std::optional<Period> {
    const size_t end = m.length();
    // "2025-01-20t14:30": the time of day is read by the caller.
    const bool clock_follows = s.size() > end + 1 && s[end] == 't' && is_digit(s[end + 1]);
    if (!clock_follows && !ends_well(s, end)) return std::nullopt;
    return whole_day(m.number(y), static_cast<unsigned>(m.number(mon)),
                     static_cast<unsigned>(m.number(d)), end);
  };
  if (const TimeMatch m(kIso, s); m) return read(m, 1, 2, 3);
  if (const TimeMatch m(kDotted, s); m) return read(m, 3, 2, 1);
  if (const TimeMatch m(kSlashed, s); m) {
    // 3/4/2025 is March or April, depending on who writes: not guessed, as in base/time.h.
    if (m.number(1) > 12) return read(m, 3, 2, 1);
    if (m.number(2) > 12) return read(m, 3, 1, 2);
  }
  return std::nullopt;
}

struct SaidYear {
  year value;
  size_t length;
};

// " of last year" behind a period without a year.
std::optional<SaidYear> said_year(std::string_view s, TimePoint now) {
  static const RE2 kSaid("^,?\\s+(?:(?:of|in)\\s+)?(last|previous|this)\\s+year\\b");
  const TimeMatch m(kSaid, s);
  if (!m) return std::nullopt;
  return SaidYear{month_of(now).year() - years(m[1] == "this" ? 0 : 1), m.length()};
}

std::optional<Period> quarter_or_half(std::string_view s, TimePoint now, bool after_preposition) {
  static const RE2 kQuarter("^q([1-4])(?:[\\s/-]*(?:of\\s+)?" YEAR ")?\\b");
  static const RE2 kYearQuarter("^" YEAR "[\\s/-]?q([1-4])\\b");
  static const RE2 kOrdinal("^(first|second|third|fourth)\\s+quarter\\s+of\\s+" YEAR "\\b");
  static const RE2 kHalf("^h([12])[\\s/-]*(?:of\\s+)?" YEAR "\\b");
  static const RE2 kBareHalf("^h([12])\\b");
  const auto quarter = [](int number, int y, size_t length) {
    return months_from(year(y) / month(3 * static_cast<unsigned>(number) - 2), 3, length);
  };
  const auto half = [](int number, int y, size_t length) {
    return months_from(year(y) / (number == 1 ? January : July), 6, length);
  };
  static const RE2 kFiscal("^\\s+fy");  // a year that begins elsewhere in each company
  if (const TimeMatch m(kQuarter, s);
      m && ends_well(s, m.length()) && !TimeMatch(kFiscal, s.substr(m.length()))) {
    const unsigned first = 3 * static_cast<unsigned>(m.number(1)) - 2;
    Period period =
        quarter(m.number(1), m.has(2) ? m.number(2) : year_for(first, 1, now), m.length());
    period.yearless = !m.has(2);
    return period;
  }
  if (const TimeMatch m(kYearQuarter, s); m) return quarter(m.number(2), m.number(1), m.length());
  if (const TimeMatch m(kOrdinal, s); m)
    return quarter(static_cast<int>(index_of(kOrdinals, m[1])) + 1, m.number(2), m.length());
  if (const TimeMatch m(kHalf, s); m) return half(m.number(1), m.number(2), m.length());
  // H2 is a database too, and h1 a heading.
  if (const TimeMatch m(kBareHalf, s);
      m && after_preposition &&
      (clause_ends(s.substr(m.length())) || said_year(s.substr(m.length()), now))) {
    Period period = half(m.number(1), year_for(m.number(1) == 1 ? 1 : 7, 1, now), m.length());
    period.yearless = true;
    return period;
  }
  return std::nullopt;
}

std::optional<Period> absolute_period(std::string_view s, TimePoint now, bool after_preposition) {
  static const RE2 kMonthDay("^" MONTH "\\s+" DAY "(?:,?\\s+" YEAR ")?\\b");
  static const RE2 kDayMonth("^" DAY "(?:\\s+of)?\\s+" MONTH "(?:,?\\s+" YEAR ")?\\b");
  static const RE2 kMonthYear("^" MONTH "(?:\\s+of)?,?\\s+" YEAR "\\b");
  static const RE2 kOfMonth("^(\\d{1,2})(?:st|nd|rd|th)\\s+of\\s+(last|previous|this)\\s+month\\b");
  static const RE2 kIsoMonth("^" YEAR "-(\\d{2})\\b");
  if (auto day = numeric_day(s)) return day;
  const auto year_of = [](const TimeMatch& m) {
    return m.has(3) ? std::optional<int>(m.number(3)) : std::nullopt;
  };
  // "March 3-5" goes on, and is a day all the same.
  if (const TimeMatch m(kMonthDay, s); m && ends_well(s, m.length(), "_/.:"))
    return named_day(m[1], m.number(2), year_of(m), now, m.length());
  if (const TimeMatch m(kDayMonth, s); m && ends_well(s, m.length()))
    return named_day(m[2], m.number(1), year_of(m), now, m.length());
  if (const TimeMatch m(kOfMonth, s); m) {
    const year_month there = month_of(now) - months(m[2] == "this" ? 0 : 1);
    return whole_day(static_cast<int>(there.year()), static_cast<unsigned>(there.month()),
                     static_cast<unsigned>(m.number(1)), m.length());
  }
  if (const TimeMatch m(kMonthYear, s); m && ends_well(s, m.length()))
    return months_from(year(m.number(2)) / month(month_number(m[1])), 1, m.length());
  if (auto period = quarter_or_half(s, now, after_preposition)) return period;
  if (const TimeMatch m(kIsoMonth, s); m && ends_well(s, m.length())) {
    const year_month value = year(m.number(1)) / month(static_cast<unsigned>(m.number(2)));
    if (value.ok()) return months_from(value, 1, m.length());
  }
  return std::nullopt;
}

// "3 days ago" is that day, "two weeks ago" the calendar week then, "2 hours ago" the time since.
// As the end of a range a week or month ago is the day itself.
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

// "Friday", "last Tuesday": the latest one before today; "Thursday last week"; "Friday, 6 November".
// "mon" and "sat" are words of their own too: only before a part of the day or a time.
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

// What makes 2000 an amount: "for 2000 ms", "of 2048 connections".
bool counts_something(std::string_view after) {
  static const RE2 kUnit(
      "^\\s*(?:(?:to|and|or|-)\\s*\\d+\\s*)?(?:%|ms|s|sec|seconds?|minutes?|hours?|days?|[kmgt]i?b|"
      "bytes|requests?|reqs?|rps|qps|"
      "tps|errors?|users?|connections?|rows?|records?|events?|messages?|times|lines?|pods?|nodes?|"
      "threads?|transactions?|payments?|merchants?|customers?|items?|files?|entries|timeouts?|"
      "retries|concurrent)\\b");
  return static_cast<bool>(TimeMatch(kUnit, after));
}

// "October vs November", "March last year": what is too short alone is sure beside its like.
bool sure_month(std::string_view s, TimePoint now) {
  static const RE2 kMonth("^" MONTH "\\b");
  static const RE2 kAnother(
      "^\\s*(?:vs\\.?|versus|and|or|with|to|through|than|against|compared\\s+(?:to|with)|-|–|—)"
      "\\s*" MONTH "\\b");
  const TimeMatch m(kMonth, s);
  // "may" and "march" are verbs: "it may last years".
  if (!m || m[1] == "may") return false;
  const std::string_view after = s.substr(m.length());
  return said_year(after, now) || (m[1] != "march" && TimeMatch(kAnother, after));
}

std::optional<Period> bare_period(std::string_view s, TimePoint now) {
  static const RE2 kMonth("^" MONTH "\\b");
  static const RE2 kYear("^" YEAR "\\b");
  if (const TimeMatch m(kMonth, s); m && ends_well(s, m.length())) {
    const unsigned number = month_number(m[1]);
    Period period = months_from(year(year_for(number, 1, now)) / month(number), 1, m.length());
    period.yearless = true;
    return period;
  }
  if (const TimeMatch m(kYear, s);
      m && ends_well(s, m.length()) && !counts_something(s.substr(m.length()))) {
    return months_from(year(m.number(1)) / January, 12, m.length());
  }
  return std::nullopt;
}

// "mid-October", "late September": the whole month.
std::optional<Period> vague_month(std::string_view s, TimePoint now) {
  static const RE2 kVague("^(?:early|late|mid)[\\s-]+");
  static const RE2 kMonth("^" MONTH "\\b");
  const size_t length = TimeMatch(kVague, s).length();
  if (length == 0) return std::nullopt;
  const std::string_view rest = s.substr(length);
  const TimeMatch m(kMonth, rest);
  if (!m || m[1] == "may") return std::nullopt;
  auto found = absolute_period(rest, now, true);
  if (!found) found = bare_period(rest, now);
  if (found) found->length += length;
  return found;
}

// "the week of March 3": Monday to Monday around that day; "the weekend of March 3".
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

// "same time last week": that whole day, because a moment alone means its day.
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

std::optional<Period> whole_period(std::string_view s, TimePoint now, bool after_preposition) {
  auto found = absolute_period(s, now, after_preposition);
  if (!found) found = week_of(s, now);
  if (!found) found = calendar_words(s, now);
  if (!found) found = part_of_today(s, now);
  if (!found) found = period_ago(s, now);
  if (!found) found = feast_day(s, now);
  if (!found) found = season(s, now, after_preposition);
  if (!found) found = weekday_named(s, now);
  if (!found) found = same_time(s, now);
  if (!found) found = vague_month(s, now);
  if (!found && (after_preposition || sure_month(s, now))) found = bare_period(s, now);
  if (!found || !found->yearless) return found;
  if (const auto said = said_year(s.substr(found->length), now)) {
    found = in_year(*found, said->value);
    found->yearless = false;
    found->length += said->length;
  }
  return found;
}

// "Friday night", "the evening of March 4", "Thursday morning last week".
std::optional<Period> part_of_day(std::string_view s, TimePoint now, bool after_preposition) {
  if (const auto part = part_before_day(s)) {
    auto day = whole_period(s.substr(part->length), now, true);
    if (!day || !day->day) return std::nullopt;
    return part->of(*day);
  }
  auto day = whole_period(s, now, after_preposition);
  if (!day || !day->day) return day;
  const auto part = part_behind_day(s.substr(day->length));
  return part ? part->of(*day) : day;
}

// "this year" and "the year" end now, but their halves are the calendar's.
std::optional<Period> current_unit(std::string_view s, TimePoint now) {
  static const RE2 kUnit("^(?:this|the)\\s+(year|quarter|month|week)\\b");
  const TimeMatch m(kUnit, s);
  if (!m || !ends_well(s, m.length())) return std::nullopt;
  if (m[1] == "year") return months_from(month_of(now).year() / January, 12, m.length());
  if (m[1] == "quarter") return months_from(quarter_of(now), 3, m.length());
  if (m[1] == "month") return months_from(month_of(now), 1, m.length());
  return Period{start_of_week(now), start_of_week(now) + days(7), m.length()};
}

// "first" and "last" of a period: so many days, weeks or months at one of its ends.
Period cut_to(Period whole, bool first, int count, std::string_view unit) {
  if (unit == "month") {
    const year_month month = month_of(first ? whole.from : whole.to);
    (first ? whole.to : whole.from) =
        first_of(first ? month + months(count) : month - months(count));
  } else {
    const days width((unit == "week" ? 7 : 1) * count);
    (first ? whole.to : whole.from) = first ? whole.from + width : whole.to - width;
  }
  return whole;
}

Period half_of(Period whole, bool first) {
  const days width = floor<days>(whole.to - whole.from);
  const TimePoint middle = width > days(360) ? first_of(month_of(whole.from) + months(6))
                           : width > days(1) ? whole.from + days(width.count() / 2)
                                             : whole.from + hours(12);
  (first ? whole.to : whole.from) = middle;
  return whole;
}

// Of a year or a quarter: a month. Of a month: ten days, or what the end has after two times ten.
// Of a week: two days.
Period edge_of(Period whole, bool beginning) {
  const days width = floor<days>(whole.to - whole.from);
  whole.bound = beginning ? whole.from : whole.to;
  if (width > days(31)) return cut_to(whole, beginning, 1, "month");
  if (width > days(7))
    return cut_to(whole, beginning, beginning ? 10 : static_cast<int>(width.count()) - 20, "day");
  return width > days(2) ? cut_to(whole, beginning, 2, "day") : whole;
}

// "first half of September", "the end of last year", "last two weeks of October".
std::optional<Period> part_of_period(std::string_view s, TimePoint now) {
  static const RE2 kPart(
      "^(?:the\\s+)?(?:(first|second|last)\\s+half|(beginning|start)|(end)|"
      "(first|last)\\s+(?:(\\d+|[a-z]+)\\s+)?(day|week|month)s?)\\s+of\\s+");
  const TimeMatch m(kPart, s);
  if (!m) return std::nullopt;
  const std::string_view inner = s.substr(m.length());
  auto whole = current_unit(inner, now);
  // "What runs at the end of the month?" is a habit.
  if (whole && inner.starts_with("the") && !m.has(2)) return std::nullopt;
  static const RE2 kArticle("^(?:the\\s+)?(?:month\\s+of\\s+|year\\s+)?");
  const size_t article = whole ? 0 : TimeMatch(kArticle, inner).length();
  if (!whole) whole = part_of_day(inner.substr(article), now, true);
  if (!whole) return std::nullopt;
  Period part;
  if (m.has(1)) {
    part = half_of(*whole, m[1] == "first");
  } else if (m.has(6)) {
    static constexpr int kMost = 366;
    const auto count = m.has(5) ? read_number(m[5]) : 1;
    if (!count || *count < 1 || *count > kMost) return std::nullopt;
    part = cut_to(*whole, m[4] == "first", *count, m[6]);
  } else {
    part = edge_of(*whole, m.has(2));
  }
  if (part.from < whole->from || part.to > whole->to || part.from > now) return std::nullopt;
  part.day = false;
  part.length += m.length() + article;
  return part;
}

std::optional<Period> any_period(std::string_view s, TimePoint now, bool after_preposition) {
  auto found = part_of_period(s, now);
  if (!found) found = part_of_day(s, now, after_preposition);
  // "This evening" of a day that is not so far.
  if (found && found->to <= found->from) return std::nullopt;
  return found;
}

}  // namespace

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

std::optional<Period> read_period(std::string_view lower, TimePoint now, bool after_preposition) {
  if (auto found = any_period(lower, now, after_preposition)) return found;
  if (!after_preposition) return std::nullopt;
  static const RE2 kArticle(
      "^(?:the\\s+)?(?:(?:month|middle)\\s+of\\s+|year\\s+|early\\s+|late\\s+|mid[\\s-]+)?"
      "(?:the\\s+)?");
  const TimeMatch article(kArticle, lower);
  if (article.length() == 0) return std::nullopt;
  auto found = any_period(lower.substr(article.length()), now, true);
  if (found) found->length += article.length();
  return found;
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
