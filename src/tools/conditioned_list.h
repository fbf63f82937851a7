// Lists of incidents that are restricted in a person's words, read against the columns of the
// records (record_conditions.h).
//
// Thread safety: as the context.
#pragma once

#include <optional>

#include "tools/incident_lists.h"
#include "tools/params.h"

namespace precedent {

// All incidents of the arguments' scope that meet what their `restriction` says, as many as are
// asked for. `named`: those of an application alone, unless just that one is excluded. Nothing
// where no reader is there or no condition is stated: then the other arguments say all. `unknown`:
// a name that nothing has; then also nothing, unless the conditions explain its words, or it has
// too many for a name. A condition wins over a severity or a status that was read by the word
// alone: "not SEV4".
Result<std::optional<IncidentsResult>> list_by_conditions(const Filter& scope, const Named* named,
                                                          const Args& args, ToolContext& context,
                                                          std::string_view unknown = {});

}  // namespace precedent
