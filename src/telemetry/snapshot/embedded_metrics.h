// MetricsSource over series in memory: what a snapshot is opened as, and what tests ask.
//
// Thread safety: immutable once made. Ownership: owns its series.
#pragma once

#include <map>
#include <span>

#include "telemetry/metrics/metrics_source.h"

namespace precedent {

// Series by the name of their metric, and what is recorded about the metrics.
struct MetricData {
  std::map<std::string, std::vector<Series>, std::less<>> series;
  std::vector<MetricInfo> info;
};

class EmbeddedMetrics final : public MetricsSource {
 public:
  // Samples may come in any order and several times. Of two series with the same labels one is
  // made.
  EmbeddedMetrics(std::string description, MetricData data);

  std::string describe() const override { return description_; }
  Result<SeriesSet> range(const MetricQuery& query, const Window& window,
                          const SourceContext& context) const override;
  // By telemetry/promql/promql_eval.h. A metric that is named and not there is a warning with the
  // nearest ones.
  Result<SeriesSet> range(const PromQl& query, const Window& window,
                          const SourceContext& context) const override;
  Result<std::vector<MetricInfo>> catalogue(const SourceContext& context) const override;
  Result<std::vector<LabelSet>> series(const Selector& selector, Instant from, Instant to,
                                       const SourceContext& context) const override;
  std::optional<Instant> frozen_at() const override { return newest_; }

 private:
  std::span<const Series> series_of(std::string_view metric) const;

  std::string description_;
  MetricData data_;
  std::vector<MetricInfo> catalogue_;
  std::optional<Instant> newest_;
};

}  // namespace precedent
