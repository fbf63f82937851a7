#include "time/dates.h"

#include <array>

#include "base/ascii.h"
#include "time/calendar.h"
#include "time/time_words.h"

namespace precedent {
namespace {

using namespace std::chrono;  // NOLINT: calendar arithmetic reads badly without

constexpr std::array<std::string_view, 12> kMonths = {"jan", "feb", "mar", "apr", "may", "jun",
                                                      "jul", "aug", "sep", "oct", "nov", "dec"};
constexpr std::array<std::string_view, 4> kOrdinals = {"first", "second", "third", "fourth"};

#define MONTH                                                                                      \
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|" \
  "oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?"
#define DAY "(\\d{1,2})(?:st|nd|rd|th)?"
#define YEAR PRECEDENT_YEAR

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

}  // namespace

std::optional<SaidYear> said_year(std::string_view s, TimePoint now) {
  static const RE2 kSaid("^,?\\s+(?:(?:of|in)\\s+)?(last|previous|this)\\s+year\\b");
  const TimeMatch m(kSaid, s);
  if (!m) return std::nullopt;
  return SaidYear{month_of(now).year() - years(m[1] == "this" ? 0 : 1), m.length()};
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

}  // namespace precedent
