// Numbers of a series over a window: exact, few, and of any number of samples.
//
// Samples that are NaN or infinite are counted and otherwise passed over. Thread safety: pure
// functions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "telemetry/metrics/series.h"

namespace precedent {

struct WindowSummary {
  size_t points = 0;        // with a number
  size_t not_a_number = 0;  // NaN or infinite
  double mean = 0, min = 0, max = 0;
  double p95 = 0;  // linear interpolation between the nearest two
  double last = 0;
  Instant min_at{}, max_at{}, last_at{};  // the first of several equal ones
};

// Of the samples with from <= at <= to; nothing if none of them is a number.
std::optional<WindowSummary> summarize(std::span<const Sample> samples, Instant from, Instant to);

struct Excursion {
  Instant at{};
  double value = 0;
  double bound = 0;  // what it is beyond
};

// The first sample with from <= at <= to that is above `high` or below `low`, clearly: by
// kClearFactor. A bound of zero or less has no lower side.
constexpr double kClearFactor = 1.3;  // less is what a metric does every day
std::optional<Excursion> first_beyond(std::span<const Sample> samples, Instant from, Instant to,
                                      double low, double high);

// 0 <= quantile <= 1; reorders `values`. REQUIRES: not empty.
double quantile_of(std::vector<double>& values, double quantile);

// The standard deviation of a normal distribution whose median deviation from `centre` is that of
// `values`: the median absolute deviation over 0.6745. REQUIRES: not empty.
double robust_deviation(std::vector<double> values, double centre);

// `width` characters ▁▂▃▄▅▆▇█ from the smallest to the largest mean of equal pieces of the window;
// '·' where there is nothing. "" without any number.
std::string sparkline(std::span<const Sample> samples, Instant from, Instant to, size_t width = 40);

// For a chart: of each of `pieces` equal pieces of the window the value that is farthest from
// `usual`, so that no spike is lost; NaN where there is none. Empty without any number.
std::vector<double> chart_points(std::span<const Sample> samples, Instant from, Instant to,
                                 double usual, size_t pieces = 120);

}  // namespace precedent
