// A Reply as the request log and the counters take it.
//
// Thread safety: pure functions.
#pragma once

#include <string_view>

#include "agent/turn/copilot.h"
#include "observe/request_record.h"

namespace precedent {

// All that the reply says of its request. Whoever asked adds id, time and duration.
RequestRecord record_of(const Reply& reply, std::string_view question);

// The last question of a conversation; "" if none was asked.
std::string last_question_text(const CopilotState& state);

}  // namespace precedent
