#include "search/time_periods.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <string>

namespace precedent {
namespace {

using namespace std::chrono;  // NOLINT: calendar arithmetic reads badly without

constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun",
                                                      "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::array<std::string_view, 7> kWeekdays = {"sun", "mon", "tue", "wed",
                                                       "thu", "fri", "sat"};
constexpr std::array<std::string_view, 13> kNumbers = {"zero", "one",    "two",   "three", "four",
                                                       "five", "six",    "seven", "eight", "nine",
                                                       "ten",  "eleven", "twelve"};
constexpr std::array<std::string_view, 4> kOrdinals = {"first", "second", "third", "fourth"};

#define MONTH                                                                                      \
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|" \
  "oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?"
#define DAY "(\\d{1,2})(?:st|nd|rd|th)?"
// Four digits are a year only in this and the last century: 8080 is a port, 4040 a count.
#define YEAR "((?:19|20)\\d{2})"

bool is_alnum(char c) { return isalnum(static_cast<unsigned char>(c)) != 0; }

// The groups of one match at the beginning of a text.
class Match {
 public:
  Match(const RE2& pattern, std::string_view text) {
    const re2::StringPiece input(text.data(), text.size());
    const int groups = pattern.NumberOfCapturingGroups() + 1;
    matched_ = pattern.Match(input, 0, input.size(), RE2::ANCHOR_START, groups_.data(), groups);
  }
  explicit operator bool() const { return matched_; }
  std::string_view operator[](size_t group) const {
    return {groups_[group].data(), groups_[group].size()};
  }
  bool has(size_t group) const { return !groups_[group].empty(); }
  int number(size_t group) const { return *read_number((*this)[group]); }
  size_t length() const { return groups_[0].size(); }

 private:
  std::array<re2::StringPiece, 8> groups_;
  bool matched_;
};

template <size_t N>
unsigned index_of(const std::array<std::string_view, N>& names, std::string_view word) {
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](std::string_view name) { return word.starts_with(name); });
  return static_cast<unsigned>(found - names.begin());
}

unsigned month_number(std::string_view word) { return index_of(kMonths, word) + 1; }

TimePoint start_of_week(TimePoint t) {
  const sys_days day = floor<days>(t);
  return day - (weekday(day) - Monday);
}

year_month month_of(TimePoint t) {
  const year_month_day date(floor<days>(t));
  return date.year() / date.month();
}

TimePoint first_of(year_month month) { return sys_days(month / 1); }
TimePoint first_of(year y) { return sys_days(y / January / 1); }

Period months_from(year_month first, int count, size_t length) {
  return {first_of(first), first_of(first + months(count)), length};
}

Period whole_year(year y, size_t length) { return {first_of(y), first_of(y + years(1)), length}; }

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

// What follows must not make the digits part of something longer: "2025-01-20-005" is an id,
// "2025-01-20-outage.md" a file, "1.2.2024.7" a version.
bool ends_well(std::string_view s, size_t length, std::string_view joiners = "-_/.:") {
  if (length >= s.size()) return true;
  if (is_alnum(s[length])) return false;
  return joiners.find(s[length]) == std::string_view::npos || length + 1 >= s.size() ||
         !is_alnum(s[length + 1]);
}

// Days written in digits alone.
std::optional<Period> numeric_day(std::string_view s) {
  static const RE2 kIso("^" YEAR "[-/](\\d{1,2})[-/](\\d{1,2})");
  static const RE2 kDotted("^(\\d{1,2})\\.(\\d{1,2})\\." YEAR);
  static const RE2 kSlashed("^(\\d{1,2})/(\\d{1,2})/" YEAR);
  const auto read = [&](const Match& m, size_t y, size_t mon, size_t d) -> std::optional<Period> {
    const size_t end = m.length();
    // "2025-01-20t14:30": the time of day is read by the caller.
    const bool clock_follows = s.size() > end + 1 && s[end] == 't' && is_alnum(s[end + 1]);
    if (!clock_follows && !ends_well(s, end)) return std::nullopt;
    return whole_day(m.number(y), static_cast<unsigned>(m.number(mon)),
                     static_cast<unsigned>(m.number(d)), end);
  };
  if (const Match m(kIso, s); m) return read(m, 1, 2, 3);
  if (const Match m(kDotted, s); m) return read(m, 3, 2, 1);
  if (const Match m(kSlashed, s); m) {
    // 3/4/2025 is March or April, depending on who writes: not guessed, as in base/time.h.
    if (m.number(1) > 12) return read(m, 3, 2, 1);
    if (m.number(2) > 12) return read(m, 3, 1, 2);
  }
  return std::nullopt;
}

