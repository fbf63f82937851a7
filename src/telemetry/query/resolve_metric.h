// From a name and filters that somebody wrote to a query that the source understands: friendly
// names, metric types, labels that are called something else here.
//
// Thread safety: pure functions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "telemetry/query/metrics_config.h"
#include "telemetry/query/query_text.h"

namespace precedent {

struct ResolvedMetric {
  MetricQuery query;        // without the question's filters
  std::string promql = {};  // a template's, instead
  std::string unit = {};
  // What to ask for the labels of its series: a histogram's _count.
  Selector labels_of = {};
  std::vector<std::string> notes = {};  // what was done otherwise than asked, a sentence each
};

// Errors: kNotFound naming the metrics that were looked for; the caller adds the nearest names.
Result<ResolvedMetric> resolve_metric(const MetricsQuestion& question, const MetricsConfig& config,
                                      std::span<const MetricInfo> catalogue);

struct ResolvedFilters {
  std::vector<LabelFilter> filters;
  std::vector<std::string> notes;    // what was taken for what
  std::vector<std::string> missing;  // filters that fit no series, with the nearest values
  // Those of `missing` whose label no series has: what they select is not nothing, but unknown.
  std::vector<std::string> unlabelled;
};
// `series` are all of the metric. A filter's label is taken as it is if some series has it; else
// what config.labels says it is called; else the one label that has this very value. A value that
// no series has is taken in the only spelling that differs by case or a slash at the end.
ResolvedFilters resolve_filters(const std::vector<LabelFilter>& filters,
                                const MetricsConfig& config, std::span<const LabelSet> series);

// What `filter`, which narrows down the numerator of the ratio `metric`, leaves of its denominator:
// itself, or nothing if the numerator selects by the same label, since the two would be parts of
// different wholes. `own`: the template's filters; `counted`: the series of the numerator.
// `missing`: why the ratio would say nothing.
ResolvedFilters narrow_ratio(std::string_view metric, const LabelFilter& filter,
                             const std::vector<LabelFilter>& own, const MetricsConfig& config,
                             std::span<const LabelSet> counted);

// Whether values of this unit make no sum: times, shares.
bool adds_up_to_nothing(std::string_view unit);

// The value of a label, whatever it is called on these; nothing if they have none of its names.
std::optional<std::string> label_called(const std::string& label, const LabelSet& labels,
                                        const MetricsConfig& config);

// Whether some series fits all of `filters`.
bool any_fits(const std::vector<LabelFilter>& filters, std::span<const LabelSet> series);

// Which series of a summary answers: the one whose quantile is nearest. Nothing if `series`, all of
// the metric, are not those of a summary: several quantiles have no mean.
std::optional<LabelFilter> quantile_of_summary(double wanted, std::span<const LabelSet> series);

// The labels of by= as `series` have them; a label that none of them has is left out, and noted.
struct ResolvedLabels {
  std::vector<std::string> labels;
  std::vector<std::string> notes;
};
ResolvedLabels resolve_labels(const std::vector<std::string>& by, const MetricsConfig& config,
                              std::span<const LabelSet> series);

// `buckets` are the series of a histogram's _bucket. If not all of its histograms have the same
// bounds: the labels, as few as will do, by which to keep apart those that differ. A quantile over
// them all would count in one bucket what another histogram spreads over several.
std::vector<std::string> labels_of_layouts(std::span<const LabelSet> buckets);

// The labels that tell `series` apart, without those named in `but`: what a total is broken down
// by.
std::vector<std::string> telling_labels(std::span<const LabelSet> series,
                                        const std::vector<std::string>& but);

}  // namespace precedent
