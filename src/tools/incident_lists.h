// Which incidents a tool lists: those of a filter, as they were known at the moment that is asked
// about, and those of an application or service that a person named.
//
// Thread safety: pure functions over the context.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/tool.h"

namespace precedent {

Filter incidents_only();

// Of a moment that was asked about, as it was known then.
Result<std::optional<IncidentItem>> item_of(std::string_view id, ToolContext& context);

struct ListedIncidents {
  std::vector<Payload> page;
  size_t total = 0;  // that match, also beyond the page
};

inline constexpr size_t kAllIncidents = std::numeric_limits<size_t>::max();

// The `limit` newest that match; of a moment that was asked about, that matched then.
Result<ListedIncidents> listed(const Filter& filter, size_t limit, ToolContext& context);

Result<void> fill(IncidentsResult& result, const std::vector<Payload>& payloads,
                  ToolContext& context);

// A scope narrowed to an application or a service.
struct Named {
  Filter filter;
  std::vector<std::string> names;        // that were taken as meant; empty: no name was given
  std::vector<std::string> longer = {};  // applications of longer names, where those are exact
};

// What else may be meant: people call an application by the name that it shares with others.
// "" if there is nothing.
Result<std::string> more_under(const std::vector<std::string>& longer, const Filter& scope,
                               ToolContext& context);

// Applications come first; a name that no incident of the scope has as its application is a
// service, or what longer names begin with. Errors: kNotFound naming the name and the nearest one.
Result<Named> name_scope(std::string_view written, const Filter& scope, ToolContext& context);

}  // namespace precedent