std::optional<Period> quarter_or_half(std::string_view s, TimePoint now) {
  static const RE2 kQuarter("^q([1-4])(?:[\\s/-]*(?:of\\s+)?" YEAR ")?\\b");
  static const RE2 kYearQuarter("^" YEAR "[\\s/-]?q([1-4])\\b");
  static const RE2 kOrdinal("^(first|second|third|fourth)\\s+quarter\\s+of\\s+" YEAR "\\b");
  static const RE2 kHalf("^h([12])[\\s/-]*(?:of\\s+)?" YEAR "\\b");
  const auto quarter = [](int number, int y, size_t length) {
    return months_from(year(y) / month(3 * static_cast<unsigned>(number) - 2), 3, length);
  };
  if (const Match m(kQuarter, s); m) {
    const unsigned first = 3 * static_cast<unsigned>(m.number(1)) - 2;
    Period period =
        quarter(m.number(1), m.has(2) ? m.number(2) : year_for(first, 1, now), m.length());
    period.yearless = !m.has(2);
    return period;
  }
  if (const Match m(kYearQuarter, s); m) return quarter(m.number(2), m.number(1), m.length());
  if (const Match m(kOrdinal, s); m)
    return quarter(static_cast<int>(index_of(kOrdinals, m[1])) + 1, m.number(2), m.length());
  if (const Match m(kHalf, s); m)
    return months_from(year(m.number(2)) / (m.number(1) == 1 ? January : July), 6, m.length());
  return std::nullopt;
}

std::optional<Period> absolute_period(std::string_view s, TimePoint now) {
  static const RE2 kMonthDay("^" MONTH "\\s+" DAY "(?:,?\\s+" YEAR ")?\\b");
  static const RE2 kDayMonth("^" DAY "(?:\\s+of)?\\s+" MONTH "(?:,?\\s+" YEAR ")?\\b");
  static const RE2 kMonthYear("^" MONTH "(?:\\s+of)?,?\\s+" YEAR "\\b");
  static const RE2 kIsoMonth("^" YEAR "-(\\d{2})\\b");
  if (auto day = numeric_day(s)) return day;
  const auto year_of = [](const Match& m) {
    return m.has(3) ? std::optional<int>(m.number(3)) : std::nullopt;
  };
  // "March 3-5" goes on, and is a day all the same.
  if (const Match m(kMonthDay, s); m && ends_well(s, m.length(), "_/.:"))
    return named_day(m[1], m.number(2), year_of(m), now, m.length());
  if (const Match m(kDayMonth, s); m && ends_well(s, m.length()))
    return named_day(m[2], m.number(1), year_of(m), now, m.length());
  if (const Match m(kMonthYear, s); m && ends_well(s, m.length()))
    return months_from(year(m.number(2)) / month(month_number(m[1])), 1, m.length());
  if (auto period = quarter_or_half(s, now)) return period;
  if (const Match m(kIsoMonth, s); m && ends_well(s, m.length())) {
    const year_month value = year(m.number(1)) / month(static_cast<unsigned>(m.number(2)));
    if (value.ok()) return months_from(value, 1, m.length());
  }
  return std::nullopt;
}

// Fixed words. The longest of several that fit stands first.
std::optional<Period> named_period(std::string_view s, TimePoint now) {
  const TimePoint today = floor<days>(now);
  const TimePoint week = start_of_week(now);
  const year_month month_now = month_of(now);
  const year year_now = month_now.year();
  const year_month quarter =
      year_now / month((static_cast<unsigned>(month_now.month()) - 1) / 3 * 3 + 1);
  const TimePoint month_start = first_of(month_now), year_start = first_of(year_now);
  const TimePoint last_month = first_of(month_now - months(1));
  const TimePoint last_year = first_of(year_now - years(1));
  struct Named {
    std::string_view words;
    TimePoint from, to;
    bool day = false;
  };
  const Named kNamed[] = {
      {"today", today, now, true},
      {"the day before yesterday", today - days(2), today - days(1), true},
      {"day before yesterday", today - days(2), today - days(1), true},
      {"yesterday", today - days(1), today, true},
      {"last night", today - hours(6), today + hours(6)},
      {"this morning", today, std::min(now, today + hours(12))},
      {"this week", week, now},
      {"the week before last", week - days(14), week - days(7)},
      {"week before last", week - days(14), week - days(7)},
      {"last week", week - days(7), week},
      {"previous week", week - days(7), week},
      {"last weekend", week - days(2), week},
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
    if (!s.starts_with(named.words)) continue;
    if (s.size() > named.words.size() && is_alnum(s[named.words.size()])) continue;
    return Period{named.from, named.to, named.words.size(), named.day};
  }
  return std::nullopt;
}

