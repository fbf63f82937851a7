// From a name and filters that somebody wrote to a query that the source understands: friendly names,
// metric types, labels that are called something else here.
//
// Thread safety: pure functions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "telemetry/metrics_config.h"
#include "telemetry/query_text.h"

namespace precedent {

struct ResolvedMetric {
  MetricQuery query;        // without the question's filters
  std::string promql = {};  // a template's, instead
  std::string unit = {};
  // What to ask for the labels of its series: a histogram's _count.
  Selector labels_of = {};
};

// Errors: kNotFound naming the metrics that were looked for; the caller adds the nearest names.
Result<ResolvedMetric> resolve_metric(const MetricsQuestion& question, const MetricsConfig& config,
                                      std::span<const MetricInfo> catalogue);

struct ResolvedFilters {
  std::vector<LabelFilter> filters;
  std::vector<std::string> notes;    // what was taken for what
  std::vector<std::string> missing;  // filters that fit no series, with the nearest values
};
// `series` are all of the metric. A filter's label is taken as it is if some series has it; else
// what config.labels says it is called; else the one label that has this very value. A value that
// no series has is taken in the only spelling that differs by case or a slash at the end.
ResolvedFilters resolve_filters(const std::vector<LabelFilter>& filters,
                                const MetricsConfig& config, std::span<const LabelSet> series);

// The labels that tell `series` apart, without those named in `but`: what a total is broken down by.
std::vector<std::string> telling_labels(std::span<const LabelSet> series,
                                        const std::vector<std::string>& but);

}  // namespace precedent
