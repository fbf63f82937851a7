#include "agent/language/durations.h"

#include <fmt/format.h>

#include "base/strings.h"

namespace precedent {

std::string duration_text(std::chrono::minutes duration) {
  const auto minutes = duration.count();
  const auto days = minutes / 1440, hours = minutes / 60 % 24, rest = minutes % 60;
  std::string out;
  if (days > 0) out += fmt::format("{} d ", days);
  if (hours > 0) out += fmt::format("{} h ", hours);
  if (rest > 0 || out.empty()) out += fmt::format("{} min", rest);
  return std::string(trim(out));
}

}  // namespace precedent
