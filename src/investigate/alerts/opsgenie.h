// Alerts as Opsgenie and Jira Service Management send them to a webhook:
//
//   {"action": "Create", "alert": {"alertId", "message", "entity", "source", "priority",
//    "createdAt", "updatedAt", "tags", "description", "details": {…}}, …}
//
// The entity, the details of one word and tags of the form key:value become labels. Source:
// https://support.atlassian.com/opsgenie/docs/opsgenie-edge-connector-alert-action-data. Thread
// safety: pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

#include "telemetry/alerts/alert_json.h"

namespace precedent {

bool is_opsgenie(const nlohmann::json& root);
// `otherwise`: when it began, if it does not say. Errors: kInvalidArgument naming `path` and what
// is missing. REQUIRES: is_opsgenie(root).
Result<RecordedAlert> read_opsgenie(const nlohmann::json& root, std::string_view path,
                                    const std::optional<Instant>& otherwise = {});

}  // namespace precedent