// "3 days ago" is that day, "a month ago" the calendar month, "2 hours ago" the time since.
std::optional<Period> period_ago(std::string_view s, TimePoint now) {
  static const RE2 kAgo(
      "^(an?|a few|few|a couple of|couple of|[a-z]+|\\d+)\\s*"
      "(minute|min|hour|hr|h|day|d|week|month|year)s?\\s+ago\\b");
  const Match m(kAgo, s);
  if (!m) return std::nullopt;
  const auto n = read_number(m[1]);
  if (!n) return std::nullopt;
  const TimePoint today = floor<days>(now);
  const std::string_view unit = m[2];
  if (unit.starts_with("mi")) return Period{now - minutes(*n), now, m.length()};
  if (unit.starts_with("h")) return Period{now - hours(*n), now, m.length()};
  // Older than this is no date of an incident, and would overflow the calendar.
  if (*n > 36500) return std::nullopt;
  if (unit.starts_with("d"))
    return Period{today - days(*n), today - days(*n - 1), m.length(), true};
  if (unit == "week") return Period{today - days(7 * *n), today - days(7 * *n - 7), m.length()};
  if (unit == "month") return months_from(month_of(now) - months(*n), 1, m.length());
  return whole_year(month_of(now).year() - years(*n), m.length());
}

// "Black Friday 2025", "christmas eve", "last Halloween": days that have a name of their own.
std::optional<Period> feast_day(std::string_view s, TimePoint now) {
  static const RE2 kFeast(
      "^(?:last\\s+|this\\s+)?(thanksgiving|black friday|cyber monday|halloween|christmas eve|"
      "christmas(?: day)?|boxing day|new year['’]?s? eve|new year['’]?s?(?: day)?)"
      "(?:(?:\\s+|\\s*,\\s*)(?:(?:in|of)\\s+)?" YEAR ")?\\b");
  const Match m(kFeast, s);
  if (!m || !ends_well(s, m.length())) return std::nullopt;
  const auto day_in = [&](year y) -> sys_days {
    const std::string_view feast = m[1];
    // The fourth Thursday of November, and what hangs on it.
    const sys_days thanksgiving = y / November / Thursday[4];
    if (feast == "thanksgiving") return thanksgiving;
    if (feast == "black friday") return thanksgiving + days(1);
    if (feast == "cyber monday") return thanksgiving + days(4);
    if (feast == "halloween") return y / October / 31;
    if (feast == "boxing day") return y / December / 26;
    if (feast.starts_with("christmas")) return y / December / (feast.ends_with("eve") ? 24 : 25);
    return feast.ends_with("eve") ? sys_days(y / December / 31) : sys_days(y / January / 1);
  };
  const bool said = m.has(2);
  sys_days day = day_in(said ? year(m.number(2)) : month_of(now).year());
  if (!said && day > now) day = day_in(month_of(now).year() - years(1));
  return Period{day, day + days(1), m.length(), true, !said};
}

// "Friday", "last Tuesday": the latest one before today. "mon" and "sat" alone are too short to be
// sure of.
std::optional<Period> latest_weekday(std::string_view s, TimePoint now) {
  static const RE2 kWeekday(
      "^(?:last\\s+|this\\s+)?(sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:day)?\\b");
  const Match m(kWeekday, s);
  if (!m || m.length() < 6) return std::nullopt;
  const sys_days today = floor<days>(now);
  days back = weekday(today) - weekday(index_of(kWeekdays, m[1]));
  if (back == days(0)) back = days(7);
  return Period{today - back, today - back + days(1), m.length(), true};
}

// What makes 2000 an amount: "for 2000 ms", "of 2048 connections".
bool counts_something(std::string_view after) {
  static const RE2 kUnit(
      "^\\s*(?:(?:to|and|or|-)\\s*\\d+\\s*)?(?:%|ms|s|sec|seconds?|minutes?|hours?|days?|[kmgt]i?b|"
      "bytes|requests?|reqs?|rps|qps|"
      "tps|errors?|users?|connections?|rows?|records?|events?|messages?|times|lines?|pods?|nodes?|"
      "threads?|transactions?|payments?|merchants?|customers?|items?|files?|entries|timeouts?|"
      "retries|concurrent)\\b");
  return static_cast<bool>(Match(kUnit, after));
}

