// The nodes of the copilot's graph, and the decisions between them. What they are called, what they
// read and what they say on the way is a contract with whoever watches a conversation.
//
// Thread safety: pure but for the services they are given.
#pragma once

#include "agent/state/copilot_state.h"
#include "agent/turn/copilot_services.h"
#include "agent/understand/reading.h"
#include "graph/state_graph.h"

namespace precedent {

// The last question as the turn has read it already; read now, if it has not.
Reading reading_of(const CopilotServices& services, const CopilotState& state,
                   const Context& context);

// May this question be answered? Refusals and questions back are answers of their own.
Result<Update> guardrail_check(const CopilotServices& services, const CopilotState& state,
                               const Context& context, EventSink& events);
// The model, or the offline reasoner: asks for tools, or answers.
Result<Update> support_bot(const CopilotServices& services, const CopilotState& state,
                           const Context& context, EventSink& events);
// Runs the calls of the last message, several at once, and leaves a receipt for each.
Result<Update> incident_tools(const CopilotServices& services, const CopilotState& state,
                              const Context& context, EventSink& events);
// Two to four words for the conversation: those that the model was asked for beside the answer
// (title_task.h), if they are there by now.
Result<Update> title_generation(const CopilotServices& services, const CopilotState& state,
                                const Context& context, EventSink& events);

// "allowed", "answered".
Labels may_be_answered(const CopilotState& state, EventSink& events);
// "continue", "title_generation", "end".
Labels wants_tool(const CopilotState& state, EventSink& events);

}  // namespace precedent
