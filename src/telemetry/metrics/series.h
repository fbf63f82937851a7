// Series: what a metric was, at points in time. The vocabulary of telemetry/.
//
// Times are milliseconds since 1970 UTC, as in Prometheus. Values may be NaN (measured, and not a
// number) or the staleness marker (the series ended here). Thread safety: plain values.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace precedent {

using Instant = std::chrono::sys_time<std::chrono::milliseconds>;

struct Sample {
  Instant at{};
  double value = 0;
};

// Without __name__.
using LabelSet = std::map<std::string, std::string, std::less<>>;

struct Series {
  LabelSet labels;
  std::vector<Sample> samples;  // ascending in time, one at a time
};

// The NaN by which Prometheus marks the end of a series ("StaleNaN", its value.go), and whether a
// value is it: other NaNs are not.
double stale_marker();
bool is_stale(double value);

// Makes samples ascending in time; of several at one time the last one given stays.
void normalize(std::vector<Sample>& samples);

// {handler="/api/search",job="search"}; {} without labels. Escaped as in PromQL.
std::string format_labels(const LabelSet& labels);
// "…" with \, " and line breaks escaped, as PromQL and the exposition formats write a string.
std::string quote(std::string_view text);

// Evaluated at from, from + step, … up to and including to.
struct Window {
  Instant from{};
  Instant to{};
  std::chrono::milliseconds step{60'000};

  size_t points() const { return to < from ? 0 : static_cast<size_t>((to - from) / step) + 1; }
  Window shifted(std::chrono::milliseconds by) const { return {from + by, to + by, step}; }
};

// [A-Za-z_:][A-Za-z0-9_:]*, and the same without the colon.
bool is_metric_name(std::string_view text);
bool is_label_name(std::string_view text);

// 2025-01-20T14:05:00Z; fractions of a second are cut off.
std::string format_time(Instant at);

}  // namespace precedent
