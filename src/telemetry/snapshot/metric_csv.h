// CSV → samples, in the two shapes that people keep metrics in:
//
//   long   timestamp,service,metric,value     one sample a row; other columns are labels
//   wide   timestamp,pod,cpu_percent,p95_s    one metric a column; columns of text are labels
//
// The header decides: with columns `metric` and `value` it is long. The time column is called
// timestamp or time (or ts, date, datetime) in any case: seconds or milliseconds since 1970, or a
// date and time. Names become metric and label names: "CpuUsage(m)" is CpuUsage_m. A wide file
// without a column of text gets the label file=<its name>, so that two such files do not mix.
// Empty cells are no samples. Comma, semicolon or tab; fields may be quoted. Thread safety: pure
// but for the builder.
#pragma once

#include <string_view>

#include "telemetry/snapshot/metric_builder.h"
#include "telemetry/snapshot/read_problems.h"

namespace precedent {

void read_metric_csv(std::string_view text, std::string_view path, MetricBuilder& into,
                     ReadProblems& problems);

// "CpuUsage(m)" → "CpuUsage_m"; "" if nothing of it can be kept.
std::string as_metric_name(std::string_view text);

}  // namespace precedent
