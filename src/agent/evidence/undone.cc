#include "agent/evidence/undone.h"

#include <fmt/format.h>

#include <algorithm>

#include "changes/change_record.h"
#include "tools/present.h"

namespace precedent {
namespace {

bool is_release(const Change& change) {
  return change.kind == ChangeKind::kDeploy || change.kind == ChangeKind::kVersionSeen;
}

bool shares_a_service(const Change& a, const Change& b) {
  return std::ranges::any_of(a.services, [&](const std::string& service) {
    return std::ranges::find(b.services, service) != b.services.end();
  });
}

bool is_of_another_environment(const Change& a, const Change& b) {
  return !a.environment.empty() && !b.environment.empty() && a.environment != b.environment;
}

// Whether the version ran before the suspected release, which says so itself or whose elders do.
bool ran_before(const std::string& version, const Change& suspect,
                const std::vector<Receipt>& receipts) {
  if (version.empty() || version == suspect.version) return false;
  if (version == suspect.from) return true;
  return std::ranges::any_of(receipts, [&](const Receipt& receipt) {
    const auto* result = std::get_if<ChangesResult>(&receipt.result);
    return result != nullptr && std::ranges::any_of(result->changes, [&](const Change& change) {
             return is_release(change) && change.at < suspect.at && change.version == version &&
                    shares_a_service(change, suspect);
           });
  });
}

// A rollback from another version, or to the suspected one, is of a later release.
bool rolls_back(const Change& later, const Change& suspect) {
  if (later.kind != ChangeKind::kRollback) return false;
  if (suspect.version.empty()) return true;
  return later.version != suspect.version && (later.from.empty() || later.from == suspect.version);
}

bool takes_back(const Change& later, const Change& suspect, const std::vector<Receipt>& receipts) {
  if (is_of_another_environment(later, suspect)) return false;
  switch (suspect.kind) {
    case ChangeKind::kDeploy:
    case ChangeKind::kVersionSeen:
      return shares_a_service(later, suspect) &&
             (rolls_back(later, suspect) ||
              (is_release(later) && ran_before(later.version, suspect, receipts)));
    case ChangeKind::kCommit:
      return later.kind == ChangeKind::kCommit &&
             later.title == fmt::format("Revert \"{}\"", suspect.title);
    case ChangeKind::kFlag:
    case ChangeKind::kConfig:
      return later.kind == suspect.kind && flag_of(later) == flag_of(suspect) &&
             (suspect.kind == ChangeKind::kFlag || shares_a_service(later, suspect)) &&
             !suspect.to.empty() && later.from == suspect.to && later.to == suspect.from;
    case ChangeKind::kTag:
    case ChangeKind::kRollback: return false;
  }
  return false;
}

}  // namespace

std::optional<Undone> find_undone(const std::vector<Receipt>& receipts, const Change& suspect) {
  std::optional<Undone> first;
  for (const Receipt& receipt : receipts) {
    const auto* result = std::get_if<ChangesResult>(&receipt.result);
    if (result == nullptr) continue;
    for (const Change& change : result->changes) {
      if (change.at <= suspect.at || !takes_back(change, suspect, receipts)) continue;
      if (!first || change.at < first->change->at) first = {&receipt, &change};
    }
  }
  return first;
}

std::string course_after(const MetricsResult& metric, TimePoint at) {
  const ChangePoint* next = nullptr;
  for (const ChangePoint& change : metric.changes)
    if (change.at >= at && (next == nullptr || change.at < next->at)) next = &change;
  if (next != nullptr)
    return fmt::format("{} {}", metric.metric, format_change(*next, metric.unit));
  for (const Episode& episode : metric.episodes)
    if (episode.from < at && episode.until && *episode.until >= at)
      return fmt::format("{} was as usual again at {}", metric.metric, format_time(*episode.until));
  if (!metric.summary || metric.summary->last_at <= at)
    return fmt::format("{} has no values since", metric.metric);
  return fmt::format("no change of {} since: it was {} at {}", metric.metric,
                     format_metric_value(metric.summary->last, metric.unit),
                     format_time(metric.summary->last_at));
}

}  // namespace precedent
