#include "grounding/text/numerals.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace precedent {

std::optional<uint32_t> digits(std::string_view text, size_t at, size_t count) {
  if (at + count > text.size()) return std::nullopt;
  uint32_t value = 0;
  for (size_t i = at; i < at + count; ++i) {
    if (!is_digit(text[i])) return std::nullopt;
    value = value * 10 + static_cast<uint32_t>(text[i] - '0');
  }
  return value;
}

uint32_t of_half_day(uint32_t hour, std::string_view mark) {
  if (mark == "pm" && hour < 12) return hour + 12;
  return mark == "am" && hour == 12 ? 0 : hour;
}

std::optional<uint32_t> time_of_day(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon > 2) return std::nullopt;
  const auto hour = digits(text, 0, colon), minute = digits(text, colon + 1, 2);
  if (!hour || !minute || *hour > 24 || *minute > 59) return std::nullopt;
  size_t end = colon + 3;
  uint32_t second = 0;
  if (end < text.size() && text[end] == ':') {
    const auto read = digits(text, end + 1, 2);
    if (!read) return std::nullopt;
    second = *read;
    end += 3;
  }
  std::string_view rest = text.substr(end);
  if (const size_t sign = rest.find('-'); sign != std::string_view::npos && zone_offset(text) != 0)
    rest = rest.substr(0, sign);
  const bool half_day = rest == "am" || rest == "pm";
  if (!rest.empty() && rest != "z" && rest[0] != '.' && rest[0] != '+' && !half_day)
    return std::nullopt;
  return of_half_day(*hour, rest) * 3600 + *minute * 60 + second;
}

int16_t zone_offset(std::string_view time) {
  const size_t sign = time.find_first_of("+-");
  if (sign == std::string_view::npos || time.find(':') > sign) return 0;
  std::string_view zone = time.substr(sign + 1);
  // "07:00-19:00" are two times, and so might be "-05:00" behind a time without seconds.
  const bool seconds = std::ranges::count(time.substr(0, sign), ':') == 2;
  if (time[sign] == '-' && !seconds) return 0;
  const size_t hours = std::min<size_t>(zone.size(), zone.size() == 1 ? 1 : 2);
  const auto hour = digits(zone, 0, hours);
  zone.remove_prefix(hours);
  if (zone.starts_with(':')) zone.remove_prefix(1);
  const auto minute = zone.empty() ? std::optional<uint32_t>(0) : digits(zone, 0, zone.size());
  constexpr uint32_t kMostHours = 14;
  if (!hour || !minute || *hour > kMostHours || *minute > 59) return 0;
  const auto offset = static_cast<int16_t>(*hour * 60 + *minute);
  return time[sign] == '-' ? static_cast<int16_t>(-offset) : offset;
}

std::optional<CalendarDate> iso_date(std::string_view text) {
  const auto year = digits(text, 0, 4), month = digits(text, 5, 2), day = digits(text, 8, 2);
  if (!year || !month || !day || text[4] != '-' || text[7] != '-') return std::nullopt;
  if (*month < 1 || *month > 12 || *day < 1 || *day > 31) return std::nullopt;
  return CalendarDate{static_cast<uint16_t>(*year), static_cast<uint8_t>(*month),
                      static_cast<uint8_t>(*day)};
}

std::optional<Number> leading_number(std::string_view text) {
  size_t i = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  const size_t first = i;
  while (i < text.size() && is_digit(text[i])) ++i;
  // More digits than a double holds are an identifier.
  if (i == first || i - first > 15) return std::nullopt;
  Number number;
  if (i + 1 < text.size() && text[i] == '.' && is_digit(text[i + 1])) {
    const size_t point = i++;
    while (i < text.size() && is_digit(text[i])) ++i;
    if (i - point > 12 || (i < text.size() && text[i] == '.')) return std::nullopt;
    number.step = std::pow(10.0, -static_cast<double>(i - point - 1));
  }
  const char* begin = text.data() + (text[0] == '+' ? 1 : 0);
  if (std::from_chars(begin, text.data() + i, number.value).ec != std::errc{}) return std::nullopt;
  number.length = i;
  return number;
}

}  // namespace precedent
