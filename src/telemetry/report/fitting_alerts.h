// Which alerts go with a question about a metric: those that contradict none of its filters, and
// are of no other service or endpoint than its series.
//
// Thread safety: pure but for the source, which is asked once for each of its two lists.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "telemetry/query/query_text.h"
#include "telemetry/report/metric_sources.h"
#include "telemetry/report/metrics_result.h"

namespace precedent {

struct AlertScope {
  std::vector<LabelFilter> asked = {};  // as the question names the labels
  std::vector<LabelFilter> taken = {};  // the same as the series do; empty while they are not known
  // What all series have in common, by the names of config.labels.
  std::map<std::string, std::string> own = {};
};

// `series` are all of the metric, `taken` those filters of the question that were found in them.
AlertScope scope_of(const MetricsQuestion& question, const std::vector<LabelFilter>& taken,
                    std::span<const LabelSet> series, const MetricsConfig& config);

// Into the fields of `out` about alerts, for its window: those that agree with most filters first.
// `name`: only that one; "": any. The error of the source, which out.alert_problem and a note say
// too.
Result<void> add_alerts(const MetricsQuestion& question, const MetricSources& sources,
                        const AlertScope& scope, std::string_view name,
                        const SourceContext& context, MetricsResult& out);

}  // namespace precedent
