// A YAML mapping → Record: scalars as text, lists and mappings as compact JSON.
//
// Thread safety: pure functions.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "ingest/records/record.h"

namespace precedent {

// A YAML text that is no mapping has no fields. `line`: of the first line of `yaml` in the file,
// for messages. Refused: broken YAML, and YAML that unfolds to more than it says (aliases of
// aliases).
std::expected<Record, BadRecord> read_yaml(std::string_view yaml, const std::string& path,
                                           size_t line);

}  // namespace precedent
