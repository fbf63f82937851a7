// One JSON object of a deploy log, a flag log or a snapshot → a Change.
//
// Format: docs/format/deploys.md, with the other names that logs give the same fields.
// Thread safety: pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/error.h"
#include "changes/change.h"

namespace precedent {

// `usual`: the kind of a record that does not say. What is not UTF-8 is repaired, invisible
// characters go, secrets are redacted, long values are cut.
// Errors: kInvalidArgument naming the field: no object, no readable time, a kind that does not
// exist, nothing that says what was changed.
Result<Change> change_of(const nlohmann::json& record, ChangeKind usual);

// Where a record of a flag or a setting does not say what it was before: what the record before it
// says of the same one, of the same services and environment.
void fill_earlier_values(std::vector<Change>& changes);

// The feature flag that a change_of() switched; "" of any other change.
std::string_view flag_of(const Change& change);

}  // namespace precedent
