// A frozen incident as a folder: the metrics and alerts of a moment, opened as the same two seams
// that Prometheus and Alertmanager implement. docs/format/snapshot.md is the format.
//
// Read whole when opened; a file that changes later is not read again. Files and lines that cannot
// be read are warnings, so that the rest can be used, but for files of alerts: that none is active
// can only be said of all. Thread safety: as the seams.
#pragma once

#include <filesystem>
#include <memory>

#include "telemetry/alerts/alert_json.h"
#include "telemetry/snapshot/embedded_metrics.h"

namespace precedent {

// AlertSource over recorded alerts: those are active that have begun and not ended. `unread`: which
// files of them could not be read; then every call is an error of kUnavailable, since nobody knows
// what was in them.
class EmbeddedAlerts final : public AlertSource {
 public:
  EmbeddedAlerts(std::string description, std::vector<RecordedAlert> alerts,
                 std::vector<std::string> unread = {})
      : description_(std::move(description)),
        alerts_(std::move(alerts)),
        unread_(std::move(unread)) {}

  std::string describe() const override { return description_; }
  Result<std::vector<Alert>> active(Instant now, const SourceContext& context) const override;
  Result<std::vector<PastAlert>> past(Instant from, Instant to,
                                      const SourceContext& context) const override;

 private:
  std::string description_;
  Result<void> check(const SourceContext& context) const;

  std::vector<RecordedAlert> alerts_;
  std::vector<std::string> unread_;
};

struct TelemetrySnapshot {
  std::unique_ptr<EmbeddedMetrics> metrics;
  std::unique_ptr<EmbeddedAlerts> alerts;
  std::vector<std::string> warnings;
};

// Errors: kNotFound (no such folder, or nothing in it that is a snapshot), kResourceExhausted.
Result<TelemetrySnapshot> open_snapshot(const std::filesystem::path& folder);

}  // namespace precedent
