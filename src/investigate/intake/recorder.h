// Recording: a live incident becomes a folder (docs/format/snapshot.md) that can be asked and
// investigated again, with the same answers.
//
//   metrics.prom           every series of the window, at its steps; the same hours of the day and
//                          the week before, at steps of five minutes
//   alerts.json            what was active then, and at the end
//   logs.ndjson            lines, those of the service first (telemetry/logs_source.h)
//   traces.json            a sample of traces (telemetry/traces_source.h)
//   context/commits.json   with their diffs
//   context/deploys.json, context/flags.json
//   incident.json          which incident it is of, what was recorded, from when to when, and what
//                          could not be
//
// Texts are written as the sources gave them, but for secrets, which are redacted. A folder is
// made whole or not at all. Errors: kConflict for a folder that holds something; those of the
// disk; kCancelled. A source that cannot be read is missing, and no error.
// Thread safety: one thread.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "changes/change_source.h"
#include "investigate/alerts/brief.h"
#include "telemetry/alerts/alert_source.h"
#include "telemetry/logs/logs_source.h"
#include "telemetry/metrics/metrics_source.h"
#include "telemetry/traces/traces_source.h"

namespace precedent {

// Null: not configured.
struct RecordedSources {
  const MetricsSource* metrics = nullptr;
  const AlertSource* alerts = nullptr;
  const ChangeSource* changes = nullptr;
  // The diff of a commit; "": there is none.
  std::function<std::string(const Change&)> patch = {};
  const LogsSource* logs = nullptr;
  const TracesSource* traces = nullptr;
  // What it is recorded for; the logs and traces of its service matter most.
  IncidentBrief incident = {};
};

struct Recording {
  size_t metrics = 0, series = 0, samples = 0, alerts = 0, changes = 0, lines = 0, spans = 0;
  std::vector<std::string> missing;
};

// Series that one recording holds; what is beyond is missing.
inline constexpr size_t kMaxRecordedSeries = 20'000;
// Of the diff of one commit.
inline constexpr size_t kMaxPatchBytes = 256 * 1024;
// Changes as long before the window, which may have been deployed in it.
inline constexpr std::chrono::hours kChangesBefore{24 * 14};

Result<Recording> record_incident(const RecordedSources& sources, const Window& window,
                                  const std::filesystem::path& folder,
                                  const SourceContext& context);

}  // namespace precedent
