// In which service a failure most likely began, by metrics alone: also where a window has a handful
// of samples, and no log, trace or change is there.
//
// Each series is compared with its last samples before the failure: how far at least two samples
// went, in robust standard deviations with a floor (of logarithms where all is above zero), so one
// outlier is nothing. A service scores by what it uses more of, and by how much slower it answers,
// as it and its callers measure it, less what the slowest of those it calls explains: who waits is
// slow because of another. Thread safety: pure functions. Cost: O(n log n) in a few samples each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "investigate/symptoms/symptom.h"
#include "investigate/traces/service_graph.h"
#include "telemetry/metrics/series.h"

namespace precedent {

// A series that says how a service does.
struct ServiceSeries {
  std::string service;
  std::string caller;  // of calls between two services, as the caller measures them; else ""
  std::string metric;
  Symptom symptom;  // kCpu, kMemory or kLatency
  std::vector<Sample> samples;
};
// Nothing where the series tells nothing of a single service.
std::optional<ServiceSeries> service_series(const std::string& metric, const Series& series);

struct RankedService {
  std::string service;
  double score = 0;     // above 0; comparable within one ranking
  std::string because;  // a sentence
};
// The likeliest first; a service without a departure is not in it.
std::vector<RankedService> rank_services(const std::vector<ServiceSeries>& all,
                                         const ServiceGraph& graph, Instant began);

}  // namespace precedent
