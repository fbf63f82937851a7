#include "agent/slots/time_condition.h"

#include <re2/re2.h>

#include <array>
#include <cctype>
#include <cstdlib>
#include <string_view>

#include "base/ascii.h"
#include "time/time_hints.h"

namespace precedent {
namespace {

struct Clock {
  std::string_view words;
  int from, to;  // hours, half-open; from > to goes over midnight
};
constexpr Clock kClock[] = {{"morning", 5, 12}, {"afternoon", 12, 18}, {"evening", 17, 23},
                            {"night", 21, 6},   {"overnight", 21, 6},  {"midnight", 23, 2},
                            {"noon", 11, 14},   {"lunch", 11, 14}};
constexpr std::array<std::string_view, 12> kMonths = {
    "january", "february", "march",     "april",   "may",      "june",
    "july",    "august",   "september", "october", "november", "december"};
constexpr std::array<std::string_view, 7> kDays = {"sunday",   "monday", "tuesday", "wednesday",
                                                   "thursday", "friday", "saturday"};

bool has_word(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const auto letter = [&](size_t i) { return i < text.size() && is_letter(text[i]); };
    if ((at == 0 || !letter(at - 1)) && !letter(at + word.size())) return true;
  }
  return false;
}

std::optional<std::pair<int, int>> hours_in(const std::string& words) {
  // "At 3 in the morning", an hour more or less: people round.
  static const RE2 kSpoken(
      "\\b(\\d{1,2})(?::\\d{2})?(?: o.?clock)? (?:in the|at) (morning|night|afternoon|evening)\\b");
  int said = 0;
  std::string part;
  if (RE2::PartialMatch(words, kSpoken, &said, &part) && said <= 12) {
    const bool late = part == "afternoon" || part == "evening" || (part == "night" && said > 5);
    const int hour = said % 12 + (late ? 12 : 0);
    return std::pair{(hour + 23) % 24, (hour + 2) % 24};
  }
  for (const Clock& clock : kClock)
    if (has_word(words, clock.words)) return std::pair{clock.from, clock.to};
  static const RE2 kTwelve("\\b(\\d{1,2})(?::\\d{2})? ?(am|pm)\\b");
  static const RE2 kTwentyFour("\\b([01]?\\d|2[0-3]):\\d{2}\\b");
  int hour = 0;
  std::string half;
  if (RE2::PartialMatch(words, kTwelve, &hour, &half)) {
    hour = hour % 12 + (half == "pm" ? 12 : 0);
  } else if (!RE2::PartialMatch(words, kTwentyFour, &hour)) {
    return std::nullopt;
  }
  return std::pair{hour, hour + 1};
}

}  // namespace

bool TimeCondition::fits(const Incident& incident) const {
  const auto at = opened(incident);
  if (!at) return false;
  const auto day_of = std::chrono::floor<std::chrono::days>(*at);
  const std::chrono::year_month_day date{day_of};
  if (month && static_cast<unsigned>(date.month()) != *month) return false;
  if (year && static_cast<int>(date.year()) != *year) return false;
  if (day && static_cast<unsigned>(date.day()) != *day) return false;
  if (weekday && std::chrono::weekday{day_of}.c_encoding() != *weekday) return false;
  if (range && !range->contains(*at)) return false;
  if (!hours) return true;
  if (!incident.opened_at) return false;  // the date in an id has no hour
  const int hour =
      static_cast<int>(std::chrono::duration_cast<std::chrono::hours>(*at - day_of).count());
  const auto [from, to] = *hours;
  return from < to ? hour >= from && hour < to : hour >= from || hour < to;
}

TimeCondition read_time_condition(const std::string& words, TimePoint now) {
  TimeCondition when;
  for (size_t i = 0; i < kMonths.size(); ++i) {
    // "May" is a verb as well; the others also count by their first three letters.
    const bool said = has_word(words, kMonths[i]) ||
                      (kMonths[i] != "may" && has_word(words, kMonths[i].substr(0, 3)));
    if (said) when.month = static_cast<unsigned>(i + 1);
  }
  for (size_t i = 0; i < kDays.size(); ++i)
    if (has_word(words, kDays[i])) when.weekday = static_cast<unsigned>(i);
  static const RE2 kYear("\\b((?:19|20)\\d{2})\\b");
  static const RE2 kDay("\\b(\\d{1,2})(?:st|nd|rd|th)\\b");
  int number = 0;
  if (RE2::PartialMatch(words, kYear, &number)) when.year = number;
  if (RE2::PartialMatch(words, kDay, &number)) when.day = static_cast<unsigned>(number);
  when.hours = hours_in(words);
  // "Yesterday", "last week", "since the 3rd of March": as everywhere else.
  if (when.empty()) {
    const auto hints = find_time_hints(words, now);
    if (!hints.empty()) when.range = intersection(hints);
  } else if (when.month && !when.day) {
    static const RE2 kDayBeside("\\b(\\d{1,2}) (?:[a-z]{3,9})\\b|\\b[a-z]{3,9} (\\d{1,2})\\b");
    std::string before, after;
    if (RE2::PartialMatch(words, kDayBeside, &before, &after) && !when.hours) {
      const int day = std::atoi((before.empty() ? after : before).c_str());
      if (day >= 1 && day <= 31) when.day = static_cast<unsigned>(day);
    }
  }
  return when;
}

}  // namespace precedent
