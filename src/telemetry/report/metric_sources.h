// What a report on metrics reads from.
#pragma once

#include "telemetry/alerts/alert_source.h"
#include "telemetry/metrics/metrics_source.h"
#include "telemetry/query/metrics_config.h"

namespace precedent {

// Lifetime: all outlive it.
struct MetricSources {
  const MetricsSource* metrics = nullptr;
  const AlertSource* alerts = nullptr;  // null: none is configured
  const MetricsConfig& config;
};

}  // namespace precedent
