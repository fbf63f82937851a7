#include "changes/change.h"

#include <algorithm>
#include <tuple>

#include "base/strings.h"

namespace precedent {

std::string_view name(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::kCommit: return "commit";
    case ChangeKind::kTag: return "tag";
    case ChangeKind::kDeploy: return "deploy";
    case ChangeKind::kRollback: return "rollback";
    case ChangeKind::kFlag: return "flag";
    case ChangeKind::kConfig: return "config";
    case ChangeKind::kVersionSeen: return "version";
  }
  return "commit";
}

std::optional<ChangeKind> parse_change_kind(std::string_view text) {
  for (const ChangeKind kind : kAllChangeKinds) {
    if (iequals(text, name(kind))) return kind;
  }
  return std::nullopt;
}

bool newer(const Change& a, const Change& b) {
  return std::tie(b.at, a.kind, a.id, a.source) < std::tie(a.at, b.kind, b.id, b.source);
}

void settle_services(Change& change) {
  std::ranges::sort(change.services);
  const auto twice = std::ranges::unique(change.services);
  change.services.erase(twice.begin(), twice.end());
}

}  // namespace precedent
