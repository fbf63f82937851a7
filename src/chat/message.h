// What is said: by whom, and what. A conversation is a list of these, oldest first.
//
// Thread safety: plain values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace precedent {

enum class Role { kSystem, kUser, kAssistant, kTool };

// What an assistant asks for. `args` is JSON text as the model wrote it: not yet parsed, perhaps
// not even valid.
struct ToolCall {
  std::string id;  // unique within a conversation; the answer's Message::tool_call_id
  std::string name;
  std::string args;
  bool operator==(const ToolCall&) const = default;
};

struct Message {
  Role role = Role::kUser;
  std::string content;
  std::string id = {};                    // unique within a conversation; "" until it is kept
  std::vector<ToolCall> tool_calls = {};  // of an assistant
  std::string tool_call_id = {};          // of a tool: which call this answers
  bool operator==(const Message&) const = default;
};

constexpr std::string_view name(Role role) {
  switch (role) {
    case Role::kSystem: return "system";
    case Role::kUser: return "user";
    case Role::kAssistant: return "assistant";
    case Role::kTool: return "tool";
  }
  return "user";
}

}  // namespace precedent
