#include "server/investigations/webhooks.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/foreign_json.h"
#include "base/hex.h"
#include "base/json_access.h"
#include "base/strings.h"
#include "server/auth/digest.h"
#include "server/http/problem.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr size_t kMaxId = 200;

ServedResponse taken(std::string_view what) { return json_response({{"taken", what}}, 202); }

ServedResponse later(const Error& error) {
  ServedResponse response = problem(503, error.message);
  response.headers.push_back({"Retry-After", "30"});
  return response;
}

bool is_critical(std::string_view severity) {
  const std::string folded = ascii_lower(severity);
  return folded == "critical" || folded == "page" || folded == "p1" || folded == "sev1" ||
         folded == "high";
}

}  // namespace

bool Webhooks::is_signed(const ServedRequest& request) const {
  bool good = false;
  for (const std::string& secret : secrets_) {
    const std::string expected = "v1=" + to_hex(hmac_sha256(secret, request.body));
    for (const std::string_view given : split(request.header("X-PagerDuty-Signature"), ','))
      good |= same_secret(trim(given), expected);
  }
  return good;
}

ServedResponse Webhooks::pagerduty(const ServedRequest& request) {
  if (secrets_.empty())
    return problem(403,
                   "no secret of PagerDuty's webhook is configured; put it into the "
                   "environment as PAGERDUTY_WEBHOOK_SECRET");
  if (!is_signed(request)) return problem(401, "the signature is not that of this message");
  const json message = parse_json(request.body);
  const json& event = foreign::member(message, "event");
  const std::string type = foreign::string_at(event, "event_type");
  const json& data = foreign::member(event, "data");
  const bool begins = type == "incident.triggered" || type == "incident.reopened";
  // Acknowledged, annotated, reassigned …, and whatever comes to be.
  if (!begins && type != "incident.resolved") return taken("nothing");
  const std::string incident = foreign::string_at(data, "id");
  if (incident.empty() || incident.size() > kMaxId) return taken("nothing");
  const std::string id =
      fmt::format("{}|{}", request.header("X-Webhook-Id"), foreign::string_at(event, "id"));
  if (id.size() > 2 * kMaxId) return taken("nothing");
  const MutexLock lock(mutex_);
  if (seen_.find(id)) return taken("it came before");
  // Incidents of one service are one storm.
  const std::string service = foreign::string_at(foreign::member(data, "service"), "id");
  Alarm alarm{.group = "pagerduty:" + (service.empty() ? incident : "service:" + service),
              .order = {.incident = "PD-" + incident,
                        .alert = {},
                        .service = foreign::string_at(foreign::member(data, "service"), "summary"),
                        .since = {},
                        .until = {},
                        .description = foreign::string_at(data, "title")},
              .by = "pagerduty",
              .member = incident,
              .critical = is_critical(foreign::string_at(data, "urgency")),
              .resolved = !begins};
  if (const auto done = investigations_.alarm(alarm); !done) return later(done.error());
  seen_.add(id, "");
  return taken(begins ? "an alarm" : "its end");
}

ServedResponse Webhooks::alertmanager(const ServedRequest& request) {
  const json message = parse_json(request.body);
  const std::string status = foreign::string_at(message, "status"),
                    group = foreign::string_at(message, "groupKey");
  const json& alerts = foreign::member(message, "alerts");
  const bool listed = alerts.is_array() && std::ranges::all_of(alerts, [](const json& each) {
                        return each.is_object();
                      });
  const bool keyed = listed && (!message.contains("groupKey") || message["groupKey"].is_string());
  if (!keyed || (status != "firing" && status != "resolved"))
    return problem(400, "this is no notification of Alertmanager (webhook, version 4)");
  json firing = json::array();
  bool critical = false;
  for (const json& alert : alerts) {
    if (foreign::string_at(alert, "status") == "resolved") continue;
    critical =
        critical || is_critical(foreign::string_at(foreign::member(alert, "labels"), "severity"));
    firing.push_back(alert);
  }
  const bool resolved = status == "resolved" || firing.empty();
  std::string key = group;
  if (key.empty() && !alerts.empty()) key = foreign::string_at(alerts.front(), "fingerprint");
  Alarm alarm{.group = "alertmanager:" + sha256_hex(key),
              .order = {},
              .by = "alertmanager",
              .critical = critical,
              .resolved = resolved};
  if (!resolved) {
    json kept = {{"alerts", firing}};
    if (message.contains("truncatedAlerts")) kept["truncatedAlerts"] = message["truncatedAlerts"];
    alarm.order.alert = dump_json(kept);
  }
  if (const auto done = investigations_.alarm(alarm); !done) return later(done.error());
  return taken(resolved ? "its end" : "an alarm");
}

}  // namespace precedent
