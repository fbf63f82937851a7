#include "llm/token_estimate.h"

#include <nlohmann/json.hpp>

namespace precedent {
namespace {

constexpr size_t kBytesPerToken = 3;
// Role, separators, ids: what vendors document as the overhead of one message, rounded up.
constexpr int64_t kTokensPerMessage = 8;

int64_t estimate_tool(const ToolDescription& tool) {
  return estimate_tokens(tool.name) + estimate_tokens(tool.description) +
         estimate_tokens(
             json_schema(tool).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace

int64_t estimate_tokens(std::string_view text) {
  return static_cast<int64_t>((text.size() + kBytesPerToken - 1) / kBytesPerToken);
}

int64_t estimate_tokens(const Message& message) {
  int64_t tokens = kTokensPerMessage + estimate_tokens(message.content);
  for (const ToolCall& call : message.tool_calls)
    tokens += kTokensPerMessage + estimate_tokens(call.name) + estimate_tokens(call.args);
  return tokens;
}

int64_t estimate_tokens(const std::vector<Message>& messages) {
  int64_t tokens = 0;
  for (const Message& message : messages) tokens += estimate_tokens(message);
  return tokens;
}

int64_t estimate_tokens(const ModelRequest& request) {
  int64_t tokens = estimate_tokens(request.messages);
  for (const ToolDescription& tool : request.tools) tokens += estimate_tool(tool);
  if (request.response) tokens += estimate_tool(*request.response);
  return tokens;
}

}  // namespace precedent
