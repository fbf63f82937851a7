// A closer look at the course of one series: where the points of a long window are far apart, what
// it is now and how high it was are looked up where that may be.
//
// Thread safety: pure but for the source behind `RangeAsk`.
#pragma once

#include <functional>
#include <optional>

#include "telemetry/report/metric_course.h"

namespace precedent {

// The series of one query over a window.
using RangeAsk = std::function<Result<SeriesSet>(const Window&)>;

// Steps that are farther hide what lasted for minutes.
inline constexpr std::chrono::seconds kClose{300};

// About when the values of the series begin, if that is within the week before `to` and the window
// [from, to).
std::optional<Instant> begin_of(const RangeAsk& ask, const LabelSet& labels, Instant from,
                                Instant to);

// Mends the summary, the episodes and the comparisons of `out` by the end of the window, the
// highest points of a mean, and the whole window of a gauge; takes what it saw of a day and a week
// earlier into `course`. Nothing, where the steps are near. REQUIRES: out.summary.
void look_closely(const RangeAsk& close, const LabelSet& labels, MetricCourse& course,
                  MetricsResult& out);

}  // namespace precedent
