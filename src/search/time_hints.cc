#include "search/time_hints.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/ids.h"
#include "base/strings.h"

// One grammar in two layers. The lower layer reads a *period*: a day, month, quarter, year, week or
// moment, each a half-open range. The upper layer reads the words around periods: since P, before
// P, between P and P. All patterns are RE2 (linear time), tried longest construction first at every
// word start.

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

#define MONTH                                                                                      \
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|" \
  "oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?"
#define WEEKDAY "(sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:day)?"
#define CLOCK "([01]?\\d|2[0-3]):([0-5]\\d)(?::[0-5]\\d)?(?:\\s*(am|pm))?(?:\\s*(?:utc|gmt|z))?"

struct Period {
  TimePoint from, to;
  size_t length;  // bytes read
};

std::optional<int> number_of(std::string_view word) {
  if (word.empty()) return std::nullopt;
  int value = 0;
  if (std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    if (word.size() > 6) return std::nullopt;
    for (const char c : word) value = value * 10 + (c - '0');
    return value;
  }
  if (word == "a" || word == "an" || word == "the") return 1;
  if (word == "couple" || word == "a couple of" || word == "couple of") return 2;
  if (word == "few" || word == "a few") return 3;
  const auto found = std::find(kNumbers.begin(), kNumbers.end(), word);
  if (found == kNumbers.end()) return std::nullopt;
  return static_cast<int>(found - kNumbers.begin());
}

template <size_t N>
unsigned index_of(const std::array<std::string_view, N>& names, std::string_view word) {
  const auto found = std::find(names.begin(), names.end(), word.substr(0, 3));
  return static_cast<unsigned>(found - names.begin());
}

TimePoint start_of_day(TimePoint t) { return floor<days>(t); }

TimePoint start_of_week(TimePoint t) {
  const sys_days day = floor<days>(t);
  return day - (weekday(day) - Monday);
}

year_month month_of(TimePoint t) {
  const year_month_day date(floor<days>(t));
  return date.year() / date.month();
}

TimePoint first_of(year_month month) { return sys_days(month / 1); }

Period whole_day(year_month_day date, size_t length) {
  return {sys_days(date), sys_days(date) + days(1), length};
}

Period whole_month(year_month month, size_t length) {
  return {first_of(month), first_of(month + months(1)), length};
}

// The latest such month or day that is not in the future: people ask about the past.
int year_for(unsigned month, unsigned day, TimePoint now) {
  const year_month_day today(floor<days>(now));
  const bool ahead =
      month > static_cast<unsigned>(today.month()) ||
      (month == static_cast<unsigned>(today.month()) && day > static_cast<unsigned>(today.day()));
  return static_cast<int>(today.year()) - (ahead ? 1 : 0);
}

std::optional<Period> day_period(int y, unsigned m, unsigned d, size_t length) {
  const year_month_day date{year(y), month(m), day(d)};
  if (!date.ok()) return std::nullopt;
  return whole_day(date, length);
}

// "14:30" on that day → that minute; used by ranges of times.
std::optional<TimePoint> clock_on(TimePoint day_start, std::string_view hour,
                                  std::string_view minute, std::string_view half) {
  int h = *number_of(hour);
  if (half == "pm" && h < 12) h += 12;
  if (half == "am" && h == 12) h = 0;
  if (h > 23) return std::nullopt;
  return day_start + hours(h) + minutes(*number_of(minute));
}

