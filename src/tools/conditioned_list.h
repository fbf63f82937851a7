// Incidents that are restricted in a person's words, read against the columns of the records
// (record_conditions.h).
//
// Thread safety: as the context.
#pragma once

#include <optional>

#include "tools/incident_lists.h"
#include "tools/params.h"
#include "tools/record_conditions.h"

namespace precedent {

// The records that meet what a `restriction` says.
struct ConditionedRecords {
  std::vector<IncidentItem> items;
  size_t of = 0;  // as many were looked at
  RecordConditions conditions;
  std::vector<std::string> said;   // all that restricts them, in words
  std::vector<std::string> names;  // of the applications that they are of
  std::vector<std::string> words;  // of `saying`, which no condition explains
};

// All of the arguments' scope that meet what their `restriction` says and `open`. `named`: those
// of an application alone, unless just that one is excluded. Nothing where no reader is there or
// no condition is stated: then the other arguments say all. `unknown`: a name that nothing has;
// then also nothing, unless the conditions explain its words, or it has too many for a name. A
// condition wins over a severity or a status that was read by the word alone: "not SEV4".
Result<std::optional<ConditionedRecords>> records_by_conditions(const Filter& scope,
                                                                const Named* named,
                                                                const Args& args,
                                                                ToolContext& context,
                                                                std::string_view unknown = {});

// A list of them, which `saying` restricts further, as many as are asked for.
Result<std::optional<IncidentsResult>> list_by_conditions(const Filter& scope, const Named* named,
                                                          const Args& args, ToolContext& context,
                                                          std::string_view unknown = {});

}  // namespace precedent
