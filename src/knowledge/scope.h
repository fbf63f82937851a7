// Scope: which documents somebody may see. Empty means all.
//
// Enforced below every search and every read: by ScopedIndex (index/scoped_index.h) and by a
// KnowledgeStore that is opened with one. What is outside is not found, counted or named.
// Names compare as in a Filter. Thread safety: plain values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "knowledge/filter.h"

namespace precedent {

struct Scope {
  std::vector<Kind> kinds;
  // A document is of a service if it names it, or has it as its application. Documents that name
  // none are of nobody's service, and outside of any such scope.
  std::vector<std::string> services;

  bool everything() const { return kinds.empty() && services.empty(); }
  bool sees(Kind kind) const;
  bool operator==(const Scope&) const = default;
  auto operator<=>(const Scope&) const = default;
};

// The same text for scopes that hold the same, whatever their order and case.
std::string canonical_text(const Scope& scope);

// The filter within the scope; nothing if no document can be in both. Of the systems that it names
// those of the scope are left.
std::optional<Filter> within(const Scope& scope, Filter filter);

}  // namespace precedent
