#include "knowledge/scope.h"

#include <algorithm>
#include <set>

#include "knowledge/case_fold.h"

namespace precedent {

bool Scope::sees(Kind kind) const {
  return kinds.empty() || std::ranges::find(kinds, kind) != kinds.end();
}

std::string canonical_text(const Scope& scope) {
  std::set<std::string> parts;
  for (const Kind kind : scope.kinds) parts.insert(std::string("kind ").append(name(kind)));
  for (const std::string& service : scope.services) parts.insert("service " + case_fold(service));
  std::string text;
  for (const std::string& part : parts) text += part + '\n';
  return text;
}

std::optional<Filter> within(const Scope& scope, Filter filter) {
  if (filter.kinds.empty()) {
    filter.kinds = scope.kinds;
  } else {
    std::erase_if(filter.kinds, [&](Kind kind) { return !scope.sees(kind); });
    if (filter.kinds.empty()) return std::nullopt;
  }
  if (scope.services.empty()) return filter;
  if (filter.systems.empty()) {
    filter.systems = scope.services;
    return filter;
  }
  std::erase_if(filter.systems, [&](const std::string& system) {
    return std::ranges::none_of(scope.services, [&](const std::string& service) {
      return case_fold(service) == case_fold(system);
    });
  });
  return filter.systems.empty() ? std::nullopt : std::optional(filter);
}

}  // namespace precedent
