// What a model reads of a conversation: its messages, with everything that others wrote made data.
//
// Kept messages hold the receipts' own texts, which answers quote and the verifier reads; only what
// is sent is changed. Thread safety: pure functions.
#pragma once

#include <vector>

#include "agent/state/copilot_state.h"

namespace precedent {

// The messages of the thread, defused (base/untrusted_text.h). Shortening them comes after this,
// and before delimit_results: a shortened result still has both of its tags.
std::vector<Message> defused_messages(const CopilotState& state);

// Puts each tool's result between tags that name its receipt and its tool.
void delimit_results(std::vector<Message>& messages, const CopilotState& state);

}  // namespace precedent
