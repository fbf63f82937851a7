#include "search/time_hints.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/ids.h"
#include "base/strings.h"
#include "search/calendar.h"
#include "search/clock_time.h"
#include "search/time_periods.h"
#include "search/time_windows.h"
#include "search/time_words.h"

// One grammar in two layers. time_periods.h reads a *period* (a day, a month, last week), clock_time.h
// a time of day. This file reads the words around them, longest construction first at every word
// start:
//
//   two ends   "from END to END": END is a period, a time of day, or both ("March 4, from 14:30")
//   counted    "last 7 days", "for 3 days" (time_windows.h)
//   one end    "since END", "before END", "in PERIOD"
//   a period   "yesterday"
//
// A construction reads at most kWindow bytes, so that time is linear whatever the question is.

namespace precedent {
namespace {

using namespace std::chrono;  // NOLINT: calendar arithmetic reads badly without

// "during the specified time range of September 30, 2021, from 23:30 to September 30, 2021, at …"
// has 90 bytes; the rest is generous white space.
constexpr size_t kWindow = 192;

size_t matched(const RE2& pattern, std::string_view s, std::string_view* group = nullptr) {
  std::array<re2::StringPiece, 2> g;
  const int groups = group == nullptr ? 1 : 2;
  if (!pattern.Match(re2::StringPiece(s.data(), s.size()), 0, s.size(), RE2::ANCHOR_START, g.data(),
                     groups)) {
    return 0;
  }
  if (group != nullptr) *group = {g[1].data(), g[1].size()};
  return g[0].size();
}

size_t separators(std::string_view s) {
  const size_t end = s.find_first_not_of(" ,\t\n");
  return end == std::string_view::npos ? s.size() : end;
}

// The words that lead to an end: "within the specified 30-minute time window from".
const RE2& lead_words() {
  static const RE2 kLead(
      "^(?:(?:between|from|within|during|over|in|on|of|at|around|about|for|the|a|same|specified|"
      "given|following|exact|\\d+[-\\s](?:minute|hour|day)|time|timeframe|range|window|period|"
      "interval|frame|span)\\s+){0,8}");
  return kLead;
}

// One end of a range. At least one of `period` and `clock` is there, or `day_of_month` alone.
struct End {
  size_t length = 0;
  std::optional<Period> period;
  std::optional<ClockTime> clock;
  std::optional<unsigned> day_of_month;  // "3" of "between 3 and 5 March"

