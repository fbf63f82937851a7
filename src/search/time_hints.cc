#include "search/time_hints.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/ids.h"
#include "base/strings.h"
#include "search/time_periods.h"

// One grammar in two layers. time_periods.h reads a *period* (a day, a month, last week) or a time
// of day. This file reads the words around them, longest construction first at every word start:
//
//   two ends   "from END to END": END is a period, a time of day, or both ("March 4, from 14:30")
//   counted    "last 7 days"
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

struct Read {
  size_t length;
  TimeRange range;
  std::optional<int> days = std::nullopt;
};

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
  std::optional<minutes> clock;
  std::optional<unsigned> day_of_month;  // "3" of "between 3 and 5 March"

  bool moment() const { return period && clock; }
  bool clock_only() const { return clock && !period; }
  TimePoint from() const { return clock ? period->day_start() + *clock : period->from; }
  TimePoint to() const { return clock ? period->day_start() + *clock : period->to; }
};

// "14:30", "14:30 on March 4".
std::optional<End> clock_end(std::string_view s, TimePoint now) {
  const auto clock = read_clock(s);
  if (!clock) return std::nullopt;
  End end{clock->length, std::nullopt, clock->since_midnight, std::nullopt};
  static const RE2 kOn("^[\\s,]*(?:(?:on|of)\\s+(?:the\\s+)?)?");
  const size_t at = clock->length + matched(kOn, s.substr(clock->length));
  if (auto day = read_period(s.substr(at), now, false); day && day->day) {
    end.length = at + day->length;
    end.period = *day;
  }
  return end;
}

// "March 4", "March 4, from 14:30", "2021-03-04T14:30".
std::optional<End> period_end(std::string_view s, TimePoint now, bool after_preposition) {
  const auto period = read_period(s, now, after_preposition);
  if (!period) return std::nullopt;
  End end{.length = period->length};
  end.period = period;
  if (!period->day) return end;
  size_t at = period->length + separators(s.substr(period->length));
  if (s.substr(at).starts_with("t") && at == period->length) ++at;
  at += matched(lead_words(), s.substr(at));
  if (const auto clock = read_clock(s.substr(at))) {
    end.length = at + clock->length;
    end.clock = clock->since_midnight;
  }
  return end;
}

std::optional<End> read_end(std::string_view s, TimePoint now, bool after_preposition) {
  if (auto end = clock_end(s, now)) return end;
  return period_end(s, now, after_preposition);
}

std::optional<End> bare_day_end(std::string_view s) {
  static const RE2 kDay("^(?:the\\s+)?(\\d{1,2})(?:st|nd|rd|th)?\\b");
  std::string_view digits;
  const size_t length = matched(kDay, s, &digits);
  const auto day = length == 0 ? std::nullopt : read_number(digits);
  if (!day || *day < 1 || *day > 31) return std::nullopt;
  return End{length, std::nullopt, std::nullopt, static_cast<unsigned>(*day)};
}

std::optional<End> present_end(std::string_view s, TimePoint now) {
  static const RE2 kNow("^(?:now|the present|present|date)\\b");
  const size_t length = matched(kNow, s);
  if (length == 0) return std::nullopt;
  return End{length, Period{now, now, length}, std::nullopt, std::nullopt};
}

// Gives a day of the month the month of its neighbour: "3 and 5 March", "March 3-5".
bool complete_day(End& bare, const End& other) {
  if (!other.period || !other.period->day) return false;
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
    if (right.to() < left.from()) right.period = in_year(*right.period, year_of(left) + years(1));
  }
}

// A time of day without a day: today's, or yesterday's while today's is still to come.
TimePoint day_of_clock(minutes clock, TimePoint now) {
  const TimePoint today = floor<days>(now);
  return today + clock > now ? today - days(1) : today;
}

