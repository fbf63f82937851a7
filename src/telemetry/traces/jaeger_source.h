// TracesSource over the HTTP API of Jaeger's query service: GET /api/services, then GET /api/traces
// of one service. Source: https://www.jaegertracing.io/docs/1.76/architecture/apis.
//
// Thread safety: as the client. Ownership: borrows the client.
#pragma once

#include "telemetry/http/store_http.h"
#include "telemetry/traces/trace_sample.h"

namespace precedent {

class JaegerSource final : public TracesSource {
 public:
  // Services that are asked for, where the one that is meant is not known.
  static constexpr size_t kMaxServices = 20;

  JaegerSource(HttpClient& client, StoreEndpoint endpoint)
      : http_(client, std::move(endpoint), "Jaeger", "traces.jaeger") {}

  std::string describe() const override { return http_.describe(); }
  Result<TracesFound> read(const TracesWanted& wanted, const SourceContext& context) const override;

 private:
  // The one that is meant, in Jaeger's spelling; else all.
  Result<std::vector<std::string>> services(const TracesWanted& wanted, TraceSample& into,
                                            const SourceContext& context) const;
  Result<void> add_slice(const std::string& service, const TraceSlice& slice, TraceSample& into,
                         const SourceContext& context) const;

  StoreHttp http_;
};

}  // namespace precedent