  bool moment() const { return period && clock; }
  bool clock_only() const { return clock && !period; }
  TimePoint from() const {
    return clock ? period->at(*clock) : period->bound.value_or(period->from);
  }
  TimePoint to() const { return clock ? period->at(*clock) : period->bound.value_or(period->to); }
};

// An incident is rarely opened in the very minute that is asked about: a moment alone means its
// whole day, which another time zone may have moved.
TimeRange whole_of(const End& end) {
  const Period& period = *end.period;
  if (!end.clock || !end.clock->zone || period.to - period.from != days(1))
    return {period.from, period.to};
  const TimePoint day = floor<days>(end.from());
  return {day, day + days(1)};
}

// "14:30", "14:30 on March 4".
std::optional<End> clock_end(std::string_view s, TimePoint now) {
  const auto clock = read_clock(s);
  if (!clock) return std::nullopt;
  End end{clock->length, std::nullopt, clock, std::nullopt};
  static const RE2 kOn("^[\\s,]*(?:(?:on|of)\\s+(?:the\\s+)?)?");
  const size_t at = clock->length + matched(kOn, s.substr(clock->length));
  if (auto day = read_period(s.substr(at), now, false); day && day->day) {
    end.length = at + day->length;
    end.period = *day;
  }
  return end;
}

// "after 17:00", "before noon", behind a day.
std::optional<End> side_of_day(std::string_view s, Period day) {
  static const RE2 kSide("^(?:(after|since)|before|until)\\s+(?:about\\s+|around\\s+)?");
  std::string_view after;
  const size_t word = matched(kSide, s, &after);
  if (word == 0) return std::nullopt;
  const auto clock = read_clock(s.substr(word));
  if (!clock) return std::nullopt;
  const TimePoint moment = day.at(*clock);
  if (moment <= day.from || moment >= day.to) return std::nullopt;
  (after.empty() ? day.to : day.from) = moment;
  return End{word + clock->length, day, std::nullopt, std::nullopt};
}

// "March 4", "March 4, from 14:30", "2021-03-04T14:30".
std::optional<End> period_end(std::string_view s, TimePoint now, bool after_preposition) {
  const auto period = read_period(s, now, after_preposition);
  if (!period) return std::nullopt;
  End end{.length = period->length};
  end.period = period;
  if (!period->day) return end;
  size_t at = period->length + separators(s.substr(period->length));
  if (auto side = side_of_day(s.substr(at), *period)) {
    side->length += at;
    return side;
  }
  const bool after_t = s.substr(at).starts_with("t") && at == period->length;
  at += after_t ? 1 : matched(lead_words(), s.substr(at));
  if (const auto clock = read_clock(s.substr(at), after_t)) {
    end.length = at + clock->length;
    end.clock = clock;
  }
  return end;
}

std::optional<End> read_end(std::string_view s, TimePoint now, bool after_preposition) {
  if (auto end = clock_end(s, now)) return end;
  return period_end(s, now, after_preposition);
}

std::optional<End> day_of_month_end(const RE2& pattern, std::string_view s) {
  std::string_view digits;
  const size_t length = matched(pattern, s, &digits);
  const auto day = length == 0 ? std::nullopt : read_number(digits);
  if (!day || *day < 1 || *day > 31) return std::nullopt;
  return End{length, std::nullopt, std::nullopt, static_cast<unsigned>(*day)};
}

std::optional<End> bare_day_end(std::string_view s) {
  static const RE2 kDay("^(?:the\\s+)?(\\d{1,2})(?:st|nd|rd|th)?\\b");
  return day_of_month_end(kDay, s);
}

// "the 2nd" of no month: a day if nothing follows that could be the second of its kind.
std::optional<End> ordinal_day_end(std::string_view s, bool may_go_on) {
  static const RE2 kOrdinal("^(?:the\\s+)?(\\d{1,2})(?:st|nd|rd|th)\\b");
  auto end = day_of_month_end(kOrdinal, s);
  if (!end || !(may_go_on || clause_ends(s.substr(end->length)))) return std::nullopt;
  return end;
}

// The latest such day of a month that is not after `latest`.
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

std::optional<End> present_end(std::string_view s, TimePoint now) {
  static const RE2 kNow("^(?:now|the present|present|date)\\b");
  const size_t length = matched(kNow, s);
  if (length == 0) return std::nullopt;
  return End{length, Period{now, now, length}, std::nullopt, std::nullopt};
}

// Gives a day of the month the month of its neighbour: "3 and 5 March", "March 3-5".
bool complete_day(End& bare, const End& other) {
  if (!other.period || !other.period->day || other.clock) return false;
  const year_month_day there(floor<days>(other.period->from));
  const year_month_day date = there.year() / there.month() / day(*bare.day_of_month);
  if (!date.ok()) return false;
  bare.period =
      Period{sys_days(date), sys_days(date) + days(1), bare.length, true, other.period->yearless};
  return true;
}

// "from December 28 to January 3, 2025": the guessed year follows the one that was said.
void agree_on_year(End& left, End& right) {
  if (!left.period || !right.period) return;
  const auto year_of = [](const End& end) {
    return year_month_day(floor<days>(end.period->from)).year();
  };
  if (left.period->yearless && !right.period->yearless) {
    left.period = in_year(*left.period, year_of(right));
    if (left.from() > right.to()) left.period = in_year(*left.period, year_of(right) - years(1));
  } else if (right.period->yearless) {
    if (!left.period->yearless) right.period = in_year(*right.period, year_of(left));
    // Both were guessed: "from October to December", said in November, still goes on.
    if (right.to() < left.from()) right.period = in_year(*right.period, year_of(left));
    if (right.to() < left.from()) right.period = in_year(*right.period, year_of(left) + years(1));
  }
}

// A time of day without a day: today's, or yesterday's while today's is still to come.
Period day_of_clock(const ClockTime& clock, TimePoint now) {
  // In the west of UTC the day of the clock may be the one before, in the east the one after.
  TimePoint day = floor<days>(now) + days(1);
  while (day + clock.utc() > now) day -= days(1);
  return {day, day + days(1), 0, true};
}

Period days_later(Period period, int count) {
  period.from += days(count);
  period.to += days(count);
  return period;
}

std::optional<TimeRange> range_between(End left, End right, TimePoint now) {
  if (left.day_of_month && right.day_of_month) {
    right.period = latest_day(*right.day_of_month, now, right.length);
    if (right.period) left.period = latest_day(*left.day_of_month, right.period->from, left.length);
    if (!left.period) return std::nullopt;
  } else {
    if (left.day_of_month && !complete_day(left, right)) return std::nullopt;
    if (right.day_of_month && !complete_day(right, left)) return std::nullopt;
  }
  if (left.clock && right.clock) agree_on_clock(*left.clock, *right.clock);
  agree_on_year(left, right);
  // "between Thursday and Saturday", said on a Friday
  const bool guessed = left.period && left.period->weekless && right.period;
  if (guessed && right.to() <= left.from()) left.period = days_later(*left.period, -7);
  if (left.clock_only() && right.period && !right.clock) return std::nullopt;
  if (right.clock_only() && left.period && !left.clock) return std::nullopt;
  if (left.clock_only()) {
    left.period = right.moment() ? *right.period : day_of_clock(*left.clock, now);
    // "between 23:30 and 00:15 on March 5" begins the day before.
    if (right.moment() && left.from() > right.from()) left.period = days_later(*left.period, -1);
  }
  if (right.clock_only()) {
    right.period = *left.period;
    if (right.from() <= left.from()) right.period = days_later(*right.period, 1);  // over midnight
  }
  if (right.to() <= left.from()) return std::nullopt;
  return TimeRange{left.from(), right.to()};
}

// What stands between two ends. "and" joins only after "between"; a bare day of the month needs
// words or a tight hyphen around it, because "March 4 - 5 failures" is no range.
struct Joiner {
  size_t length = 0;
  bool is_and = false;
  bool tight = false;  // "3-5"
};

std::optional<Joiner> read_joiner(std::string_view s) {
  static const RE2 kJoiner(
      "^[\\s,]*(?:(?:to|and|until|till|through|thru|up to)\\s+|(?:-|–|—|\\.\\.|…)\\s*)"
      "(?:(?:at|on)\\s+)?");
  const size_t length = matched(kJoiner, s);
  if (length == 0) return std::nullopt;
  const std::string_view word = trim(s.substr(0, length));
  return Joiner{length, word.find("and") != std::string_view::npos, s[0] != ' '};
}

std::optional<TimeReading> two_ended(std::string_view s, TimePoint now) {
  const size_t lead = matched(lead_words(), s);
  for (const bool bare_left : {false, true}) {
    const auto left =
        bare_left ? bare_day_end(s.substr(lead)) : read_end(s.substr(lead), now, lead > 0);
    if (!left) continue;
    const std::string_view words = s.substr(0, lead + left->length);
    const bool between = words.find("between ") != std::string_view::npos;
    const bool from = words.find("from ") != std::string_view::npos;
    const auto joiner = read_joiner(s.substr(lead + left->length));
    // "within the time range of 14:30 and 15:00": two times of day in a range need no "between".
    if (!joiner || (joiner->is_and && !between && !(left->clock && lead > 0))) continue;
    const size_t at = lead + left->length + joiner->length;
    const bool bare_allowed =
        left->period && left->period->day && !left->clock && (between || from || joiner->tight);
    auto right = bare_left ? period_end(s.substr(at), now, true) : present_end(s.substr(at), now);
    if (!right) right = read_end(s.substr(at), now, true);
    if (!right && bare_allowed) right = bare_day_end(s.substr(at));
    // "between the 5th and the 20th"
    if (!right && bare_left && (between || from) && ordinal_day_end(s.substr(lead), true))
      right = ordinal_day_end(s.substr(at), false);
    if (!right) continue;
    size_t length = at + right->length;
    End begin = *left;
    if (right->day_of_month) {
      // "March 3-5, 2025": the year stands behind both.
      static const RE2 kYear("^,?\\s+((?:19|20)\\d{2})\\b");
      std::string_view digits;
      if (const size_t year_length = matched(kYear, s.substr(length), &digits)) {
        begin.period = in_year(*begin.period, year(*read_number(digits)));
        begin.period->yearless = false;
        length += year_length;
      }
    }
    if (const auto range = range_between(begin, *right, now)) return TimeReading{length, *range};
  }
  return std::nullopt;
}

std::optional<TimeReading> one_ended(std::string_view s, TimePoint now) {
  enum class Side { kSince, kAfter, kBefore, kUntil, kIn };
  struct Word {
    std::string_view text;
    Side side;
    bool bare = true;  // a bare month or year may follow
  };
  static constexpr Word kWords[] = {{"since ", Side::kSince},
                                    {"starting from ", Side::kSince},
                                    {"starting on ", Side::kSince, false},
                                    {"starting ", Side::kSince},
                                    {"after ", Side::kAfter},
                                    {"before ", Side::kBefore},
                                    {"prior to ", Side::kBefore},
                                    {"until ", Side::kUntil},
                                    {"till ", Side::kUntil},
                                    {"up to ", Side::kUntil},
                                    {"in ", Side::kIn},
                                    {"on ", Side::kIn, false},
                                    {"during ", Side::kIn},
                                    {"from ", Side::kIn},
                                    {"of ", Side::kIn},
                                    {"for ", Side::kIn, false},
                                    {"at ", Side::kIn, false},
                                    {"throughout ", Side::kIn},
                                    {"within ", Side::kIn}};
  for (const Word& word : kWords) {
    if (!s.starts_with(word.text)) continue;
    static const RE2 kAbout("^(?:about|around|roughly|approximately|approx\\.?|circa|~)\\s*");
    const bool bound = word.side != Side::kIn;
    const size_t about = bound ? matched(kAbout, s.substr(word.text.size())) : 0;
    const std::string_view rest = s.substr(word.text.size() + about);
    auto end = read_end(rest, now, word.bare);
    const bool narrows = bound || word.text == "on " || word.text == "from ";
    if (!end && narrows && rest.starts_with("the ")) {
      end = ordinal_day_end(rest, false);
      if (end) end->period = latest_day(*end->day_of_month, now, end->length);
    }
    if (!end || !(end->period || end->clock)) continue;
    size_t length = word.text.size() + about + end->length;
    Side side = word.side;
    static const RE2 kOnwards("^\\s+(?:onwards?|on)\\b");
    if (word.text == "from ") {
      if (const size_t onwards = matched(kOnwards, s.substr(length))) {
        side = Side::kSince;
        length += onwards;
      }
    }
    if (end->clock_only()) {
      if (side == Side::kIn) continue;  // "at 14:30" of no day
      end->period = day_of_clock(*end->clock, now);
    }
    switch (side) {
      case Side::kSince: return TimeReading{length, {end->from(), std::nullopt}};
      case Side::kAfter: return TimeReading{length, {end->to(), std::nullopt}};
      case Side::kBefore: return TimeReading{length, {std::nullopt, end->from()}};
      case Side::kUntil: return TimeReading{length, {std::nullopt, end->to()}};
      case Side::kIn: return TimeReading{length, whole_of(*end)};
    }
  }
  return std::nullopt;
}

std::optional<TimeReading> one_period(std::string_view s, TimePoint now, bool beside_another) {
  const auto end = read_end(s, now, beside_another);
  if (!end || end->clock_only()) return std::nullopt;
  return TimeReading{end->length, whole_of(*end)};
}

// "2 may crash", "and may crash": in small letters, without a year, an ordinal or a preposition,
// "may" is the verb, and so is "march" beside no day.
bool is_verb_may(std::string_view written) {
  static const RE2 kVerb("^(?:may\\s+\\d{1,2}|\\d{1,2}\\s+may|may|march)$");
  return RE2::FullMatch(re2::StringPiece(written.data(), written.size()), kVerb);
}

// The question in small letters, with the ids that hold a date blotted out.
std::string readable(std::string_view question) {
  std::string lower = ascii_lower(question);
  for (const IdMention& id : find_ids(question)) {
    if (date_in_id(id.id))
      std::fill(lower.begin() + static_cast<long>(id.begin),
                lower.begin() + static_cast<long>(id.end), '#');
  }
  return lower;
}

// "this month vs October", "in 2024 and 2025": what is too short alone is sure behind its like.
bool beside(std::string_view between) {
  static constexpr size_t kLongest = 20;
  static const RE2 kBeside(
      "\\s*(?:vs\\.?|versus|and|or|with|to|than|against|compared\\s+(?:to|with))\\s+");
  return between.size() <= kLongest &&
         RE2::FullMatch(re2::StringPiece(between.data(), between.size()), kBeside);
}

// A list, a remark or a sentence without a subject begins behind these words.
bool clause_begins(std::string_view before) {
  static constexpr size_t kSeen = 32;
  const std::string_view rest = trim(before.substr(before.size() - std::min(before.size(), kSeen)));
  return rest.empty() || std::string_view(",;:(.?!").find(rest.back()) != std::string_view::npos;
}

// "…? Started on Tuesday", "it began at 14:05": what is spoken of goes on. Not "the incidents that
// started on Tuesday".
std::optional<TimeReading> started(std::string_view before, std::string_view s, TimePoint now) {
  static const RE2 kStarted("^(?:started|began)\\s+(?:(?:on|at|around|about|in|from)\\s+)?");
  static constexpr size_t kSubject = 6;
  static const RE2 kIt("\\b(?:it|this)\\s+$");
  const TimeMatch m(kStarted, s);
  if (!m) return std::nullopt;
  const std::string_view subject = before.substr(before.size() - std::min(before.size(), kSubject));
  if (!clause_begins(before) &&
      !RE2::PartialMatch(re2::StringPiece(subject.data(), subject.size()), kIt)) {
    return std::nullopt;
  }
  auto end = read_end(s.substr(m.length()), now, false);
  if (!end) return std::nullopt;
  if (end->clock_only()) end->period = day_of_clock(*end->clock, now);
  return TimeReading{m.length() + end->length, {end->from(), std::nullopt}};
}

// ", 2024 and 2025": two years in a row of this time, where a list or a remark begins.
std::optional<TimeReading> two_years(std::string_view before, std::string_view s, TimePoint now) {
  static const RE2 kYears("^" PRECEDENT_YEAR "\\s+(?:and|to|until|-|–)\\s+" PRECEDENT_YEAR);
  static constexpr int kRecent = 15;
  const TimeMatch m(kYears, s);
  if (!m || !clause_begins(before) || !clause_ends(s.substr(m.length()))) return std::nullopt;
  const int current = static_cast<int>(month_of(now).year());
  const int first = m.number(1), last = m.number(2);
  if (last <= first || last > current || first < current - kRecent) return std::nullopt;
  return TimeReading{m.length(), {first_of(year(first)), first_of(year(last + 1))}};
}

// Whether the word in front of a number says what it numbers or counts: "port 2019", "error 2013",
// "more than 2000", "ports 2000 and 2001".
bool numbers_something(std::string_view before) {
  static constexpr size_t kSeen = 32;
  static const RE2 kNumbered(
      "(?:\\b(?:ports?|ver|versions?|v|release[sd]?|rev|revisions?|builds?|codes?|errors?|errno|"
      "err|"
      "status|exit|exited|signal|limits?|thresholds?|levels?|ids?|pid|lines?|sizes?|max|maximum|"
      "min|"
      "minimum|than|over|under|above|below|exactly|about|around|approximately|roughly|nearly|"
      "almost|"
      "is|was|were|are|be|by|to|with|got|has|had|have|gets?|reached|returned|returns|set|pages?|"
      "tickets?|issues?|pr|numbers?|no|nr|num|rows?|offsets?|timeouts?|ttl|queue|depth|counts?|"
      "total|"
      "rates?|values?|amounts?|sum|price|paid|cost|channel|mtu|key|batch|windows?|server|office|"
      "studio|sql|rfc|iso|cve|eur|usd|gbp|chf|dollars?|euros?|times|every|each|per)|"
      "\\d(?:\\s*,)?(?:\\s+(?:and|or))?|[^a-z0-9\\s,;?!.])\\s*$");
  const std::string_view seen = before.substr(before.size() - std::min(before.size(), kSeen));
  return RE2::PartialMatch(re2::StringPiece(seen.data(), seen.size()), kNumbered);
}

// "SEV1 incidents 2026", "2025 outages", "Northwind 2022: who was hit?": a year without a
// preposition, where no number of anything can be meant.
std::optional<TimeReading> bare_year(std::string_view whole, size_t at, TimePoint now) {
  // Longer texts are descriptions and pasted logs, whose numbers are anything.
  static constexpr size_t kLongest = 160;
  static constexpr int kEarliest = 1990;
  static const RE2 kYear("^" PRECEDENT_YEAR "\\b");
  static const RE2 kRecords(
      "^(?:['’]s)?\\s+(?:incidents?|outages?|post-?mortems?|sev-?[0-9]s?)\\b");
  static const RE2 kEnd("^(?:\\s*(?:$|[?!;)]|[.,:](?:\\s|$))|\\s+(?:for|please|pls)\\b)");
  const std::string_view s = whole.substr(at, kWindow);
  const TimeMatch m(kYear, s);
  if (!m || whole.size() > kLongest) return std::nullopt;
  const int said = m.number(1);
  if (said < kEarliest || said > static_cast<int>(month_of(now).year()) + 1) return std::nullopt;
  const std::string_view after = s.substr(m.length());
  if (!TimeMatch(kEnd, after) && !TimeMatch(kRecords, after)) return std::nullopt;
  if (numbers_something(whole.substr(0, at))) return std::nullopt;
  return TimeReading{m.length(), {first_of(year(said)), first_of(year(said + 1))}};
}

// The longest construction that begins at `at`. `other` is the hint before, if there is one.
std::optional<TimeReading> read_at(std::string_view whole, size_t at, TimePoint now,
                                   const TimeHint* other) {
  const std::string_view s = whole.substr(at, kWindow);
  if (auto found = two_ended(s, now)) return found;
  if (auto found = counted_window(s, now)) return found;
  if (auto found = lasting_window(whole.substr(0, at), s, now)) return found;
  if (auto found = started(whole.substr(0, at), s, now)) return found;
  if (other != nullptr && other->range.from) {
    if (auto found = window_before(s, *other->range.from)) return found;
  }
  if (auto found = one_ended(s, now)) return found;
  if (auto found = two_years(whole.substr(0, at), s, now)) return found;
  if (auto found =
          one_period(s, now, other != nullptr && beside(whole.substr(other->end, at - other->end))))
    return found;
  return bare_year(whole, at, now);
}

}  // namespace

std::vector<TimeHint> find_time_hints(std::string_view question, TimePoint now) {
  const std::string lower = readable(question);
  const std::string_view s = lower;
  std::vector<TimeHint> hints;
  bool word_start = true;
  for (size_t i = 0; i < s.size();) {
    const bool word = isalnum(static_cast<unsigned char>(s[i])) != 0;
    if (word && word_start) {
      const std::optional<TimeReading> found =
          read_at(s, i, now, hints.empty() ? nullptr : &hints.back());
      if (found && !is_verb_may(question.substr(i, found->length))) {
        hints.push_back({std::string(question.substr(i, found->length)), i, i + found->length,
                         found->range, found->days});
        i += found->length;
        word_start = false;
        continue;
      }
    }
    word_start = !word && std::string_view("-_/.@#$").find(s[i]) == std::string_view::npos;
    ++i;
  }
  return hints;
}

std::optional<TimePoint> find_moment(std::string_view question, TimePoint now) {
  static constexpr size_t kSeen = 16;
  static const RE2 kAt("(?:^|\\s)(?:at|around|about|near|circa|the)\\s+$");
  static const RE2 kEnd(
      "\\b(?:since|from|after|before|until|till|to|between|and|by|starting|started|began)\\s+(?:"
      "on\\s+|at\\s+|"
      "about\\s+|around\\s+)?$");
  const std::string lower = readable(question);
  const std::string_view s = lower;
  bool word_start = true;
  for (size_t i = 0; i < s.size(); ++i) {
    const bool word = isalnum(static_cast<unsigned char>(s[i])) != 0;
    const bool begins = word && word_start;
    word_start = !word && std::string_view("-_/.@#$:").find(s[i]) == std::string_view::npos;
    if (!begins) continue;
    const auto end = read_end(s.substr(i, kWindow), now, false);
    if (!end || !end->clock) continue;
    const std::string before(s.substr(i - std::min(i, kSeen), std::min(i, kSeen)));
    if (RE2::PartialMatch(before, kEnd)) return std::nullopt;
    if (end->period) return end->from();
    if (RE2::PartialMatch(before, kAt)) return day_of_clock(*end->clock, now).at(*end->clock);
  }
  return std::nullopt;
}

TimeRange intersection(const std::vector<TimeHint>& hints) {
  TimeRange all, hull;
  bool from_open = false, to_open = false;
  for (const TimeHint& hint : hints) {
    const auto& [from, to] = hint.range;
    from_open |= !from;
    to_open |= !to;
    if (from && (!all.from || *from > *all.from)) all.from = from;
    if (to && (!all.to || *to < *all.to)) all.to = to;
    if (from && (!hull.from || *from < *hull.from)) hull.from = from;
    if (to && (!hull.to || *to > *hull.to)) hull.to = to;
  }
  if (!all.from || !all.to || *all.from < *all.to) return all;
  if (from_open) hull.from.reset();
  if (to_open) hull.to.reset();
  return hull;
}

}  // namespace precedent
