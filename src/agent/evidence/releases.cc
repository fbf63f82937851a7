#include "agent/evidence/releases.h"

#include <algorithm>

namespace precedent {

bool is_release(const Change& change) {
  return change.kind == ChangeKind::kDeploy || change.kind == ChangeKind::kRollback ||
         change.kind == ChangeKind::kVersionSeen;
}

bool shares_service(const Change& a, const Change& b) {
  return std::ranges::any_of(a.services, [&](const std::string& service) {
    return std::ranges::find(b.services, service) != b.services.end();
  });
}

}  // namespace precedent
