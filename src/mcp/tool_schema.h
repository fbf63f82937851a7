// The JSON schema of a foreign tool's arguments: made into parameters as far as these go, and held
// against the arguments of a call.
//
// What is understood: properties, required, type, enum, minimum, maximum, minLength, maxLength,
// items and properties within. All else is left to the server, which checks as well. Descriptions
// are foreign text: bounded, defused, without instructions. Thread safety: pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "tools/params.h"

namespace precedent {

// A server's description as data: one line, nothing hidden, no frame of a conversation, no secret,
// no sentence that tells a model what to do, at most `max_bytes`.
std::string described(std::string_view text, size_t max_bytes);

// Errors: kInvalidArgument for a schema that no call could be made by.
Result<std::vector<Param>> params_of(const nlohmann::json& schema);

// The arguments as the server gets them: what is to be an object or a list and came as a JSON text
// is one again. Errors: kInvalidArgument naming the argument, what it is and what is expected.
Result<nlohmann::json> fit(const nlohmann::json& schema, nlohmann::json args);

}  // namespace precedent
