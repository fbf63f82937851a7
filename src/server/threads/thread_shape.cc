#include "server/threads/thread_shape.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/foreign_json.h"

namespace precedent {

using nlohmann::json;

namespace {

constexpr const char* kFirstNode = "guardrail_check";
constexpr const char* kAskingNode = "support_bot";
// Tasks that a client wrote, not the graph.
constexpr const char* kUpdateTask = "update";

std::string type_of(const json& role) {
  if (role == "user") return "human";
  if (role == "assistant") return "ai";
  return role.is_string() ? role.get<std::string>() : "human";
}

// Our own records: text that holds JSON, "" where there is none.
json parsed(const json& text) {
  if (!text.is_string()) return text;
  json value = parse_json_leniently(text.get<std::string>());
  return value.is_discarded() ? json() : value;
}

json next_of(const Checkpoint& checkpoint) {
  json next = json::array();
  for (const Task& task : checkpoint.step.next) next.push_back(task.node);
  return next;
}

// The node whose answer was a question back.
const char* asking_node(const Checkpoint& checkpoint) {
  const auto& tasks = checkpoint.step.tasks;
  return !tasks.empty() && tasks.front().task.node == kFirstNode ? kFirstNode : kAskingNode;
}

json task_json(const Checkpoint& checkpoint, const json& node, json interrupts) {
  return {{"id", fmt::format("{}.{}", checkpoint.id, node.get<std::string>())},
          {"name", node},
          {"error", nullptr},
          {"interrupts", std::move(interrupts)},
          {"checkpoint", nullptr},
          {"state", nullptr}};
}

json source_of(const Checkpoint& checkpoint) {
  if (checkpoint.step.source != StepSource::kLoop) return "input";
  const auto& tasks = checkpoint.step.tasks;
  return !tasks.empty() && tasks.front().task.node == kUpdateTask ? "update" : "loop";
}

}  // namespace

json shaped_message(const json& message) {
  json shaped = {{"type", type_of(message.value("role", json()))},
                 {"id", message.value("id", json())},
                 {"content", message.value("content", json(""))},
                 {"additional_kwargs", json::object()},
                 {"response_metadata", json::object()}};
  if (shaped["type"] == "ai") {
    shaped["tool_calls"] = json::array();
    shaped["invalid_tool_calls"] = json::array();
    for (const json& call : message.value("tool_calls", json::array()))
      shaped["tool_calls"].push_back({{"type", "tool_call"},
                                      {"id", call["id"]},
                                      {"name", call["name"]},
                                      {"args", parsed(call["args"])}});
  }
  if (message.contains("tool_call_id")) shaped["tool_call_id"] = message["tool_call_id"];
  return shaped;
}

json shaped_values(const json& state) {
  json values = json::object();
  if (const auto messages = state.find("messages"); messages != state.end()) {
    values["messages"] = json::array();
    for (const json& message : *messages) values["messages"].push_back(shaped_message(message));
  }
  for (const char* same : {"title", "receipts"})
    if (state.contains(same)) values[same] = state[same];
  for (const char* text : {"intent", "plan"})
    if (state.contains(text)) values[text] = parsed(state[text]);
  if (const auto answer = state.find("answer"); answer != state.end())
    for (const char* part : {"status", "sources", "missing"}) values[part] = (*answer)[part];
  return values;
}

void add_grounding(json& values, const Reply& reply) {
  values["grounding"] = parsed(reply.grounding);
}

json values_of(const CopilotState& state) {
  json all = json::object();
  for (const auto& field : copilot_fields().schema.fields()) all[field.name] = field.json(state);
  json values = shaped_values(all);
  add_grounding(values, reply_of(state, ""));
  return values;
}

json checkpoint_ref(const std::string& thread, CheckpointId id) {
  return {{"thread_id", thread},
          {"checkpoint_ns", ""},
          {"checkpoint_id", std::to_string(id)},
          {"checkpoint_map", nullptr}};
}

json interrupt_json(const std::string& id, const std::string& question) {
  return {{"id", id},
          {"value", {{"type", "needs_input"}, {"text", question}}},
          {"when", "during"},
          {"resumable", true},
          {"ns", json::array()}};
}

json interrupts_at(const Checkpoint& checkpoint, const CopilotState& state) {
  json interrupts = json::array();
  const bool asks_back = checkpoint.step.next.empty() && !state.messages.empty() &&
                         state.messages.back().role == Role::kAssistant &&
                         state.answer.status == AnswerStatus::kNeedsInput;
  if (asks_back)
    interrupts.push_back(
        interrupt_json(fmt::format("interrupt-{}", checkpoint.id), state.messages.back().content));
  return interrupts;
}

json thread_state(const std::string& thread, const Checkpoint& checkpoint,
                  const CopilotState& state) {
  const json interrupts = interrupts_at(checkpoint, state);
  json next = next_of(checkpoint);
  // Who waits for an answer is where the thread goes on.
  if (!interrupts.empty()) next.push_back(asking_node(checkpoint));
  json tasks = json::array();
  for (const json& node : next) tasks.push_back(task_json(checkpoint, node, interrupts));
  return {{"values", values_of(state)},
          {"next", std::move(next)},
          {"tasks", std::move(tasks)},
          {"interrupts", interrupts},
          {"checkpoint", checkpoint_ref(thread, checkpoint.id)},
          {"parent_checkpoint",
           checkpoint.parent ? checkpoint_ref(thread, *checkpoint.parent) : json()},
          {"metadata",
           {{"source", source_of(checkpoint)},
            {"step", checkpoint.step.step},
            {"parents", json::object()},
            {"thread_id", thread}}},
          {"created_at", format_time(checkpoint.step.at)}};
}

json selected(json object, const json& names) {
  if (!names.is_array() || names.empty()) return object;
  json some = json::object();
  for (const json& name : names) {
    if (!name.is_string()) continue;
    const std::string text = name.get<std::string>();
    constexpr std::string_view kValues = "values.";
    if (!text.starts_with(kValues)) {
      if (object.contains(text)) some[text] = object[text];
      continue;
    }
    const std::string part = text.substr(kValues.size());
    const json& values = object["values"];
    if (values.is_object() && values.contains(part)) some["values"][part] = values[part];
  }
  return some;
}

bool holds_all(const json& object, const json& wanted) {
  if (!wanted.is_object() || !object.is_object()) return wanted.is_null() || object == wanted;
  return std::ranges::all_of(wanted.items(), [&](const auto& member) {
    return object.contains(member.key()) && holds_all(object[member.key()], member.value());
  });
}

}  // namespace precedent
