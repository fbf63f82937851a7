#include "changes/service_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace precedent {
namespace {

constexpr std::string_view kFolder = "{service}";

}  // namespace

Result<void> ServiceMap::add(std::string_view prefix, std::vector<std::string> services) {
  const auto wrong = [&](std::string_view why) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("'{}': {}", prefix, why));
  };
  if (prefix.empty()) return wrong("is empty; write the folder that belongs to the service");
  Entry entry;
  const size_t at = prefix.find(kFolder);
  entry.any_folder = at != std::string_view::npos;
  entry.before = prefix.substr(0, at);
  if (entry.any_folder) {
    entry.after = prefix.substr(at + kFolder.size());
    if (entry.after.find(kFolder) != std::string::npos) return wrong("has {service} twice");
    if (!entry.after.starts_with('/')) return wrong("wants a / after {service}");
    if (!services.empty()) return wrong("has {service}, so it takes no services");
  } else if (services.empty()) {
    return wrong("names no service");
  }
  const auto known = std::ranges::find_if(entries_, [&](const Entry& other) {
    return !entry.any_folder && !other.any_folder && other.before == entry.before;
  });
  if (known != entries_.end()) {
    known->services.insert(known->services.end(), services.begin(), services.end());
    return {};
  }
  entry.services = std::move(services);
  entries_.push_back(std::move(entry));
  return {};
}

std::vector<std::string> ServiceMap::services_of(std::string_view path) const {
  std::vector<std::string> best;
  size_t weight = 0;
  for (const Entry& entry : entries_) {
    if (!path.starts_with(entry.before) || (!best.empty() && entry.weight() <= weight)) continue;
    if (!entry.any_folder) {
      best = entry.services;
    } else {
      const std::string_view rest = path.substr(entry.before.size());
      const size_t end = rest.find('/');
      if (end == 0 || end == std::string_view::npos || !rest.substr(end).starts_with(entry.after))
        continue;
      best = {std::string(rest.substr(0, end))};
    }
    weight = entry.weight();
  }
  return best;
}

std::vector<std::string> ServiceMap::named() const {
  std::set<std::string> names;
  for (const Entry& entry : entries_) names.insert(entry.services.begin(), entry.services.end());
  return {names.begin(), names.end()};
}

}  // namespace precedent
