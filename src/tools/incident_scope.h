// The restriction that all tools which list incidents take: `since`, `until`, `severity`, `status`.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "knowledge/filter.h"
#include "tools/params.h"

namespace precedent {

// `params`, followed by those of the restriction.
std::vector<Param> with_incident_scope(std::vector<Param> params);

// Incidents only, and what the arguments restrict them to: opened at `since` or later and before
// `until`; any of the severities; any of the statuses.
// Errors: kInvalidArgument for what is no date or time, and for a window that ends before it
// begins.
Result<Filter> incident_scope(const Args& args);

// "severity SEV1, opened from 2025-01-01T00:00:00Z, before 2026-01-01T00:00:00Z"; "" if the filter
// restricts nothing.
std::string describe_scope(const Filter& filter);

}  // namespace precedent
