#include "tools/figures.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/ascii.h"
#include "base/strings.h"
#include "knowledge/incident.h"

namespace precedent {

std::optional<double> number_in(std::string_view cell) {
  cell = trim(cell);
  const size_t begin = cell.find_first_of("0123456789");
  if (begin == std::string_view::npos) return std::nullopt;
  const size_t end = cell.find_last_of("0123456789") + 1;
  constexpr size_t kLongestUnit = 8;
  const std::string_view before = trim(cell.substr(0, begin)), after = cell.substr(end);
  if (before.size() > kLongestUnit || trim(after).size() > kLongestUnit) return std::nullopt;
  if (begin > 0 && is_letter(cell[begin - 1])) return std::nullopt;  // "SEV1", "v2"
  const bool negative = before.ends_with('-');
  if (negative && before.size() > 1 && is_letter(before[before.size() - 2])) return std::nullopt;
  std::string digits = negative ? "-" : "";
  const std::string_view number = cell.substr(begin, end - begin);
  for (size_t i = 0; i < number.size(); ++i) {
    const char c = number[i];
    if (is_digit(c)) {
      digits += c;
      continue;
    }
    // A separator stands before groups of three digits; the last point or comma otherwise begins
    // the fraction.
    const size_t next = number.find_first_not_of("0123456789", i + 1);
    const size_t run = (next == std::string_view::npos ? number.size() : next) - i - 1;
    const bool last = next == std::string_view::npos;
    if (std::string_view(",.' ").find(c) == std::string_view::npos) return std::nullopt;
    const bool again = number.find(c) < i;  // "1.250.000"
    if (run == 3 && (c != '.' || !last || again)) continue;
    if (!last || (c != '.' && c != ',')) return std::nullopt;
    digits += '.';
  }
  double value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::string figure_text(double value) {
  const std::string plain = fmt::format("{:.2f}", value);
  const size_t point = plain.find('.');
  std::string whole = plain.substr(0, point), fraction = plain.substr(point);
  while (fraction.ends_with('0')) fraction.pop_back();
  if (fraction == ".") fraction.clear();
  const size_t first = whole.starts_with('-') ? 1 : 0;
  for (size_t i = whole.size(); i > first + 3; i -= 3) whole.insert(i - 3, ",");
  return whole + fraction;
}

std::string figure_text(const FiguresResult& result, double value) {
  if (result.of != kDuration) return figure_text(value);
  return format_duration(std::chrono::minutes(std::lround(value)));
}

}  // namespace precedent
