#include "server/mcp/progress.h"

#include <fmt/format.h>

#include "base/foreign_json.h"
#include "base/json_access.h"
#include "base/utf8.h"
#include "server/turns/turn_events.h"

namespace precedent {
namespace {

using nlohmann::json;

// A line for people; arguments may hold a log.
constexpr size_t kMaxMessage = 300;

std::string message_of(const ToldEvent& event) {
  if (event.name == "status") return foreign::string_at(event.data, "text");
  if (event.name == "tool_call")
    return fmt::format("{} {}", foreign::string_at(event.data, "tool"),
                       dump_json(foreign::member(event.data, "args")));
  if (event.name == "tool_result")
    return fmt::format("{}: {}{}{}", foreign::string_at(event.data, "tool"),
                       foreign::string_at(event.data, "status"),
                       foreign::string_at(event.data, "note").empty() ? "" : ", ",
                       foreign::string_at(event.data, "note"));
  return "";
}

}  // namespace

McpProgress::McpProgress(const McpCall& call) : call_(call) {
  const json& token = foreign::member(call.meta(), "progressToken");
  if (token.is_string() || token.is_number_integer()) token_ = token;
}

void McpProgress::emit(const Event& event) {
  if (!wanted()) return;
  const auto told_one = told(event);
  const std::string message = told_one ? message_of(*told_one) : std::string();
  if (!message.empty()) say(message);
}

void McpProgress::say(std::string_view message) {
  if (!wanted()) return;
  call_.peer.notify({{"jsonrpc", "2.0"},
                     {"method", "notifications/progress"},
                     {"params",
                      {{"progressToken", token_},
                       {"progress", ++steps_},
                       {"message", std::string(utf8_prefix(message, kMaxMessage))}}}});
}

}  // namespace precedent
