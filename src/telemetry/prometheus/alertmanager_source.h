// AlertSource over Alertmanager's API v2 (GET /api/v2/alerts).
//
// Thread safety: as the client. Ownership: borrows the client.
#pragma once

#include "telemetry/alerts/alert_source.h"
#include "telemetry/http/telemetry_http.h"

namespace precedent {

class AlertmanagerSource final : public AlertSource {
 public:
  AlertmanagerSource(HttpClient& client, EndpointConfig config)
      : http_(client, std::move(config), "Alertmanager") {}

  std::string describe() const override { return http_.describe(); }
  // What is active as it is asked, whatever `now` says.
  Result<std::vector<Alert>> active(Instant now, const SourceContext& context) const override;

 private:
  TelemetryHttp http_;
};

}  // namespace precedent
