// Repair: an answer without what was not proved, saying that something is gone.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "grounding/claim.h"

namespace precedent {

enum class RepairMode {
  kRemove,  // unsupported sentences go, with a list item or line that they leave empty
  kMark,    // they stay, struck through and called unverified: for somebody who judges by himself
};

struct Repaired {
  std::string text;
  size_t claims = 0;  // that were removed or marked
};

// The answer as it is if nothing is unsupported. Else a last line says how many statements were
// removed or marked. REQUIRES: `verification` is of `answer`.
Repaired remove_or_mark(std::string_view answer, const Verification& verification,
                        RepairMode mode = RepairMode::kRemove);

// What a model is told to repair its answer once: the unsupported sentences with their reasons, one
// a line; "" if there is none.
std::string repair_request(std::string_view answer, const Verification& verification);

}  // namespace precedent
