// What is said: by whom, and what. Also what a conversation so far looks like to the agent.
//
// Thread safety: plain values.
#pragma once

#include <string>
#include <string_view>

namespace precedent {

enum class Role { kUser, kAssistant };

struct Message {
  Role role = Role::kUser;
  std::string content;
  bool operator==(const Message&) const = default;
};

constexpr std::string_view name(Role role) { return role == Role::kUser ? "user" : "assistant"; }

}  // namespace precedent
