// TracesSource over the HTTP API of Grafana Tempo: GET /api/search with TraceQL, then GET
// /api/traces/{id} of each trace. Source: https://grafana.com/docs/tempo/latest/api_docs.
//
// Thread safety: as the client. Ownership: borrows the client.
#pragma once

#include "telemetry/http/store_http.h"
#include "telemetry/traces/trace_sample.h"

namespace precedent {

class TempoSource final : public TracesSource {
 public:
  TempoSource(HttpClient& client, StoreEndpoint endpoint)
      : http_(client, std::move(endpoint), "Tempo", "traces.tempo") {}

  std::string describe() const override { return http_.describe(); }
  Result<TracesFound> read(const TracesWanted& wanted, const SourceContext& context) const override;

 private:
  Result<void> sample(const TracesWanted& wanted, TraceSample& into,
                      const SourceContext& context) const;
  Result<void> add_slice(const TracesWanted& wanted, const TraceSlice& slice, TraceSample& into,
                         const SourceContext& context) const;

  StoreHttp http_;
};

}  // namespace precedent
