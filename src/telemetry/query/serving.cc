#include "telemetry/query/serving.h"

#include <set>

#include "telemetry/query/resolve_metric.h"

namespace precedent {

Result<std::vector<std::string>> services_of_endpoint(const std::string& endpoint,
                                                      const MetricsSource& metrics,
                                                      const MetricsConfig& config, Instant now,
                                                      const SourceContext& context) {
  constexpr std::chrono::days kLately{7};
  // Latency, errors and traffic are mostly of two metrics; more are not asked for.
  constexpr size_t kMostAsked = 2;
  if (const auto end = metrics.frozen_at()) now = std::min(now, *end);
  const std::vector<MetricInfo> catalogue = TRY(metrics.catalogue(context));
  std::set<std::string> services, asked;
  for (const MetricTemplate& known : config.names) {
    if (asked.size() >= kMostAsked || !services.empty()) break;
    const auto resolved = resolve_metric({.metric = known.name}, config, catalogue);
    if (!resolved || resolved->labels_of.metric.empty()) continue;
    if (!asked.insert(resolved->labels_of.metric).second) continue;
    const std::vector<LabelSet> series =
        TRY(metrics.series({resolved->labels_of.metric}, now - kLately, now, context));
    const ResolvedFilters filters =
        resolve_filters({{.label = "endpoint", .value = endpoint}}, config, series);
    if (!filters.missing.empty()) continue;
    for (const LabelSet& labels : series)
      if (any_fits(filters.filters, std::span(&labels, 1)))
        if (auto service = label_called("service", labels, config))
          services.insert(std::move(*service));
  }
  services.erase("");
  return std::vector<std::string>(services.begin(), services.end());
}

}  // namespace precedent
