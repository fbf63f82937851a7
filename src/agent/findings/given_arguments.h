// What a call was given, as its receipt has it. A plan's arguments are typed
// (plan/call_arguments.h); a receipt's are JSON, since a model calls tools, too, and with arguments
// of any shape: what has not the form that is asked for is not given.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/receipt.h"

namespace precedent {

// "" if it was not given.
std::string given_text(const Receipt& receipt, std::string_view name);
// Of a list, or of a single word.
std::vector<std::string> given_words(const Receipt& receipt, std::string_view name);

}  // namespace precedent
