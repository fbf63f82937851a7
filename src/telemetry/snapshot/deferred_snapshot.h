// A frozen incident that is read when it is first asked for: a day of metrics takes longer to read
// than most questions take to answer, and most of them are not about metrics.
//
// Thread safety: as the seams. Ownership: the two share the snapshot.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "telemetry/alerts/alert_source.h"
#include "telemetry/metrics/metrics_source.h"

namespace precedent {

struct DeferredSnapshot {
  std::unique_ptr<MetricsSource> metrics;
  std::unique_ptr<AlertSource> alerts;
};

// `name`: what its readings are said to come from, as "the snapshot NAME". Each call gives the
// error of open_snapshot until the folder can be read; what of it could not be read is a warning of
// every series set.
DeferredSnapshot defer_snapshot(std::filesystem::path folder, std::string name);

}  // namespace precedent
