#include "knowledge/scope.h"

#include <algorithm>

namespace precedent {

bool Scope::sees(Kind kind) const {
  return kinds.empty() || std::ranges::find(kinds, kind) != kinds.end();
}

std::optional<Filter> within(const Scope& scope, Filter filter) {
  if (filter.kinds.empty()) {
    filter.kinds = scope.kinds;
  } else {
    std::erase_if(filter.kinds, [&](Kind kind) { return !scope.sees(kind); });
    if (filter.kinds.empty()) return std::nullopt;
  }
  if (!scope.services.empty()) filter.systems = scope.services;
  return filter;
}

}  // namespace precedent
