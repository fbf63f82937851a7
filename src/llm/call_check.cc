#include "llm/call_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/foreign_json.h"
#include "base/json_access.h"
#include "base/nearest.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

// Once is a slip, twice is a habit, three times is a loop.
constexpr size_t kStuckAfter = 3;
constexpr size_t kMaxShownBytes = 80;

// Keys sorted, white space gone.
std::string canonical(std::string_view args) {
  const foreign::Json json = parse_json(args);
  return json.is_discarded() ? squeeze(args) : dump_json(json);
}

}  // namespace

std::string unknown_tool_text(std::string_view name, const std::vector<ToolDescription>& tools) {
  std::vector<std::string> names;
  for (const ToolDescription& tool : tools) names.push_back(tool.name);
  const std::string wrong = strip_controls(repair_utf8(utf8_prefix(name, kMaxShownBytes)));
  if (names.empty())
    return fmt::format("There is no tool '{}', nor any other; answer without.", wrong);
  if (const auto close = nearest(name, names))
    return fmt::format("There is no tool '{}'; the nearest is '{}'.", wrong, *close);
  return fmt::format("There is no tool '{}'; there are: {}.", wrong, join(names, ", "));
}

Repetition repetition(const std::vector<Message>& messages, const ToolCall& call) {
  const std::string args = canonical(call.args);
  const auto turn =
      std::ranges::find(messages.rbegin(), messages.rend(), Role::kUser, &Message::role);
  std::vector<std::string> same_calls;  // their ids, oldest first
  std::vector<std::string_view> results;
  for (auto message = turn.base(); message != messages.end(); ++message) {
    for (const ToolCall& earlier : message->tool_calls)
      if (earlier.id != call.id && earlier.name == call.name && canonical(earlier.args) == args)
        same_calls.push_back(earlier.id);
    if (message->role == Role::kTool &&
        std::ranges::find(same_calls, message->tool_call_id) != same_calls.end())
      results.push_back(message->content);
  }
  if (results.empty()) return Repetition::kNew;
  // What is said instead of a result is no progress either.
  const bool differs = results.size() >= 2 && results.back() != results[results.size() - 2] &&
                       results.back() != repetition_text(call);
  if (differs) return Repetition::kNew;
  return results.size() >= kStuckAfter ? Repetition::kStuck : Repetition::kRepeated;
}

std::string repetition_text(const ToolCall& call) {
  return fmt::format(
      "You have called '{}' with these arguments before and have its result; use it, ask something "
      "else, or answer with what there is.",
      call.name);
}

}  // namespace precedent