std::optional<Period> absolute_date(std::string_view s, TimePoint now) {
  static const RE2 kIso(
      "^(\\d{4})[-/](\\d{1,2})[-/](\\d{1,2})(?:[t ](\\d{2}):(\\d{2})(?::\\d{2})?z?)?\\b");
  static const RE2 kMonthDay("^" MONTH "\\s+(\\d{1,2})(?:st|nd|rd|th)?(?:,?\\s+(\\d{4}))?\\b");
  static const RE2 kDayMonth("^(\\d{1,2})(?:st|nd|rd|th)?(?:\\s+of)?\\s+" MONTH
                             "(?:,?\\s+(\\d{4}))?\\b");
  static const RE2 kMonthYear("^" MONTH "(?:\\s+of)?,?\\s+(\\d{4})\\b");
  static const RE2 kIsoMonth("^(\\d{4})-(\\d{2})\\b");
  static const RE2 kQuarter("^q([1-4])(?:\\s+(?:of\\s+)?(\\d{4}))?\\b");
  re2::StringPiece all, a, b, c, hour, minute;
  const re2::StringPiece input(s.data(), s.size());
  const auto view = [](const re2::StringPiece& p) { return std::string_view(p.data(), p.size()); };
  const auto read = [&](const RE2& re, std::initializer_list<re2::StringPiece*> outs) {
    std::array<re2::StringPiece, 8> groups;
    if (!re.Match(input, 0, input.size(), RE2::ANCHOR_START, groups.data(),
                  static_cast<int>(outs.size()) + 1)) {
      return false;
    }
    all = groups[0];
    size_t i = 1;
    for (re2::StringPiece* out : outs) *out = groups[i++];
    return true;
  };
  if (read(kIso, {&a, &b, &c, &hour, &minute})) {
    auto period = day_period(*number_of(view(a)), static_cast<unsigned>(*number_of(view(b))),
                             static_cast<unsigned>(*number_of(view(c))), all.size());
    if (period && !hour.empty()) {
      if (const auto at = clock_on(period->from, view(hour), view(minute), "")) {
        period->from = *at;
        period->to = *at + minutes(1);
      }
    }
    return period;
  }
  if (read(kMonthDay, {&a, &b, &c}) || read(kDayMonth, {&b, &a, &c})) {
    const unsigned m = index_of(kMonths, view(a)) + 1;
    const unsigned d = static_cast<unsigned>(*number_of(view(b)));
    return day_period(c.empty() ? year_for(m, d, now) : *number_of(view(c)), m, d, all.size());
  }
  if (read(kMonthYear, {&a, &b})) {
    return whole_month(year(*number_of(view(b))) / month(index_of(kMonths, view(a)) + 1),
                       all.size());
  }
  if (read(kQuarter, {&a, &b})) {
    const unsigned m = 3 * static_cast<unsigned>(*number_of(view(a))) - 2;
    const year_month first = year(b.empty() ? year_for(m, 1, now) : *number_of(view(b))) / month(m);
    return Period{first_of(first), first_of(first + months(3)), all.size()};
  }
  if (read(kIsoMonth, {&a, &b})) {
    const year_month value =
        year(*number_of(view(a))) / month(static_cast<unsigned>(*number_of(view(b))));
    if (value.ok()) return whole_month(value, all.size());
  }
  return std::nullopt;
}

