#include "time/time_windows.h"

#include "base/ascii.h"
#include "time/calendar.h"
#include "time/time_periods.h"
#include "time/time_words.h"

namespace precedent {
namespace {

using namespace std::chrono;  // NOLINT: calendar arithmetic reads badly without

// The units of counted windows; a group.
#define UNIT                                                                                      \
  "(second|sec|minute|min|half[\\s-](?:an[\\s-])?hour|hour|hr|h|day|d|week|wk|w|fortnight|month|" \
  "year)s?\\b"
#define COUNT "(\\d+|[a-z]+(?:-[a-z]+)?|a few|a couple of|couple of)"

// `count` units before now. Nothing, if that is no date of an incident any more.
std::optional<TimePoint> units_before(std::string_view unit, int count, TimePoint now) {
  const int limit = unit == "month" ? 1200 : unit == "year" ? 100 : 36500;
  if (count < 1 || count > limit) return std::nullopt;
  if (unit.starts_with("s")) return now - seconds(count);
  if (unit.starts_with("mi")) return now - minutes(count);
  if (unit.starts_with("half")) return now - minutes(30 * count);
  if (unit.starts_with("h")) return now - hours(count);
  if (unit.starts_with("d")) return now - days(count);
  if (unit.starts_with("w")) return now - days(7 * count);
  if (unit == "fortnight") return now - days(14 * count);
  return months_before(now, unit == "month" ? count : 12 * count);
}

// "since 3 days", "for two hours"; not "since the second failure", "for a second time".
std::optional<TimePoint> said_before(std::string_view unit, std::string_view count, TimePoint now) {
  const bool digits = is_digit(count.front());
  if (count == "the" || (unit.starts_with("s") && !digits)) return std::nullopt;
  const auto n = read_number(count);
  return n ? units_before(unit, *n, now) : std::nullopt;
}

TimeReading window_until(TimePoint now, TimePoint from, size_t length) {
  return {length, {from, now}, static_cast<int>(ceil<days>(now - from).count())};
}

}  // namespace

std::optional<TimeReading> counted_window(std::string_view s, TimePoint now) {
  static const RE2 kCounted(
      "^(?:in |within |over |during |for |from |of )?(the |these )?"
      "(last|past|previous|recent|preceding|trailing)\\s+(?:" COUNT "[\\s-]*)??" UNIT);
  static const RE2 kSince("^since\\s+" COUNT "\\s*" UNIT);
  if (const TimeMatch m(kSince, s); m) {
    const auto from = said_before(m[2], m[1], now);
    // "since 2 days ago" is a day.
    static const RE2 kAgo("^\\s+ago\\b");
    if (!from || TimeMatch(kAgo, s.substr(m.length()))) return std::nullopt;
    return TimeReading{m.length(), {from, std::nullopt}};
  }
  const TimeMatch m(kCounted, s);
  if (!m) return std::nullopt;
  const std::string_view unit = m[4];
  const bool counted = m.has(3);
  const auto n = counted ? read_number(m[3]) : 1;
  if (!n) return std::nullopt;
  // "last week" is the calendar's; "the last week", "past week" and "last hour" roll.
  const bool calendar = unit == "week" || unit == "month" || unit == "year";
  if (!counted && calendar && !m.has(1) && m[2] != "past") return std::nullopt;
  // "wait for the last second"
  if (!counted && unit.starts_with("s")) return std::nullopt;
  // "the last two weeks of September" are the calendar's.
  static const RE2 kOf("^\\s+of\\s+(?:the\\s+)?");
  const std::string_view after = s.substr(m.length());
  const size_t of = TimeMatch(kOf, after).length();
  if (of > 0 && read_period(after.substr(of), now, true)) return std::nullopt;
  const auto from = units_before(unit, *n, now);
  if (!from) return std::nullopt;
  return window_until(now, *from, m.length());
}

std::optional<TimeReading> lasting_window(std::string_view before, std::string_view s,
                                          TimePoint now) {
  static const RE2 kFor("^for\\s+(?:about\\s+|almost\\s+|over\\s+|more than\\s+)?" COUNT
                        "\\s*" UNIT);
  const TimeMatch m(kFor, s);
  if (!m) return std::nullopt;
  // Enough for the verb and five words behind it.
  static constexpr size_t kBefore = 96;
  if (before.size() > kBefore) before.remove_prefix(before.size() - kBefore);
  static const RE2 kStill(
      "(?:\\b(?:has|have)|['’](?:s|ve))\\s+(?:now\\s+|already\\s+)?"
      "(?:done(?:\\s+(?:so|this|that|it))?|been(?:\\s+like\\s+this)?|"
      "been\\s+([a-z]+ing|down|out|slow|broken|degraded|flaky|unavailable|unreachable|unhealthy|"
      "offline|stuck|red|high|elevated)(?:\\s+[a-z0-9/_%-]+){0,5})\\s+$");
  static const RE2 kKept("^(?:keep|stor|retain|cach|hold|reserv|runn|wait|sleep|idl)ing$");
  re2::StringPiece verb;
  if (!RE2::PartialMatch(re2::StringPiece(before.data(), before.size()), kStill, &verb) ||
      RE2::FullMatch(verb, kKept)) {
    return std::nullopt;
  }
  const auto from = said_before(m[2], m[1], now);
  if (!from) return std::nullopt;
  return window_until(now, *from, m.length());
}

std::optional<TimeReading> window_before(std::string_view s, TimePoint other) {
  static const RE2 kBefore("^(?:in |of |with |than |over |during )?the\\s+(?:" COUNT
                           "[\\s-]*)??" UNIT "\\s+before(?:\\s+that)?");
  const TimeMatch m(kBefore, s);
  if (!m || !clause_ends(s.substr(m.length()))) return std::nullopt;
  const auto n = m.has(1) ? read_number(m[1]) : 1;
  const auto from = n ? units_before(m[2], *n, other) : std::nullopt;
  if (!from) return std::nullopt;
  return TimeReading{m.length(), {from, other}};
}

}  // namespace precedent
