#include "knowledge/filter.h"

#include <fmt/format.h>

#include "base/strings.h"

namespace precedent {

std::string to_string(const Filter& filter) {
  std::vector<std::string> parts;
  const auto add = [&](std::string_view field, const std::vector<std::string>& values) {
    if (!values.empty()) parts.push_back(fmt::format("{}={}", field, join(values, "|")));
  };
  std::vector<std::string> kinds;
  for (const Kind kind : filter.kinds) kinds.emplace_back(name(kind));
  add("kind", kinds);
  add("service", filter.services);
  add("tag", filter.tags);
  add("application", filter.applications);
  add("system", filter.systems);
  add("id", filter.ids);
  add("severity", filter.severities);
  add("status", filter.statuses);
  if (!filter.opened.unbounded()) {
    parts.push_back(fmt::format("opened=[{},{})",
                                filter.opened.from ? format_time(*filter.opened.from) : "",
                                filter.opened.to ? format_time(*filter.opened.to) : ""));
  }
  return parts.empty() ? "none" : join(parts, " ");
}

}  // namespace precedent
