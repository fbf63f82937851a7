#include "agent/evidence/undone.h"

#include <fmt/format.h>

#include <algorithm>

#include "agent/evidence/releases.h"
#include "changes/reverts.h"
#include "tools/present.h"

namespace precedent {
namespace {

bool is_deploy(const Change& change) {
  return change.kind == ChangeKind::kDeploy || change.kind == ChangeKind::kVersionSeen;
}

bool is_of_another_environment(const Change& a, const Change& b) {
  return !a.environment.empty() && !b.environment.empty() && a.environment != b.environment;
}

// A flag may be known by its name alone; many services have a setting of the same name.
bool is_of_same_subject(const Change& a, const Change& b) {
  const bool any = a.services.empty() || b.services.empty();
  return a.kind == b.kind && !a.subject.empty() && a.subject == b.subject &&
         (shares_service(a, b) ||
          (any && (a.kind == ChangeKind::kFlag || a.services == b.services)));
}

std::vector<const Change*> changes_of(const std::vector<Receipt>& receipts) {
  std::vector<const Change*> changes;
  for (const Receipt& receipt : receipts)
    if (const auto* result = std::get_if<ChangesResult>(&receipt.result))
      for (const Change& change : result->changes) changes.push_back(&change);
  return changes;
}

// Whether the version ran before the suspected release, by that release's own record or an earlier
// one.
bool ran_before(const std::string& version, const Change& suspect,
                const std::vector<Receipt>& receipts) {
  if (version.empty() || version == suspect.version) return false;
  if (version == suspect.from) return true;
  return std::ranges::any_of(receipts, [&](const Receipt& receipt) {
    const auto* result = std::get_if<ChangesResult>(&receipt.result);
    return result != nullptr && std::ranges::any_of(result->changes, [&](const Change& change) {
             return is_deploy(change) && change.at < suspect.at && change.version == version &&
                    shares_service(change, suspect);
           });
  });
}

// A rollback from another version, or to the suspected one, is of a later release.
bool rolls_back(const Change& later, const Change& suspect) {
  if (later.kind != ChangeKind::kRollback) return false;
  if (suspect.version.empty()) return true;
  return later.version != suspect.version && (later.from.empty() || later.from == suspect.version);
}

// The title counts only where none of the changes is the commit that the hash names, as after a
// cherry-pick.
bool reverts(const Change& later, const Change& commit, const std::vector<Receipt>& receipts) {
  if (reverts_by_hash(later, commit)) return true;
  return later.kind == ChangeKind::kCommit && has_title_of_revert(later, commit) &&
         std::ranges::none_of(changes_of(receipts),
                              [&](const Change* other) { return reverts_by_hash(later, *other); });
}

bool takes_back(const Change& later, const Change& suspect, const std::vector<Receipt>& receipts) {
  switch (suspect.kind) {
    case ChangeKind::kDeploy:
    case ChangeKind::kVersionSeen:
      return shares_service(later, suspect) &&
             (rolls_back(later, suspect) ||
              (is_deploy(later) && ran_before(later.version, suspect, receipts)));
    case ChangeKind::kCommit: return reverts(later, suspect, receipts);
    case ChangeKind::kFlag:
    case ChangeKind::kConfig:
      return is_of_same_subject(later, suspect) && !suspect.from.empty() && !suspect.to.empty() &&
             suspect.from != suspect.to && later.to == suspect.from;
    case ChangeKind::kTag:
    case ChangeKind::kRollback: return false;
  }
  return false;
}

bool brings_back(const Change& later, const Change& suspect, const Change& undo,
                 const std::vector<Receipt>& receipts) {
  switch (suspect.kind) {
    case ChangeKind::kDeploy:
    case ChangeKind::kVersionSeen:
      return (is_deploy(later) || later.kind == ChangeKind::kRollback) &&
             shares_service(later, suspect) && !suspect.version.empty() &&
             later.version == suspect.version;
    case ChangeKind::kCommit: return reverts(later, undo, receipts);
    case ChangeKind::kFlag:
    case ChangeKind::kConfig: return is_of_same_subject(later, suspect) && later.to == suspect.to;
    case ChangeKind::kTag:
    case ChangeKind::kRollback: return false;
  }
  return false;
}

// What happened to it before `at`: "before that it rose at … from … to …, and "; "" if nothing did.
std::string level_before(const MetricsResult& metric, TimePoint at) {
  const ChangePoint* last = nullptr;
  for (const ChangePoint& change : metric.changes)
    if (change.at < at && (last == nullptr || change.at > last->at)) last = &change;
  if (last != nullptr)
    return fmt::format("before that it {}, and ", format_change(*last, metric.unit));
  for (const Episode& episode : metric.episodes)
    if (episode.from < at && !episode.until)
      return fmt::format("it is {}, and ", format_episode(episode, metric.unit));
  return "";
}

}  // namespace

std::optional<Undone> find_undone(const std::vector<Receipt>& receipts, const Change& suspect) {
  std::vector<Undone> later;
  for (const Receipt& receipt : receipts)
    if (const auto* result = std::get_if<ChangesResult>(&receipt.result))
      for (const Change& change : result->changes)
        if (change.at > suspect.at && !is_of_another_environment(change, suspect))
          later.push_back({&receipt, &change});
  std::ranges::stable_sort(later, {}, [](const Undone& u) { return u.change->at; });
  std::optional<Undone> undone;
  for (const Undone& next : later) {
    if (!undone && takes_back(*next.change, suspect, receipts))
      undone = next;
    else if (undone && brings_back(*next.change, suspect, *undone->change, receipts))
      undone.reset();
  }
  return undone;
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
  return fmt::format(
      "no change of {} since: {}it was {} at {}", metric.metric, level_before(metric, at),
      format_metric_value(metric.summary->last, metric.unit), format_time(metric.summary->last_at));
}

}  // namespace precedent
