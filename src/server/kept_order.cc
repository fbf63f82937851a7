#include "server/kept_order.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "server/mcp_protocol.h"

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
  for (const auto& [field, member] : kFields) order.*member = text_at(kept, field);
  order.ask = kept.is_object() && kept.contains("ask") && kept["ask"] == true;
  return order;
}

}  // namespace precedent
