// Calls that lead nowhere: to tools that do not exist, and the same one again and again. What comes
// back is a sentence for the model, given as the call's result.
//
// Thread safety: pure functions.
#pragma once

#include "llm/chat_model.h"

namespace precedent {

// Names the nearest tool, or all of them.
std::string unknown_tool_text(std::string_view name, const std::vector<ToolDescription>& tools);

enum class Repetition {
  kNew,
  kRepeated,  // its result is there already: say so instead of calling
  kStuck,     // it was told and repeats: end the loop
};
// How `call` stands to the answered calls since the last message of the user. The same name and the
// same arguments, however they are written, are the same call; if its last two results differ, it
// makes progress and is new.
Repetition repetition(const std::vector<Message>& messages, const ToolCall& call);
std::string repetition_text(const ToolCall& call);

}  // namespace precedent
