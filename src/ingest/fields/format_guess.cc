#include "ingest/fields/format_guess.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/strings.h"
#include "ingest/fields/time_format.h"

namespace precedent {
namespace {

// More than one tool hardly ever wrote into one column.
constexpr size_t kMostFormats = 4;

constexpr std::string_view kYearFirst[] = {"%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d"};
constexpr std::string_view kDayFirst[] = {"%d/%m/%Y", "%d.%m.%Y", "%d-%m-%Y",
                                          "%d/%m/%y", "%d.%m.%y", "%d-%m-%y"};
constexpr std::string_view kMonthFirst[] = {"%m/%d/%Y", "%m-%d-%Y", "%m/%d/%y", "%m-%d-%y"};
constexpr std::string_view kWithName[] = {"%d %b %Y", "%d-%b-%Y", "%d-%b-%y", "%b %d, %Y",
                                          "%b %d %Y"};
constexpr std::string_view kTimes[] = {
    "",       " %H:%M",    " %H:%M:%S",  " %I:%M %p",   " %I:%M:%S %p", ", %H:%M",
    "T%H:%M", "T%H:%M:%S", "T%H:%M:%SZ", "T%H:%M:%S%z", " %H:%M %z",    " %H:%M:%S %z"};

std::vector<std::string> candidates(DateOrder order) {
  std::vector<std::string> all;
  const auto add = [&](std::span<const std::string_view> dates) {
    for (const std::string_view date : dates)
      for (const std::string_view time : kTimes) all.push_back(fmt::format("{}{}", date, time));
  };
  add(kYearFirst);
  if (order == DateOrder::kMonthFirst) {
    add(kMonthFirst);
  } else {
    add(kDayFirst);
  }
  add(kWithName);
  return all;
}

// A year of two digits would be read as one of the first century.
bool follows(const std::string& text, const std::string& format) {
  const auto time = time_in_format(text, {&format, 1}, "UTC");
  return time && (time->starts_with("19") || time->starts_with("20"));
}

bool begins_with_year(std::string_view text) {
  return text.size() > 4 && std::ranges::all_of(text.substr(0, 4), is_digit) && text[4] == '-' &&
         parse_time(text).has_value();
}

}  // namespace

std::vector<std::string> guess_formats(std::span<const std::string> texts, DateOrder order) {
  std::vector<std::string> open(texts.begin(), texts.end()), found;
  if (std::ranges::all_of(open, begins_with_year)) return found;
  const std::vector<std::string> known = candidates(order);
  while (!open.empty() && found.size() < kMostFormats) {
    const auto read_by = [&](const std::string& format) {
      return std::ranges::count_if(open,
                                   [&](const std::string& text) { return follows(text, format); });
    };
    const auto best = std::ranges::max_element(known, {}, read_by);
    const auto gone =
        std::erase_if(open, [&](const std::string& text) { return follows(text, *best); });
    if (gone == 0) break;
    found.push_back(*best);
  }
  return found;
}

}  // namespace precedent
