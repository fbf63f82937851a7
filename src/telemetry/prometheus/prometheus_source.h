// MetricsSource over the HTTP API of Prometheus, or of anything that speaks it (Thanos, Mimir,
// VictoriaMetrics).
//
// Thread safety: as the client. Ownership: borrows the client.
#pragma once

#include "telemetry/http/telemetry_http.h"

namespace precedent {

struct PrometheusAnswer;

class PrometheusSource final : public MetricsSource {
 public:
  PrometheusSource(HttpClient& client, EndpointConfig config)
      : http_(client, std::move(config), "Prometheus") {}

  std::string describe() const override { return http_.describe(); }
  Result<SeriesSet> range(const MetricQuery& query, const Window& window,
                          const SourceContext& context) const override;
  Result<SeriesSet> range(const PromQl& query, const Window& window,
                          const SourceContext& context) const override;
  // Types are known of metrics that are being scraped; of others the name decides.
  Result<std::vector<MetricInfo>> catalogue(const SourceContext& context) const override;
  Result<std::vector<LabelSet>> series(const Selector& selector, Instant from, Instant to,
                                       const SourceContext& context) const override;

 private:
  // The answer of a call that succeeded. Errors: what Prometheus said, in its words.
  Result<PrometheusAnswer> read(const HttpResponse& response) const;

  TelemetryHttp http_;
};

}  // namespace precedent
