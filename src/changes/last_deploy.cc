#include "changes/last_deploy.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"

namespace precedent {
namespace {

struct Step {
  DeployEvidence evidence;
  std::vector<ChangeKind> kinds;
};

const std::vector<Step>& steps() {
  static const std::vector<Step> kSteps = {
      {DeployEvidence::kRecorded, {ChangeKind::kDeploy, ChangeKind::kRollback}},
      {DeployEvidence::kTag, {ChangeKind::kTag}},
      {DeployEvidence::kVersionSeen, {ChangeKind::kVersionSeen}},
  };
  return kSteps;
}

}  // namespace

std::string_view name(DeployEvidence evidence) {
  switch (evidence) {
    case DeployEvidence::kRecorded: return "a recorded deploy";
    case DeployEvidence::kTag: return "a git tag";
    case DeployEvidence::kVersionSeen: return "a change of the version that the service reports";
  }
  return "a recorded deploy";
}

std::string LastDeploy::text() const {
  std::string what = join(change.services, ", ");
  if (!change.version.empty()) what += (what.empty() ? "" : " ") + change.version;
  if (change.kind == ChangeKind::kRollback) what = "rollback to " + what;
  const std::string place = change.line > 0 ? fmt::format("{}:{}", change.path, change.line)
                                            : fmt::format("{} {}", change.source, change.id);
  return fmt::format("{}, {} ({}: {})", what, format_time(change.at), name(evidence), place);
}

Result<std::optional<LastDeploy>> last_deploy(const ChangeSource& source, std::string_view service,
                                              TimePoint now, TimeRange range) {
  const TimePoint end = now + std::chrono::seconds(1);
  range.to = range.to ? std::min(*range.to, end) : end;
  for (const Step& step : steps()) {
    ChangeList list = TRY(source.changes(
        {.range = range, .service = std::string(service), .kinds = step.kinds, .limit = 1}));
    if (!list.changes.empty()) return LastDeploy{std::move(list.changes.front()), step.evidence};
  }
  return std::nullopt;
}

}  // namespace precedent
