#include "ingest/fields/time_format.h"

#include <date/tz.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/time.h"

namespace precedent {
namespace {

// Minutes east of UTC of "+02:00", "-0530", "Z" or "UTC".
std::optional<std::chrono::minutes> offset_of(std::string_view zone) {
  if (zone.empty() || zone == "UTC" || zone == "Z") return std::chrono::minutes(0);
  if (zone[0] != '+' && zone[0] != '-') return std::nullopt;
  std::string digits(zone.substr(1));
  std::erase(digits, ':');
  if (digits.size() != 4 || !std::ranges::all_of(digits, is_digit)) return std::nullopt;
  const int hours = (digits[0] - '0') * 10 + digits[1] - '0';
  const int minutes = (digits[2] - '0') * 10 + digits[3] - '0';
  // The farthest is that of Kiribati.
  if (hours * 60 + minutes > 14 * 60 || minutes > 59) return std::nullopt;
  const std::chrono::minutes east(hours * 60 + minutes);
  return zone[0] == '-' ? -east : east;
}

// Null for a name that the system does not know.
const date::time_zone* zone_named(std::string_view name) {
  try {
    return date::locate_zone(std::string(name));
  } catch (const std::runtime_error&) {
    return nullptr;
  }
}

std::optional<TimePoint> time_in_one(std::string_view text, const std::string& format,
                                     std::string_view zone) {
  std::istringstream in{std::string(trim(text))};
  in.imbue(std::locale::classic());
  const auto read_whole = [&](auto& time) {
    in >> date::parse(format, time);
    return !in.fail() && (in.peek() == std::istringstream::traits_type::eof());
  };
  if (format.contains("%z")) {
    date::sys_seconds time;
    return read_whole(time) ? std::optional(TimePoint(time.time_since_epoch())) : std::nullopt;
  }
  date::local_seconds local;
  if (!read_whole(local)) return std::nullopt;
  if (const auto east = offset_of(zone)) return TimePoint(local.time_since_epoch() - *east);
  const date::time_zone* named = zone_named(zone);
  if (named == nullptr) return std::nullopt;
  // Of an hour that comes twice in autumn the first is meant; one that does not come in spring is
  // the moment of the change.
  return TimePoint(named->to_sys(local, date::choose::earliest).time_since_epoch());
}

}  // namespace

std::string_view unknown_in_format(std::string_view format) {
  constexpr std::string_view kKnown = "aAbBcCdDeFgGhHIjmMnprRStTuUVwWxXyYzZ%";
  for (size_t at = format.find('%'); at != std::string_view::npos; at = format.find('%', at + 1)) {
    const size_t begin = at++;
    if (at < format.size() && (format[at] == 'E' || format[at] == 'O')) ++at;
    if (at >= format.size() || !kKnown.contains(format[at]))
      return format.substr(begin, at + 1 - begin);
  }
  return {};
}

bool is_zone(std::string_view zone) { return offset_of(zone) || zone_named(zone) != nullptr; }

Result<std::string> time_in_format(std::string_view text, std::span<const std::string> formats,
                                   std::string_view zone) {
  for (const std::string& format : formats)
    if (const auto time = time_in_one(text, format, zone)) return format_time(*time);
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("'{}' does not follow the format {}", text, fmt::join(formats, " or ")));
}

}  // namespace precedent
