// The JSON Schema of a report (docs/format/investigation.schema.json), as the program holds it.
// Thread safety: constants.
#pragma once

#include <string_view>

namespace precedent {

// Its `$id`, which a report names as its `$schema`.
inline constexpr std::string_view kReportSchema = "urn:precedent:investigation:1";
std::string_view report_schema();

}  // namespace precedent
