// Investigations over HTTP: ordered, watched, read, cancelled; and begun by the webhooks of
// PagerDuty and Alertmanager (webhooks.h).
//
// Thread safety: as Router. Ownership: borrows its parts.
#pragma once

#include "server/http/router.h"
#include "server/investigations/investigations.h"

namespace precedent {

// `by`: who asks, as the list calls them.
void add_investigation_routes(Router& router, Investigations& investigations,
                              const std::string& by);
// An order from a JSON object: of a body, or the arguments of a tool. Errors: kInvalidArgument
// naming the field.
Result<InvestigationOrder> read_order(const nlohmann::json& object);

}  // namespace precedent
