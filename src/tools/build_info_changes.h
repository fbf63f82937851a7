// BuildInfoChanges: the ChangeSource of metrics that say which version runs, as exporters give
// them:
//
//   app_build_info{service="web",version="1.2.3"} 1
//
// A version that appears where another one ran before is a change of the kind `version`, at the
// first sample that has it; instances that follow one by one are the same change. A version that
// comes back is one again. Thread safety: any thread, as the MetricsSource. Lifetime: the source of
// metrics outlives it.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "changes/changes_config.h"
#include "telemetry/metrics/metrics_source.h"

namespace precedent {

class BuildInfoChanges final : public ChangeSource {
 public:
  BuildInfoChanges(const MetricsSource& metrics, BuildInfoOptions options)
      : metrics_(metrics), options_(std::move(options)) {}

  const std::string& name() const override { return name_; }
  // At most the last 30 days of the window are looked at. Where no metric is of that form, nothing
  // was asked.
  Result<ChangeList> changes(const ChangeQuery& query) const override;
  // Of those that a metric names in the last day.
  std::vector<std::string> services() const override;

 private:
  // Of each service and version, when it ran.
  using Seen = std::map<std::string, std::map<std::string, std::set<Instant>>>;

  Result<std::vector<std::string>> metrics() const;
  // The window's beginning is moved to a whole minute.
  Result<Seen> read(const std::vector<std::string>& metrics, Window window) const;
  std::string service_of(const LabelSet& labels) const;

  const MetricsSource& metrics_;
  BuildInfoOptions options_;
  std::string name_ = "build info";
  // What the catalogue had of the wanted form, once it was read: it is asked for several times a
  // question.
  mutable std::mutex mutex_;
  mutable std::optional<std::vector<std::string>> names_;
};

}  // namespace precedent
