// Threads, states and messages in the shape of the LangGraph server API (docs/clients.md).
//
// A turn that ended by asking back is an interrupt of its thread: the next question answers it.
// Thread safety: pure functions.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "agent/state/copilot_state.h"
#include "agent/turn/reply.h"
#include "graph/checkpoint.h"

namespace precedent {

// The one graph there is, and its assistant.
inline constexpr const char* kGraphId = "precedent";

// {type: "human" | "ai" | "tool" | "system", id, content, tool_calls?, tool_call_id?} of a message
// as the state's JSON has it.
nlohmann::json shaped_message(const nlohmann::json& message);
// {messages, title, receipts, status, sources, missing, intent, plan}, those of them that `state`
// has: a whole state as an event of the graph has it, or what a node wrote.
nlohmann::json shaped_values(const nlohmann::json& state);
// The values of a state, with `grounding`.
nlohmann::json values_of(const CopilotState& state);
// With what is only known once an answer is checked.
void add_grounding(nlohmann::json& values, const Reply& reply);

// {thread_id, checkpoint_ns, checkpoint_id, checkpoint_map}.
nlohmann::json checkpoint_ref(const std::string& thread, CheckpointId id);
nlohmann::json interrupt_json(const std::string& id, const std::string& question);
// What the thread asks back at this checkpoint: a list, empty or of one.
nlohmann::json interrupts_at(const Checkpoint& checkpoint, const CopilotState& state);
// {values, next, tasks, interrupts, checkpoint, parent_checkpoint, metadata, created_at}.
nlohmann::json thread_state(const std::string& thread, const Checkpoint& checkpoint,
                            const CopilotState& state);

// The members of an object that are named: "metadata", "values.title". All, if none is.
nlohmann::json selected(nlohmann::json object, const nlohmann::json& names);
// Whether `object` has all of `wanted`.
bool holds_all(const nlohmann::json& object, const nlohmann::json& wanted);

}  // namespace precedent
