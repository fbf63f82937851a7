// Which metrics there are, told in a report: a list of them, or the nearest ones of a name that
// none has.
//
// Thread safety: pure but for the source.
#pragma once

#include <span>

#include "telemetry/metrics/metrics_source.h"
#include "telemetry/query/metrics_config.h"
#include "telemetry/report/metrics_result.h"

namespace precedent {

// Those whose names begin as out.metric does; REQUIRES that it ends with a `*`.
void list_metrics(const MetricsSource& source, std::span<const MetricInfo> catalogue,
                  MetricsResult& out);

// That there is none of the name `asked`, and which are near. `error`: of resolve_metric().
void tell_unknown(const std::string& asked, const Error& error, const MetricsSource& source,
                  const MetricsConfig& config, std::span<const MetricInfo> catalogue,
                  MetricsResult& out);

}  // namespace precedent
