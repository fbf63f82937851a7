// What a model wrote as the arguments of a call, checked against the tool and repaired where only
// one repair is possible; else a sentence from which the model can correct itself.
//
// Repaired: a code fence around it, a JSON string that holds the JSON, trailing commas, closing
// brackets that are missing after a complete value, single quotes and True/False/None of Python, a
// scalar of another type that converts exactly ("5" → 5, 5.0 → 5, 4711 → "4711", "true" → true),
// one value for a list, null for an optional parameter, other capitals in one of the allowed
// values. Not repaired, since it would be a guess: a cut string or number, an unknown parameter, a
// value out of range. Thread safety: pure functions.
#pragma once

#include "base/error.h"
#include "llm/tool_description.h"

namespace precedent {

struct CheckedArguments {
  std::string json;                       // one compact object that fits the tool
  std::vector<std::string> repairs = {};  // what was done, for whoever explains
};

// Errors: kInvalidArgument; the message is written for the model: path, expected, got, for every
// parameter that does not fit.
Result<CheckedArguments> check_arguments(const ToolDescription& tool, std::string_view raw);

}  // namespace precedent
