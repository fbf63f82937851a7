// The `IncidentSource` seam: where an incident is asked for by its name. A frozen folder, a
// JSON file, active alerts and PagerDuty (pagerduty.h) implement it; FixedIncidents is the fake.
// All keep expect_incident_source_contract.
//
// Errors: kNotFound for an incident that the source does not have, kInvalidArgument for one that
// cannot be read, and those of the medium. Thread safety: fetch() may be called from several
// threads. Ownership: results are copies.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/cancel.h"
#include "base/clock.h"
#include "investigate/alerts/brief.h"
#include "telemetry/alerts/alert_source.h"

namespace precedent {

class IncidentSource {
 public:
  virtual ~IncidentSource() = default;
  // "the folder incidents/2026-11-19", "alert.json".
  virtual std::string describe() const = 0;
  virtual Result<IncidentBrief> fetch(std::string_view id, const CancelToken& cancel) const = 0;
};

// The alert of a frozen incident: alert*.json of the folder, its first file by name. It has one
// incident: the folder's name, and "" means that.
class FolderIncident final : public IncidentSource {
 public:
  explicit FolderIncident(std::filesystem::path folder,
                          const std::optional<Instant>& otherwise = {})
      : folder_(std::move(folder)), otherwise_(otherwise) {}
  std::string describe() const override { return "the folder " + folder_.string(); }
  Result<IncidentBrief> fetch(std::string_view id, const CancelToken& cancel) const override;

 private:
  std::filesystem::path folder_;
  std::optional<Instant> otherwise_;
};

// An alert as JSON text: a file's, or what stood on standard input.
class JsonIncident final : public IncidentSource {
 public:
  // `otherwise`: when it fired, if it does not say.
  JsonIncident(std::string text, std::string name, const std::optional<Instant>& otherwise = {})
      : text_(std::move(text)), name_(std::move(name)), otherwise_(otherwise) {}
  std::string describe() const override { return name_; }
  Result<IncidentBrief> fetch(std::string_view id, const CancelToken& cancel) const override;

 private:
  std::string text_, name_;
  std::optional<Instant> otherwise_;
};

// Alerts that are active, each under its name: one incident a name, led by the earliest. Lifetime:
// the source's and the clock's.
class AlertIncidents final : public IncidentSource {
 public:
  AlertIncidents(const AlertSource& alerts, const Clock& clock) : alerts_(alerts), clock_(clock) {}
  std::string describe() const override { return alerts_.describe(); }
  Result<IncidentBrief> fetch(std::string_view id, const CancelToken& cancel) const override;

 private:
  const AlertSource& alerts_;
  const Clock& clock_;
};

class FixedIncidents final : public IncidentSource {
 public:
  explicit FixedIncidents(std::map<std::string, IncidentBrief, std::less<>> all)
      : all_(std::move(all)) {}
  std::string describe() const override { return "fixed incidents"; }
  Result<IncidentBrief> fetch(std::string_view id, const CancelToken& cancel) const override;

 private:
  std::map<std::string, IncidentBrief, std::less<>> all_;
};

}  // namespace precedent