std::optional<Period> relative_period(std::string_view s, TimePoint now) {
  const TimePoint today = start_of_day(now);
  const auto starts = [&](std::string_view word) {
    return s.starts_with(word) &&
           (s.size() == word.size() || !isalnum(static_cast<unsigned char>(s[word.size()])));
  };
  const year_month this_month = month_of(now);
  const TimePoint week = start_of_week(now);
  const year this_year = this_month.year();
  struct Named {
    std::string_view words;
    TimePoint from, to;
  };
  const Named kNamed[] = {
      {"today", today, now},
      {"yesterday", today - days(1), today},
      {"last night", today - hours(6), today + hours(6)},
      {"this morning", today, std::min(now, today + hours(12))},
      {"this week", week, now},
      {"last week", week - days(7), week},
      {"previous week", week - days(7), week},
      {"last weekend", week - days(2), week},
      {"the weekend", week - days(2), week},
      {"this month", first_of(this_month), now},
      {"last month", first_of(this_month - months(1)), first_of(this_month)},
      {"previous month", first_of(this_month - months(1)), first_of(this_month)},
      {"this year", first_of(this_year / January), now},
      {"last year", first_of((this_year - years(1)) / January), first_of(this_year / January)},
      {"previous year", first_of((this_year - years(1)) / January), first_of(this_year / January)},
  };
  for (const Named& named : kNamed) {
    if (starts(named.words)) return Period{named.from, named.to, named.words.size()};
  }
  for (const std::string_view words : {"last quarter", "this quarter"}) {
    if (!starts(words)) continue;
    const unsigned first = (static_cast<unsigned>(this_month.month()) - 1) / 3 * 3 + 1;
    const year_month quarter = this_year / month(first);
    if (words == "this quarter") return Period{first_of(quarter), now, words.size()};
    return Period{first_of(quarter - months(3)), first_of(quarter), words.size()};
  }
  static const RE2 kAgo(
      "^((?:an?|a few|few|a couple of|couple "
      "of|[a-z]+|\\d+))\\s+(minute|hour|day|week|month|year)s?\\s+ago\\b");
  static const RE2 kWeekday("^(?:last\\s+|this\\s+)?" WEEKDAY "\\b");
  std::array<re2::StringPiece, 3> groups;
  const re2::StringPiece input(s.data(), s.size());
  if (kAgo.Match(input, 0, input.size(), RE2::ANCHOR_START, groups.data(), 3)) {
    const auto n = number_of({groups[1].data(), groups[1].size()});
    if (!n) return std::nullopt;
    const size_t length = groups[0].size();
    switch (groups[2][0]) {
      case 'm':
        if (groups[2].starts_with("mi")) return Period{now - minutes(*n), now, length};
        return whole_month(this_month - months(*n), length);
      case 'h': return Period{now - hours(*n), now, length};
      case 'd': return Period{today - days(*n), today - days(*n - 1), length};
      case 'w': return Period{today - days(7 * *n), today - days(7 * *n - 7), length};
      default:
        return Period{first_of((this_year - years(*n)) / January),
                      first_of((this_year - years(*n - 1)) / January), length};
    }
  }
  if (kWeekday.Match(input, 0, input.size(), RE2::ANCHOR_START, groups.data(), 2)) {
    // "mon", "sat" alone are too short to be sure of.
    if (groups[0].size() < 6) return std::nullopt;
    const weekday wanted(index_of(kWeekdays, {groups[1].data(), groups[1].size()}));
    const sys_days day_now = floor<days>(now);
    days back = weekday(day_now) - wanted;
    if (back == days(0)) back = days(7);
    return Period{day_now - back, day_now - back + days(1), groups[0].size()};
  }
  return std::nullopt;
}

// A bare month or year is only a date after a preposition ("in May", "since 2024"): "may" is also a
// verb.
std::optional<Period> bare_period(std::string_view s, TimePoint now) {
  static const RE2 kMonth("^" MONTH "\\b");
  static const RE2 kYear("^((?:19|20)\\d{2})\\b");
  std::array<re2::StringPiece, 2> groups;
  const re2::StringPiece input(s.data(), s.size());
  if (kMonth.Match(input, 0, input.size(), RE2::ANCHOR_START, groups.data(), 2)) {
    const unsigned m = index_of(kMonths, {groups[1].data(), groups[1].size()}) + 1;
    return whole_month(year(year_for(m, 1, now)) / month(m), groups[0].size());
  }
  if (kYear.Match(input, 0, input.size(), RE2::ANCHOR_START, groups.data(), 2)) {
    const year y(*number_of({groups[1].data(), groups[1].size()}));
    return Period{first_of(y / January), first_of((y + years(1)) / January), groups[0].size()};
  }
  return std::nullopt;
}

std::optional<Period> period(std::string_view s, TimePoint now, bool after_preposition) {
  size_t skipped = 0;
  if (after_preposition) {
    for (const std::string_view article : {"the ", "early ", "late ", "mid ", "mid-"}) {
      if (s.starts_with(article)) {
        skipped = article.size();
        break;
      }
    }
  }
  const std::string_view rest = s.substr(skipped);
  std::optional<Period> found = absolute_date(rest, now);
  if (!found) found = relative_period(rest, now);
  if (!found && after_preposition) found = bare_period(rest, now);
  if (!found && skipped > 0) {
    found = relative_period(s, now);
    skipped = 0;
  }
  if (found) found->length += skipped;
  return found;
}

size_t spaces(std::string_view s, size_t at) {
  size_t n = 0;
  while (at + n < s.size() && (s[at + n] == ' ' || s[at + n] == '\n' || s[at + n] == '\t')) ++n;
  return n;
}

