// Which series left what is usual for them, when, and how far.
//
// What is usual is the calm begin of the series: its median and spread, taken further while the
// samples stay near. The onset is the first sample of a stretch that stays beyond; of a ramp it is
// where the line through the samples beyond meets the usual level. A series of a few points, or one
// that never was calm, gives no finding. Cost: O(n log n) a series. Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "investigate/service_ranking.h"
#include "investigate/symptom.h"
#include "telemetry/metrics_source.h"

namespace precedent {

struct Departure {
  Instant onset{};    // of the first sample beyond, or of the begin of the ramp
  Instant visible{};  // of the first sample beyond
  Instant calm{};     // of the sample before it
  double usual = 0;   // the median of the calm begin
  double spread = 0;  // as a standard deviation
  double peak = 0;    // what is farthest from it
  Instant peak_at{};
  bool ramp = false;  // it took more than a tenth of the series to get halfway
  bool up() const { return peak > usual; }
  // peak / usual, or its inverse where it fell; at least 1.
  double factor() const;
};
// Samples that are no number are passed over; at least `kLeastPoints` others.
inline constexpr size_t kLeastPoints = 8;
std::optional<Departure> find_departure(const std::vector<Sample>& samples);

struct MetricFinding {
  std::string metric;
  LabelSet labels;
  std::string service;  // "" if no label says
  std::optional<MetricMeaning> meaning;
  Departure course;
  bool worse = false;      // it went the bad way, or its meaning is not known
  bool saturated = false;  // it reached its ceiling: 1 of a ratio, 100 of percents, or its limit
  std::optional<Instant> crossed_zero;  // of what counts down
};

inline constexpr size_t kMaxCompared = 5'000;
struct MetricEvidence {
  std::vector<MetricFinding> findings;  // the strongest first
  size_t series = 0;
  std::vector<std::string> services;       // of all series, also calm ones
  std::vector<ServiceSeries> of_services;  // what rank_services() compares, at most kMaxCompared
  std::vector<std::string> missing;
};

// Of every series that the source has in the window. Errors: those of the source.
Result<MetricEvidence> find_departures(const MetricsSource& source, const Window& window,
                                       const SourceContext& context);

}  // namespace precedent
