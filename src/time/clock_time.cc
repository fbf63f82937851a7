#include "time/clock_time.h"

#include "time/time_words.h"

namespace precedent {
namespace {

using namespace std::chrono;  // NOLINT: calendar arithmetic reads badly without

using Half = ClockTime::Half;

// "pm", "p.m.", "in the evening", "this morning", "o'clock at night": three groups.
#define HALF                                                                        \
  "(?:\\s*([ap])(?:m\\b|\\.m\\.)|\\s+(?:o['’]?clock\\s+)?(?:(?:in\\s+the|this)\\s+" \
  "(morning|afternoon|evening)|at\\s+(night))\\b)"

Half half_of(std::string_view letter, std::string_view part, std::string_view night, int hour) {
  if (!letter.empty()) return letter == "p" ? Half::kPm : Half::kAm;
  if (!part.empty()) return part == "morning" ? Half::kAm : Half::kPm;
  if (!night.empty()) return hour == 12 || hour < 6 ? Half::kAm : Half::kPm;
  return Half::kNone;
}

minutes in_half(minutes clock, Half half) {
  const minutes of_twelve = clock % hours(12);
  return half == Half::kPm ? of_twelve + hours(12) : of_twelve;
}

std::optional<ClockTime> digits(std::string_view s) {
  static const RE2 kMinutes("^([01]?\\d|2[0-4]):([0-5]\\d)(?::[0-5]\\d)?" HALF "?");
  static const RE2 kHour("^(0?[1-9]|1[0-2])" HALF);
  static const RE2 kBareHour(
      "^(0?[1-9]|1[0-2])(?:\\s+(?:and|to|until|till)\\s+|\\s*(?:-|–)\\s*)(?:0?[1-9]|1[0-2])"
      "(?::[0-5]\\d)?" HALF);
  ClockTime clock;
  if (const TimeMatch m(kMinutes, s); m) {
    const int hour = m.number(1), minute = m.number(2);
    clock.length = m.length();
    clock.half = half_of(m[3], m[4], m[5], hour);
    if (hour > 24 || (hour == 24 && minute > 0) || (clock.half != Half::kNone && hour > 12))
      return std::nullopt;
    clock.since_midnight = hours(hour) + minutes(minute);
    clock.either_half =
        clock.half == Half::kNone && hour >= 1 && hour <= 12 && !m[1].starts_with('0');
  } else if (const TimeMatch whole(kHour, s); whole) {
    const int hour = whole.number(1);
    clock.length = whole.length();
    clock.half = half_of(whole[2], whole[3], whole[4], hour);
    clock.since_midnight = hours(hour);
  } else if (const TimeMatch bare(kBareHour, s); bare) {
    clock.length = bare[1].size();
    clock.since_midnight = hours(bare.number(1));
    clock.either_half = true;
  } else {
    return std::nullopt;
  }
  if (clock.half != Half::kNone) clock.since_midnight = in_half(clock.since_midnight, clock.half);
  return clock;
}

std::optional<ClockTime> named(std::string_view s) {
  static const RE2 kNamed("^(midnight|noon|midday|lunch(?:[\\s-]?time)?)\\b");
  const TimeMatch m(kNamed, s);
  if (!m || !ends_well(s, m.length())) return std::nullopt;
  return ClockTime{hours(m[1] == "midnight" ? 0 : 12), m.length()};
}

struct Zone {
  std::string_view name;
  int minutes_east;
};
constexpr Zone kZones[] = {
    {"utc", 0},    {"gmt", 0},    {"z", 0},      {"bst", 60},   {"cet", 60},   {"cest", 120},
    {"eet", 120},  {"eest", 180}, {"msk", 180},  {"ist", 330},  {"sgt", 480},  {"jst", 540},
    {"aest", 600}, {"aedt", 660}, {"est", -300}, {"edt", -240}, {"cst", -360}, {"cdt", -300},
    {"mst", -420}, {"mdt", -360}, {"pst", -480}, {"pdt", -420}};

struct ReadZone {
  minutes east;
  size_t length;
};

std::optional<ReadZone> read_zone(std::string_view s, bool after_t) {
  static const RE2 kOffset("^(\\s?\\+|-)(\\d{2}):?([0-5]\\d)\\b");
  // "utc-11:00" may be the other end of a range, "utc-05:00" and "utc-5" are zones.
  static const RE2 kFromUtc(
      "^\\s*\\(?(?:utc|gmt)(?:(\\+)(\\d{1,2})(?::?([0-5]\\d))?|-(0\\d):?([0-5]\\d)|-(\\d{1,2}))"
      "\\b\\)?");
  static const RE2 kName("^\\s*\\(?([a-z]{1,4})\\b\\)?");
  if (const TimeMatch m(kOffset, s); m && (after_t || m[1] != "-") && m.number(2) <= 14) {
    const minutes size = hours(m.number(2)) + minutes(m.number(3));
    return ReadZone{m[1] == "-" ? -size : size, m.length()};
  }
  if (const TimeMatch m(kFromUtc, s); m && !s.substr(m.length()).starts_with(":")) {
    const size_t hour = m.has(1) ? 2 : m.has(4) ? 4 : 6;
    const bool has_minutes = hour != 6 && m.has(hour + 1);
    const minutes size = hours(m.number(hour)) + minutes(has_minutes ? m.number(hour + 1) : 0);
    if (size <= hours(14)) return ReadZone{m.has(1) ? size : -size, m.length()};
  }
  const TimeMatch m(kName, s);
  if (!m) return std::nullopt;
  for (const Zone& zone : kZones)
    if (zone.name == m[1]) return ReadZone{minutes(zone.minutes_east), m.length()};
  return std::nullopt;
}

}  // namespace

std::optional<ClockTime> read_clock(std::string_view lower, bool after_t) {
  auto clock = digits(lower);
  if (!clock) clock = named(lower);
  if (!clock) return std::nullopt;
  static const RE2 kUnknownZone("^\\s*\\(?(?:[ecmp]t|local)\\b");
  if (TimeMatch(kUnknownZone, lower.substr(clock->length))) return std::nullopt;
  if (const auto zone = read_zone(lower.substr(clock->length), after_t)) {
    clock->zone = zone->east;
    clock->length += zone->length;
  }
  // "14:30:15.123" and "00:1a:2b:…" are no times that people write.
  if (!ends_well(lower, clock->length, ".:")) return std::nullopt;
  return clock;
}

void agree_on_clock(ClockTime& left, ClockTime& right) {
  if (!left.zone) left.zone = right.zone;
  if (!right.zone) right.zone = left.zone;
  if (left.half != Half::kNone && right.either_half) {
    // "from 9 am to 11:30" stays before noon, "from 11 am to 1:30" does not.
    const minutes same = in_half(right.since_midnight, left.half);
    right.since_midnight = same > left.since_midnight ? same : (same + hours(12)) % hours(24);
  }
  if (right.half != Half::kNone && left.either_half) {
    const minutes same = in_half(left.since_midnight, right.half);
    left.since_midnight = same < right.since_midnight ? same : (same + hours(12)) % hours(24);
  }
}

}  // namespace precedent
