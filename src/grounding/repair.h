// Repair: an answer in which what was not proved is marked where it stands, and what a model is
// told to mend it.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "grounding/claim.h"

namespace precedent {

// Each sentence of a model's answer that is not proved begins so.
inline constexpr std::string_view kUnverifiedMark = "*(unverified)*";

// The answer with the mark before each unsupported sentence, list item or row; lines of code stay
// as they are. The answer itself if nothing is unsupported. Moves the claims of `verification` to
// where they stand then: a marked answer is not read again, since anybody can write a mark.
// REQUIRES: `verification` is of `answer`.
std::string mark_unsupported(std::string_view answer, Verification& verification);

// What a model is told to repair its answer once: the unsupported sentences with their reasons, one
// a line; "" if there is none.
std::string repair_request(std::string_view answer, const Verification& verification);

}  // namespace precedent