std::optional<TimeRange> range_between(End left, End right, TimePoint now) {
  if (left.day_of_month && !complete_day(left, right)) return std::nullopt;
  if (right.day_of_month && !complete_day(right, left)) return std::nullopt;
  agree_on_year(left, right);
  if (left.clock_only() && right.period && !right.clock) return std::nullopt;
  if (right.clock_only() && left.period && !left.clock) return std::nullopt;
  if (left.clock_only()) {
    const TimePoint day =
        right.moment() ? right.period->day_start() : day_of_clock(*left.clock, now);
    left.period = Period{day, day + days(1), 0, true};
    // "between 23:30 and 00:15 on March 5" begins the day before.
    if (right.moment() && *left.clock > *right.clock) left.period->from -= days(1);
  }
  if (right.clock_only()) {
    const TimePoint day = left.period->day_start();
    right.period = Period{day, day + days(1), 0, true};
    if (*right.clock <= *left.clock) right.period->from += days(1);  // passes midnight
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

std::optional<Read> two_ended(std::string_view s, TimePoint now) {
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
    if (const auto range = range_between(begin, *right, now)) return Read{length, *range};
  }
  return std::nullopt;
}

std::optional<Read> counted_window(std::string_view s, TimePoint now) {
  static const RE2 kCounted(
      "^(?:in |within |over |during |for |from )?(the )?(last|past|previous|recent)\\s+"
      "(?:(\\d+|[a-z]+|a few|a couple of|couple of)[\\s-]*)??"
      "(minute|min|hour|hr|h|day|d|week|wk|w|fortnight|month|year)s?\\b");
  std::array<re2::StringPiece, 5> g;
  if (!kCounted.Match(re2::StringPiece(s.data(), s.size()), 0, s.size(), RE2::ANCHOR_START,
                      g.data(), 5)) {
    return std::nullopt;
  }
  const std::string_view unit(g[4].data(), g[4].size());
  const bool counted = !g[3].empty();
  const auto n = counted ? read_number({g[3].data(), g[3].size()}) : 1;
  // Older than this is no date of an incident, and would overflow the calendar.
  if (!n || *n < 1 || *n > 36500) return std::nullopt;
  // "last week" is the calendar's; "the last week", "past week" and "last hour" roll.
  const bool calendar = unit == "week" || unit == "month" || unit == "year";
  if (!counted && calendar && g[1].empty() && g[2] != "past") return std::nullopt;
  minutes width{0};
  if (unit.starts_with("mi"))
    width = minutes(*n);
  else if (unit.starts_with("h"))
    width = hours(*n);
  else if (unit.starts_with("d"))
    width = days(*n);
  else if (unit.starts_with("w"))
    width = days(7 * *n);
  else if (unit == "fortnight")
    width = days(14 * *n);
  else if (unit == "month")
    width = days(30 * *n);
  else
    width = days(365 * *n);
  return Read{g[0].size(), {now - width, now}, static_cast<int>(ceil<days>(width).count())};
}

std::optional<Read> one_ended(std::string_view s, TimePoint now) {
  enum class Side { kSince, kAfter, kBefore, kUntil, kIn };
  struct Word {
    std::string_view text;
    Side side;
    bool bare = true;  // a bare month or year may follow
  };
  static constexpr Word kWords[] = {{"since ", Side::kSince},    {"starting from ", Side::kSince},
                                    {"starting ", Side::kSince}, {"after ", Side::kAfter},
                                    {"before ", Side::kBefore},  {"prior to ", Side::kBefore},
                                    {"until ", Side::kUntil},    {"till ", Side::kUntil},
                                    {"up to ", Side::kUntil},    {"in ", Side::kIn},
                                    {"on ", Side::kIn, false},   {"during ", Side::kIn},
                                    {"from ", Side::kIn},        {"of ", Side::kIn},
                                    {"for ", Side::kIn, false},  {"at ", Side::kIn, false},
                                    {"throughout ", Side::kIn},  {"within ", Side::kIn}};
  for (const Word& word : kWords) {
    if (!s.starts_with(word.text)) continue;
    auto end = read_end(s.substr(word.text.size()), now, word.bare);
    if (!end) continue;
    size_t length = word.text.size() + end->length;
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
      const TimePoint day = day_of_clock(*end->clock, now);
      end->period = Period{day, day + days(1), 0, true};
    }
    switch (side) {
      case Side::kSince: return Read{length, {end->from(), std::nullopt}};
      case Side::kAfter: return Read{length, {end->to(), std::nullopt}};
      case Side::kBefore: return Read{length, {std::nullopt, end->from()}};
      case Side::kUntil: return Read{length, {std::nullopt, end->to()}};
      // An incident is rarely opened in the very minute that is asked about: the whole day.
      case Side::kIn: return Read{length, {end->period->from, end->period->to}};
    }
  }
  return std::nullopt;
}

std::optional<Read> one_period(std::string_view s, TimePoint now) {
  const auto end = read_end(s, now, false);
  if (!end || end->clock_only()) return std::nullopt;
  return Read{end->length, {end->period->from, end->period->to}};
}

// "2 may crash": in small letters, without a year, an ordinal or a preposition, "may" is the verb.
bool is_verb_may(std::string_view written) {
  static const RE2 kVerb("^(?:may\\s+\\d{1,2}|\\d{1,2}\\s+may)$");
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

std::optional<Read> read_at(std::string_view s, TimePoint now) {
  if (auto found = two_ended(s, now)) return found;
  if (auto found = counted_window(s, now)) return found;
  if (auto found = one_ended(s, now)) return found;
  return one_period(s, now);
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
      const std::optional<Read> found = read_at(s.substr(i, kWindow), now);
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
