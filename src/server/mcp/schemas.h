// What each tool gives, as JSON schemas (2020-12): the shapes of tools/receipt.h as they are
// written. A field that may be missing is described and not required; what is not described here
// may come some day, so nothing is closed.
//
// A test holds the schemas against real receipts of every tool: one that writes a field of another
// name or type fails there. Thread safety: pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace precedent {

// Of the structured content of a tool: {tool, status, at, result, left_out?}. The result of a tool
// that is not known here may be anything.
nlohmann::json output_schema(std::string_view tool);
// Of `ask`.
nlohmann::json ask_output_schema();

}  // namespace precedent
