// A question → the few numbers that answer it: what metrics_query does, whatever the source.
//
//   name → query → the window and the one before, a day and a week ago → summary, comparisons,
//   change points → the series that contribute most → active alerts
//
// What is missing is said, not guessed: an unknown name gives the nearest ones; a window without
// samples is asked again, once, over a week, to say when the last one was.
// Thread safety: pure but for the sources, which are asked one after another.
#pragma once

#include "telemetry/query/query_text.h"
#include "telemetry/report/metric_sources.h"
#include "telemetry/report/metrics_result.h"

namespace precedent {

// REQUIRES: sources.metrics unless only an alert is asked for. Errors: those of the metrics source,
// and of resolve_span. An alert source that fails is a note beside a metric, and an error where
// only alerts were asked for.
Result<MetricsResult> report_metrics(const MetricsQuestion& question, const MetricSources& sources,
                                     Instant now, const SourceContext& context);

}  // namespace precedent
