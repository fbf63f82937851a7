// Counters → rates: what only counts up does so on every calm day, so its course says nothing.
//
// A restart sets a counter back to zero; what it had counted stays counted. A rate is taken over
// kRateRange, or over one step where steps are longer. Thread safety: pure functions.
#pragma once

#include <optional>
#include <vector>

#include "investigate/onset/departure.h"
#include "telemetry/metrics/metrics_source.h"

namespace precedent {

inline constexpr std::chrono::minutes kRateRange{5};

// Whether a series is a counter: its declared type or the ending of its name says so, and it falls
// only to begin anew. A catalogue that knows no types guesses, so the samples have the last word.
bool is_counter(const MetricInfo& metric, const std::vector<Sample>& samples);

// What was counted a second. Samples that are no number are passed over.
std::vector<Sample> rates_of(const std::vector<Sample>& samples);

// Two counters that stand for a mean, the sum of what was measured and how often: the mean of each
// kRateRange. Empty where they have no times in common.
std::vector<Sample> means_of(const std::vector<Sample>& sum, const std::vector<Sample>& count);

// Of a counter, as a rate. Whole numbers are events, which come unevenly on a calm day, too: beyond
// is what chance does not explain.
std::optional<Departure> find_counter_departure(const std::vector<Sample>& samples);

}  // namespace precedent
