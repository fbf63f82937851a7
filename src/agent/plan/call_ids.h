// Call ids: of the rounds of a turn, unique within a conversation.
//
// Thread safety: pure functions over values.
#pragma once

#include <string>
#include <string_view>

#include "agent/understand/reading.h"

namespace precedent {

// The id of the call `number` of a round: unique within a conversation, and told from those that a
// model made. `by_model`: one that a model added to the plan.
std::string call_id(const Reading& reading, bool again, size_t number, bool by_model = false);
// Whether the program itself made a call of this id: retrieved text has not steered it. What a
// model calls never has such an id (make_ids_unique in model_answer.cc).
bool is_programs_call(std::string_view id);
// Whether calls of that round were made.
bool was_called(const Reading& reading, bool again);

}  // namespace precedent
