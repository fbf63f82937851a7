// What several series say together: which changed most, which contribute most, how they became one.
//
// Thread safety: pure functions.
#pragma once

#include <span>
#include <string_view>

#include "telemetry/metrics/metric_query.h"
#include "telemetry/report/metrics_result.h"

namespace precedent {

// The window that is asked about; the one before is as long.
struct AskedWindow {
  Instant from{}, to{};
  Instant before() const { return from - (to - from); }
};

// The one whose mean moved furthest, null if there is none. Ties by their order. What was not there
// before rose from nothing where it counts something; `quantiles` did not rise from 0.
const Series* most_changed(std::span<const Series> all, const AskedWindow& window, bool quantiles);

// The five that contribute most to the difference; with their shares of the total, if they add up.
std::vector<TopSeries> contributions(std::span<const Series> all, const AskedWindow& window,
                                     bool adds_up);

// Of a gauge whose series became one: what `out` says of that. `exact`: as closely as the figures.
void tell_combined(std::span<const Series> each, const AskedWindow& window, Aggregation aggregation,
                   bool exact, MetricsResult& out);
std::string combined_text(Aggregation aggregation, size_t series);  // "mean of 7 series"

// The highest finite bound of the histogram with these labels; `buckets` are the series of its
// _bucket.
std::optional<double> highest_bound(std::span<const LabelSet> buckets, const LabelSet& labels);

}  // namespace precedent
