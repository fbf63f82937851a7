// The model's turn: what it is sent, what it may answer, and what becomes of an answer that is not
// proved.
//
// Thread safety: pure but for the services they are given.
#pragma once

#include <string>

#include "agent/evidence/answer.h"
#include "agent/state/copilot_state.h"
#include "agent/turn/copilot_services.h"
#include "agent/turn/traced_model.h"
#include "agent/understand/reading.h"
#include "graph/state_graph.h"
#include "llm/chat_model.h"

namespace precedent {

// What a trace calls the thinking, whoever thinks.
inline constexpr std::string_view kSupportBotRun = "Support Bot LLM";

struct ModelTurn {
  Message message;              // an answer, or tool calls
  Answer answer;                // without its text, which is the message's
  ConversationSummary summary;  // of the conversation so far; as before, if nothing was summarised
};

// What nothing proves is given back to the model once; what is left of it then is quoted at the end
// of the answer with the reasons. `verified`: reviewed answers to similar questions, may be "".
// Errors: the model's; kPermission for a refusal; kUnavailable for an empty answer;
// kResourceExhausted for a model that repeats itself or never comes to an answer.
Result<ModelTurn> ask_model(const CopilotServices& services, const CopilotState& state,
                            const Context& context, NodeModel& models, ModelContext& model,
                            const Reading& reading, const std::string& verified);

}  // namespace precedent
