// The single calls of a plan that ask the systems in operation and the code: of which time, which
// series, which service. Who decides which of them are made is plan_live.h.
//
// Thread safety: pure but for the look-ups in the sources.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/plan/plan.h"
#include "agent/sources/sources.h"
#include "agent/understand/policy.h"

namespace precedent {

// The first of that kind; null if there is none.
const Subject* subject_of(const Intent& intent, SubjectKind kind);

// "window=24h", "since=2026-11-17T15:40:00Z", "since=… until=…": the time of the question, for
// metrics.
std::string window_of(const Intent& intent);
// Appends the metrics that are asked for, and those that may have moved with them; or the alerts.
void plan_metrics(std::vector<PlannedCall>& calls, const Intent& intent, const Demand& demand,
                  const MetricsConfig* names);
bool names_metric(const Intent& intent, const std::string& metric);
// A metric that was asked for as a whole, of the part that is the system's.
PlannedCall metric_of(const MetricsResult& metric, const Intent& intent,
                      const std::pair<const std::string, std::string>& label);

// What recent_changes is asked: of which time, service and kind. What a system does now may come
// from what was changed days before.
ChangesQuery changes_query(const Intent& intent, const ChangeSource* source);
std::string changes_purpose(const Intent& intent);

// What repo_search is asked.
std::string code_query(const Intent& intent);

// What is already being worked on comes first to whoever is woken: the incidents of the system that
// are open.
std::vector<PlannedCall> open_incidents(const Intent& intent, const KnowledgeIndex& index);

}  // namespace precedent