// "14:30 to 15:00", "from 14:30 and 15:00", "between 14:30 and 15:00": times on a day read before
// or after.
struct ClockSpan {
  size_t length;
  std::string from_hour, from_minute, from_half, to_hour, to_minute, to_half;
};

std::optional<ClockSpan> clock_span(std::string_view s) {
  static const RE2 kSpan(
      "^(?:(?:from|between|within the time range of|time range of|during|at)\\s+)*" CLOCK
      "\\s*(?:to|and|until|till|-|–)\\s*" CLOCK);
  std::array<re2::StringPiece, 7> g;
  if (!kSpan.Match(re2::StringPiece(s.data(), s.size()), 0, s.size(), RE2::ANCHOR_START, g.data(),
                   7)) {
    return std::nullopt;
  }
  return ClockSpan{g[0].size(),      g[1].as_string(), g[2].as_string(), g[3].as_string(),
                   g[4].as_string(), g[5].as_string(), g[6].as_string()};
}

std::optional<TimeRange> on_day(const ClockSpan& span, TimePoint day_start) {
  const auto from = clock_on(day_start, span.from_hour, span.from_minute, span.from_half);
  auto to = clock_on(day_start, span.to_hour, span.to_minute, span.to_half);
  if (!from || !to) return std::nullopt;
  if (*to <= *from) *to += days(1);  // "23:30 to 00:15" passes midnight
  return TimeRange{*from, *to};
}

struct Read {
  size_t length;
  TimeRange range;
  std::optional<int> days = std::nullopt;
};

std::optional<Read> counted_window(std::string_view s, TimePoint now) {
  static const RE2 kWindow(
      "^(?:in |within |over |during |for )?(?:the )?(?:last|past|previous|recent)\\s+"
      "(\\d+|[a-z]+|a few|a couple of|couple "
      "of)?\\s*-?(minute|min|hour|hr|h|day|d|week|wk|month|year)s?\\b");
  std::array<re2::StringPiece, 3> g;
  if (!kWindow.Match(re2::StringPiece(s.data(), s.size()), 0, s.size(), RE2::ANCHOR_START, g.data(),
                     3)) {
    return std::nullopt;
  }
  const auto n = g[1].empty() ? std::optional<int>() : number_of({g[1].data(), g[1].size()});
  const std::string_view unit(g[2].data(), g[2].size());
  // "last week" is a calendar week and read elsewhere; "past week", "last 24h" roll.
  if (!n && (!g[1].empty() || s.find("past") > 12)) return std::nullopt;
  const int count = n.value_or(1);
  minutes width{0};
  if (unit.starts_with("mi"))
    width = minutes(count);
  else if (unit.starts_with("h"))
    width = hours(count);
  else if (unit.starts_with("d"))
    width = days(count);
  else if (unit.starts_with("w"))
    width = days(7 * count);
  else if (unit == "month")
    width = days(30 * count);
  else
    width = days(365 * count);
  const int whole_days = static_cast<int>(ceil<days>(width).count());
  return Read{g[0].size(), {now - width, now}, whole_days};
}

std::optional<Read> two_ended(std::string_view s, TimePoint now) {
  for (const auto& [first, second] :
       {std::pair<std::string_view, std::string_view>{"between ", "and"},
        {"from ", "to"},
        {"from ", "until"},
        {"from ", "till"}}) {
    if (!s.starts_with(first)) continue;
    const auto left = period(s.substr(first.size()), now, true);
    if (!left) continue;
    size_t at = first.size() + left->length;
    at += spaces(s, at);
    if (!s.substr(at).starts_with(second)) continue;
    at += second.size();
    at += spaces(s, at);
    const auto right = period(s.substr(at), now, true);
    if (right && right->to > left->from) return Read{at + right->length, {left->from, right->to}};
  }
  return std::nullopt;
}

