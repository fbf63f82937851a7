#include "time/time_ranges.h"

#include "base/strings.h"
#include "time/range_ends.h"
#include "time/time_words.h"

namespace precedent {
namespace {

using namespace std::chrono;  // NOLINT: calendar arithmetic reads badly without

// Gives a day of the month the month of its neighbour: "3 and 5 March", "March 3-5".
bool complete_day(RangeEnd& bare, const RangeEnd& other) {
  if (!other.period || !other.period->day || other.clock) return false;
  const year_month_day there(floor<days>(other.period->from));
  const year_month_day date = there.year() / there.month() / day(*bare.day_of_month);
  if (!date.ok()) return false;
  bare.period =
      Period{sys_days(date), sys_days(date) + days(1), bare.length, true, other.period->yearless};
  return true;
}

// "from December 28 to January 3, 2025": the guessed year follows the one that was said.
void agree_on_year(RangeEnd& left, RangeEnd& right) {
  if (!left.period || !right.period) return;
  const auto year_of = [](const RangeEnd& end) {
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

Period days_later(Period period, int count) {
  period.from += days(count);
  period.to += days(count);
  return period;
}

std::optional<TimeRange> range_between(RangeEnd left, RangeEnd right, TimePoint now) {
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
  const size_t length = TimeMatch(kJoiner, s).length();
  if (length == 0) return std::nullopt;
  const std::string_view word = trim(s.substr(0, length));
  return Joiner{length, word.find("and") != std::string_view::npos, s[0] != ' '};
}

}  // namespace

std::optional<TimeReading> two_ended(std::string_view s, TimePoint now) {
  const size_t lead = TimeMatch(lead_words(), s).length();
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
    RangeEnd begin = *left;
    if (right->day_of_month) {
      // "March 3-5, 2025": the year stands behind both.
      static const RE2 kYear("^,?\\s+((?:19|20)\\d{2})\\b");
      if (const TimeMatch m(kYear, s.substr(length)); m) {
        begin.period = in_year(*begin.period, year(m.number(1)));
        begin.period->yearless = false;
        length += m.length();
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
    const size_t about = bound ? TimeMatch(kAbout, s.substr(word.text.size())).length() : 0;
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
      if (const size_t onwards = TimeMatch(kOnwards, s.substr(length)).length()) {
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

}  // namespace precedent
