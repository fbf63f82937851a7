// Exposition text → samples: OpenMetrics 1.0 and the Prometheus text format 0.0.4, with timestamps.
//
// A file that ends with "# EOF" is OpenMetrics: timestamps are seconds. Of any other the first
// timestamp tells: Prometheus text has milliseconds, and seconds without the end are OpenMetrics
// that was cut, which is read and is a problem. Exemplars are passed over; a sample without a
// timestamp is a problem, since nobody knows when it was. Thread safety: pure but for the builder.
#pragma once

#include <optional>
#include <string_view>

#include "telemetry/snapshot/metric_builder.h"
#include "telemetry/snapshot/read_problems.h"

namespace precedent {

void read_exposition(std::string_view text, std::string_view path, MetricBuilder& into,
                     ReadProblems& problems);

// Nothing before 2001 or after 2100: that is a wrong unit, or a number that was cut.
std::optional<Instant> metric_time(double seconds);

// "1", "+Inf", "NaN", "1.5e3". Nothing for anything else.
std::optional<double> metric_value(std::string_view text);

}  // namespace precedent
