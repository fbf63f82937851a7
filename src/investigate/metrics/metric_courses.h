// The series of a source as courses: a gauge as it stands, a counter as what it counted.
//
// Thread safety: pure but for the source.
#pragma once

#include <string>
#include <vector>

#include "telemetry/metrics/metrics_source.h"

namespace precedent {

struct RecordedSeries {
  std::string metric;
  Series series;
  bool counter = false;
};

// Appends every series of the metric that has samples in the window. Errors: those of the source.
Result<void> read_series(const MetricsSource& source, const MetricInfo& metric,
                         const Window& window, const SourceContext& context,
                         std::vector<RecordedSeries>& all);

// A counter with a label that nothing had yet, as that of an error, begins with its first event: it
// was zero before, if its service was looked at. Where another series of the metric ended, a
// process was replaced.
void begin_with_zero(std::vector<RecordedSeries>& all, const Window& window);

// "x_count" of "x_sum"; "" of any other name.
std::string count_beside(const std::string& metric);

// A sum of what was measured and how often it was, `count`, → the mean; any other counter → its
// rate. `count` is empty where there is none.
std::vector<Sample> course_of(const RecordedSeries& recorded, const std::vector<Sample>& count);
// The count is looked up among `all`.
std::vector<Sample> course_of(const RecordedSeries& recorded,
                              const std::vector<RecordedSeries>& all);

}  // namespace precedent
