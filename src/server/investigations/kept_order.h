// An order of an investigation as JSON, for the files that outlive a restart
// (docs/format/investigations.md): its fields that are set.
//
// Thread safety: pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "server/investigations/investigator.h"

namespace precedent {

nlohmann::json order_json(const InvestigationOrder& order);
// What is not there, or of another type, is empty.
InvestigationOrder order_of_json(const nlohmann::json& kept);

// What a list calls it.
std::string about_of(const InvestigationOrder& order);

}  // namespace precedent
