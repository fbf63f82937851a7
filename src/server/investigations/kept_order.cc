#include "server/investigations/kept_order.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/foreign_json.h"
#include "base/json_access.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr std::array<std::pair<const char*, std::string InvestigationOrder::*>, 6> kFields = {{
    {"incident", &InvestigationOrder::incident},
    {"alert", &InvestigationOrder::alert},
    {"service", &InvestigationOrder::service},
    {"since", &InvestigationOrder::since},
    {"until", &InvestigationOrder::until},
    {"description", &InvestigationOrder::description},
}};

}  // namespace

json order_json(const InvestigationOrder& order) {
  json kept = json::object();
  for (const auto& [field, member] : kFields)
    if (!(order.*member).empty()) kept[field] = order.*member;
  if (order.ask) kept["ask"] = true;
  return kept;
}

InvestigationOrder order_of_json(const json& kept) {
  InvestigationOrder order;
  for (const auto& [field, member] : kFields) order.*member = foreign::string_at(kept, field);
  order.ask = kept.is_object() && kept.contains("ask") && kept["ask"] == true;
  return order;
}

std::string about_of(const InvestigationOrder& order) {
  if (!order.incident.empty()) return order.incident;
  if (!order.description.empty()) return order.description;
  const json alert = parse_json(order.alert);
  for (const char* key : {"title", "alertname", "name", "monitor", "alert"})
    if (alert.is_object() && alert.contains(key) && alert[key].is_string()) return alert[key];
  // Of Alertmanager: what its alerts share.
  if (std::string name = foreign::string_at(foreign::member(alert, "commonLabels"), "alertname");
      !name.empty())
    return name;
  // Of Opsgenie.
  if (const std::string message = foreign::string_at(foreign::member(alert, "alert"), "message");
      !message.empty())
    return message;
  return order.service.empty() ? "an alert" : order.service;
}

}  // namespace precedent
