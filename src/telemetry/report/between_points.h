// Between the points of a window: the highest and the lowest of all samples, and a spike that lies
// between two points.
//
// A window is read at points some minutes apart; what rose and fell between two of them is on none.
// So the source is asked for the extremes since the point before, by `max_over_time` and
// `min_over_time`: of the samples themselves where the expression is a selector, else of the
// expression every kBetween or so. What goes beyond all of the time before and of a day earlier,
// and comes back within one step, is an episode of its own. Thread safety: pure but for the source.
#pragma once

#include "telemetry/metrics/metrics_source.h"
#include "telemetry/report/metric_course.h"

namespace precedent {

// How closely an expression that is no selector is looked at, and the time of an extreme: as
// Prometheus scrapes by default, or at so many points between two of a long window.
inline constexpr std::chrono::seconds kBetween{15};
inline constexpr int64_t kMostBetween = 20;

// Mends the summary of `out` and adds to its episodes. A source that cannot be asked so leaves both
// as they are, which a note says. REQUIRES: out.summary; `labels` are those of the course;
// `expression` is what it was read by, a gauge or made of gauges: what only ever grows has no
// spikes.
void look_between(const MetricsSource& metrics, const std::string& expression,
                  const LabelSet& labels, const MetricCourse& course, const SourceContext& context,
                  MetricsResult& out);

}  // namespace precedent
