#include "changes/last_deploy.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"

namespace precedent {
namespace {

// Deploys among which a version is looked for.
constexpr size_t kMaxLooked = 500;

std::string_view without_v(std::string_view version) {
  if (version.size() > 1 && (version[0] == 'v' || version[0] == 'V')) version.remove_prefix(1);
  return version;
}

// Less may be said than there is: "2.31" of 2.31.0.
bool is_version(std::string_view version, std::string_view wanted) {
  version = without_v(version);
  wanted = without_v(wanted);
  return version.starts_with(wanted) && (wanted.empty() || version.size() == wanted.size() ||
                                         std::string_view(".-+").contains(version[wanted.size()]));
}

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
                                              TimePoint now, const DeployWanted& wanted) {
  const TimePoint end = now + std::chrono::seconds(1);
  TimeRange range = wanted.range;
  range.to = range.to ? std::min(*range.to, end) : end;
  const size_t limit = wanted.version.empty() && wanted.rollbacks ? 1 : kMaxLooked;
  for (const Step& step : steps()) {
    ChangeList list = TRY(source.changes({.range = range,
                                          .service = std::string(service),
                                          .environment = std::string(wanted.environment),
                                          .kinds = step.kinds,
                                          .limit = limit}));
    TRY(check_readable(list.asked));
    for (Change& change : list.changes)
      if (is_version(change.version, wanted.version) &&
          (wanted.rollbacks || change.kind != ChangeKind::kRollback))
        return LastDeploy{std::move(change), step.evidence};
  }
  return std::nullopt;
}

}  // namespace precedent
