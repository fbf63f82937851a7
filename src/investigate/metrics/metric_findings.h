// Which series left what is usual for them (departure.h), and what that says of a service.
//
// Counters are looked at as rates (counters.h). What is usual for the hour is no departure
// (earlier_days.h). Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "investigate/metrics/service_ranking.h"
#include "investigate/onset/departure.h"
#include "investigate/symptoms/symptom.h"
#include "telemetry/metrics/metrics_source.h"

namespace precedent {

struct MetricFinding {
  std::string metric;
  LabelSet labels;
  std::string service;  // "" if no label says
  std::optional<MetricMeaning> meaning;
  Departure course;
  bool worse = false;      // it went the bad way, or its meaning is not known
  bool saturated = false;  // it reached its ceiling: 1 of a ratio, 100 of percents, or its limit
  std::optional<Instant> crossed_zero;  // of what counts down
  bool per_second = false;              // its course is the rate of a counter
};

inline constexpr size_t kMaxCompared = 5'000;
struct MetricEvidence {
  std::vector<MetricFinding> findings;  // the strongest first
  size_t series = 0;
  std::vector<std::string> services;       // of all series, also calm ones
  std::vector<std::string> counted;        // of these, whose requests are counted
  std::vector<ServiceSeries> of_services;  // what rank_services() compares, at most kMaxCompared
  std::vector<std::string> missing;
};

// Of every series that the source has in the window. Errors: those of the source.
Result<MetricEvidence> find_departures(const MetricsSource& source, const Window& window,
                                       const SourceContext& context);

}  // namespace precedent
