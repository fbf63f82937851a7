// What a report on metrics reads from.
#pragma once

#include "telemetry/alert_source.h"
#include "telemetry/metrics_config.h"
#include "telemetry/metrics_source.h"

namespace precedent {

// Lifetime: all outlive it.
struct MetricSources {
  const MetricsSource* metrics = nullptr;
  const AlertSource* alerts = nullptr;  // null: none is configured
  const MetricsConfig& config;
};

}  // namespace precedent
