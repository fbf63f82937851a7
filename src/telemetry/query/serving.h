// Which service serves an endpoint, by the labels of the endpoint's own series.
//
// Thread safety: pure but for the source.
#pragma once

#include <string>
#include <vector>

#include "telemetry/metrics/metrics_source.h"
#include "telemetry/query/metrics_config.h"

namespace precedent {

// Of the last week, by name: several where a gateway measures it, too; none where no configured
// metric has the endpoint among its labels. Errors: those of the source.
Result<std::vector<std::string>> services_of_endpoint(const std::string& endpoint,
                                                      const MetricsSource& metrics,
                                                      const MetricsConfig& config, Instant now,
                                                      const SourceContext& context);

}  // namespace precedent