std::optional<Read> one_ended(std::string_view s, TimePoint now) {
  enum class Side { kSince, kAfter, kBefore, kUntil, kIn };
  static constexpr std::pair<std::string_view, Side> kWords[] = {
      {"since ", Side::kSince},   {"starting ", Side::kSince},  {"after ", Side::kAfter},
      {"before ", Side::kBefore}, {"prior to ", Side::kBefore}, {"until ", Side::kUntil},
      {"till ", Side::kUntil},    {"up to ", Side::kUntil},     {"in ", Side::kIn},
      {"on ", Side::kIn},         {"during ", Side::kIn},       {"from ", Side::kIn},
      {"of ", Side::kIn},         {"for ", Side::kIn},          {"at ", Side::kIn}};
  for (const auto& [word, side] : kWords) {
    if (!s.starts_with(word)) continue;
    const auto p = period(s.substr(word.size()), now, true);
    if (!p) continue;
    const size_t length = word.size() + p->length;
    switch (side) {
      case Side::kSince: return Read{length, {p->from, std::nullopt}};
      case Side::kAfter: return Read{length, {p->to, std::nullopt}};
      case Side::kBefore: return Read{length, {std::nullopt, p->from}};
      case Side::kUntil: return Read{length, {std::nullopt, p->to}};
      case Side::kIn: return Read{length, {p->from, p->to}};
    }
  }
  return std::nullopt;
}

std::optional<Read> read_at(std::string_view s, TimePoint now) {
  std::optional<Read> found = two_ended(s, now);
  if (!found) found = counted_window(s, now);
  if (!found) found = one_ended(s, now);
  if (!found) {
    if (const auto p = period(s, now, false)) found = Read{p->length, {p->from, p->to}};
  }
  if (!found) return std::nullopt;
  // A day followed by a span of times narrows to it: "March 4, 2021, from 14:30 to 15:00".
  size_t at = found->length;
  while (at < s.size() && (s[at] == ' ' || s[at] == ',')) ++at;
  if (found->range.from && found->range.to && *found->range.to - *found->range.from == days(1)) {
    if (const auto span = clock_span(s.substr(at))) {
      if (const auto range = on_day(*span, *found->range.from))
        return Read{at + span->length, *range};
    }
  }
  return found;
}

// A span of times before its day: "between 14:30 and 15:00 on March 4, 2021"; without a day: today.
std::optional<Read> span_then_day(std::string_view s, TimePoint now) {
  const auto span = clock_span(s);
  if (!span) return std::nullopt;
  size_t at = span->length;
  while (at < s.size() && (s[at] == ' ' || s[at] == ',')) ++at;
  TimePoint day_start = start_of_day(now);
  size_t length = span->length;
  for (const std::string_view word : {"on ", "of ", ""}) {
    if (!s.substr(at).starts_with(word)) continue;
    if (const auto p = period(s.substr(at + word.size()), now, true);
        p && p->to - p->from == days(1)) {
      day_start = p->from;
      length = at + word.size() + p->length;
      break;
    }
  }
  const auto range = on_day(*span, day_start);
  if (!range) return std::nullopt;
  return Read{length, *range};
}

}  // namespace

std::vector<TimeHint> find_time_hints(std::string_view question, TimePoint now) {
  std::string lower = ascii_lower(question);
  for (const IdMention& id : find_ids(question)) {
    if (date_in_id(id.id))
      std::fill(lower.begin() + static_cast<long>(id.begin),
                lower.begin() + static_cast<long>(id.end), '#');
  }
  std::vector<TimeHint> hints;
  const std::string_view s = lower;
  bool word_start = true;
  for (size_t i = 0; i < s.size();) {
    const bool word = isalnum(static_cast<unsigned char>(s[i])) != 0;
    if (word && word_start) {
      std::optional<Read> found = span_then_day(s.substr(i), now);
      if (!found) found = read_at(s.substr(i), now);
      if (found && found->length > 0) {
        hints.push_back({std::string(question.substr(i, found->length)), i, i + found->length,
                         found->range, found->days});
        i += found->length;
        continue;
      }
    }
    word_start = !word && s[i] != '-' && s[i] != '_' && s[i] != '/' && s[i] != '.';
    ++i;
  }
  return hints;
}

TimeRange intersection(const std::vector<TimeHint>& hints) {
  TimeRange all;
  for (const TimeHint& hint : hints) {
    if (hint.range.from && (!all.from || *hint.range.from > *all.from)) all.from = hint.range.from;
    if (hint.range.to && (!all.to || *hint.range.to < *all.to)) all.to = hint.range.to;
  }
  return all;
}

}  // namespace precedent
