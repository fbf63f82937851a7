// Whether anybody would answer a text that a client sent as a question: a blank, binary or overlong
// one is none.
//
// Thread safety: pure function.
#pragma once

#include <string_view>

#include "base/error.h"

namespace precedent {

// Errors: kInvalidArgument, beginning with `what` ("'message'").
Result<void> require_question(std::string_view text, std::string_view what);

}  // namespace precedent
