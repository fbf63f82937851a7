// Unproved: what of a model's answer the receipts of its conversation do not prove.
//
// Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "agent/copilot_state.h"

namespace precedent {

// A closing paragraph that quotes each such sentence with the reason, at most a few of them; "" if
// everything is supported, worded as a hypothesis, or general knowledge (grounding/verify.h).
std::string unproved(std::string_view answer, const CopilotState& state);

}  // namespace precedent
