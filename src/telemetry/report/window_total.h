// How often something was counted in a whole window: "how many requests failed in two hours".
//
// It is increase() over the window, as Prometheus computes it: resets of the counter are added up,
// and the ends are extrapolated, so that it need not be a whole number. Thread safety: pure but for
// the source.
#pragma once

#include <optional>

#include "telemetry/metrics/metrics_source.h"
#include "telemetry/report/metrics_result.h"

namespace precedent {

// Of a counter and of a share of counters, whatever statistic is asked of it; nothing for anything
// else, or where the source has no answer. `query` is that of the figures, `unit` theirs. Errors of
// the source are nothing, too: the figures stand without it.
std::optional<WindowTotal> total_of(const MetricsSource& metrics, const MetricQuery& query,
                                    std::string_view unit, Instant from, Instant to,
                                    const SourceContext& context);

}  // namespace precedent
