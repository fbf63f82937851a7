// A live incident: what tools.yaml names (metrics, alerts, changes, logs, traces), recorded into a
// folder, and the alerts that are active.
//
// Thread safety: one thread. Errors: those of OpenedSources and record_incident().
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "cli/config/live_sources.h"
#include "investigate/alerts/brief.h"
#include "investigate/intake/recorder.h"

namespace precedent {

class LiveIncident {
 public:
  static Result<LiveIncident> open(const LiveOptions& options);

  // Whether anything at all is configured.
  bool has_sources() const;
  // Null: no source of alerts is configured.
  const AlertSource* alerts() const { return sources_->live().alerts; }
  // The same of changes.
  const ChangeSource* changes() const { return sources_->live().changes; }
  // `service`: whose logs and traces matter most; "": nobody said.
  Result<Recording> record(const Window& window, const IncidentBrief& incident,
                           const std::filesystem::path& folder, const CancelToken& cancel) const;

 private:
  LiveIncident() = default;
  std::string patch_of(const Change& change) const;

  std::unique_ptr<OpenedSources> sources_;
  ChangesConfig changes_;
  std::unique_ptr<HttpClient> client_;
  std::unique_ptr<LogsSource> logs_;
  std::unique_ptr<TracesSource> traces_;
};

// Six hours before it fired until it ended, or until now; by hand where that is given.
Window window_of(const IncidentBrief& brief, const BriefOptions& given, TimePoint now);

}  // namespace precedent
