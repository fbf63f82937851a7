#include "telemetry/prometheus/alertmanager_source.h"

#include "telemetry/alerts/alert_json.h"

namespace precedent {

Result<std::vector<Alert>> AlertmanagerSource::active(Instant, const SourceContext& context) const {
  const HttpResponse response = TRY(http_.get("/api/v2/alerts", {{"active", "true"}}, context));
  auto read = read_alerts(response.body, describe());
  if (response.status != 200 || !read) return http_.not_ours(response);
  std::vector<Alert> out;
  for (RecordedAlert& recorded : *read) out.push_back(std::move(recorded.alert));
  sort_alerts(out);
  return out;
}

}  // namespace precedent