std::optional<Period> bare_period(std::string_view s, TimePoint now) {
  static const RE2 kMonth("^" MONTH "\\b");
  static const RE2 kYear("^" YEAR "\\b");
  if (const Match m(kMonth, s); m && ends_well(s, m.length())) {
    const unsigned number = month_number(m[1]);
    Period period = months_from(year(year_for(number, 1, now)) / month(number), 1, m.length());
    period.yearless = true;
    return period;
  }
  if (const Match m(kYear, s);
      m && ends_well(s, m.length()) && !counts_something(s.substr(m.length()))) {
    return whole_year(year(m.number(1)), m.length());
  }
  return std::nullopt;
}

// "the week of March 3": Monday to Monday around that day.
std::optional<Period> week_of(std::string_view s, TimePoint now) {
  static const RE2 kWeekOf("^(?:the\\s+)?week\\s+of\\s+(?:the\\s+)?");
  const Match m(kWeekOf, s);
  if (!m) return std::nullopt;
  const auto day = absolute_period(s.substr(m.length()), now);
  if (!day || !day->day) return std::nullopt;
  const TimePoint monday = start_of_week(day->from);
  return Period{monday, monday + days(7), m.length() + day->length, false, day->yearless};
}

std::optional<Period> any_period(std::string_view s, TimePoint now, bool after_preposition) {
  auto found = absolute_period(s, now);
  if (!found) found = named_period(s, now);
  if (!found) found = period_ago(s, now);
  if (!found) found = feast_day(s, now);
  if (!found) found = latest_weekday(s, now);
  if (!found) found = week_of(s, now);
  if (!found && after_preposition) found = bare_period(s, now);
  return found;
}

}  // namespace

std::optional<int> read_number(std::string_view words) {
  if (words.empty() || words.size() > 16) return std::nullopt;
  int value = 0;
  if (std::all_of(words.begin(), words.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    if (words.size() > 6) return std::nullopt;
    for (const char c : words) value = value * 10 + (c - '0');
    return value;
  }
  if (words == "a" || words == "an" || words == "the") return 1;
  if (words == "couple" || words == "a couple of" || words == "couple of") return 2;
  if (words == "few" || words == "a few") return 3;
  const auto found = std::find(kNumbers.begin(), kNumbers.end(), words);
  if (found == kNumbers.end()) return std::nullopt;
  return static_cast<int>(found - kNumbers.begin());
}

std::optional<Period> read_period(std::string_view lower, TimePoint now, bool after_preposition) {
  if (auto found = any_period(lower, now, after_preposition)) return found;
  if (!after_preposition) return std::nullopt;
  static const RE2 kArticle(
      "^(?:the\\s+)?(?:(?:beginning|start|end|month)\\s+of\\s+|year\\s+|early\\s+|late\\s+|"
      "mid[\\s-]+)?(?:the\\s+)?");
  const Match article(kArticle, lower);
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

std::optional<ClockTime> read_clock(std::string_view lower) {
  static const RE2 kClock(
      "^(?:([01]?\\d|2[0-4]):([0-5]\\d)(?::[0-5]\\d)?(?:\\s*(am|pm))?|(0?[1-9]|1[0-2])\\s*(am|pm))"
      "(?:\\s*(?:utc|gmt|z))?\\b");
  const Match m(kClock, lower);
  if (!m) return std::nullopt;
  // "14:30:15.123" and "00:1a:2b:…" are no times that people write.
  const std::string_view after = lower.substr(m.length());
  if (after.size() > 1 && (after[0] == '.' || after[0] == ':') && is_alnum(after[1]))
    return std::nullopt;
  int hour = m.number(m.has(1) ? 1 : 4);
  const int minute = m.has(2) ? m.number(2) : 0;
  const std::string_view half = m[m.has(1) ? 3 : 5];
  if (hour > 24 || (hour == 24 && minute > 0) || (!half.empty() && hour > 12)) return std::nullopt;
  if (half == "pm" && hour < 12) hour += 12;
  if (half == "am" && hour == 12) hour = 0;
  return ClockTime{hours(hour) + minutes(minute), m.length()};
}

}  // namespace precedent
