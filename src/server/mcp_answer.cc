#include "server/mcp_answer.h"

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "server/mcp_output.h"

namespace precedent {

using nlohmann::json;

json mcp_answer(const Reply& reply) {
  // The text stands there twice; sources share what remains.
  constexpr size_t kText = kMcpMaxBytes * 2 / 5, kSources = kMcpMaxBytes - 2 * kText - 1000;
  const json whole = to_json(reply);
  const std::string text = bounded_text(reply.text, kText);
  json found = {{"sources", whole["sources"]}, {"missing", whole["missing"]}};
  const std::string left_out = shrink(found, kSources);
  json structured = {{"status", whole["status"]},
                     {"answer", text},
                     {"chat_id", whole["thread_id"]},
                     {"sources", json::array()},
                     {"missing", json::array()}};
  if (found.is_object()) structured.update(found);
  if (!left_out.empty()) structured["left_out"] = left_out;
  return mcp_tool_result(text, std::move(structured), reply.status == AnswerStatus::kError);
}

json mcp_failed_answer(const std::string& text) {
  return mcp_tool_result(text,
                         {{"status", "error"},
                          {"answer", text},
                          {"sources", json::array()},
                          {"missing", json::array({text})}},
                         true);
}

bool asks_back(const Reply& reply) {
  return reply.status == AnswerStatus::kNeedsInput && !reply.thread_id.empty() &&
         reply.not_kept.empty();
}

json mcp_input_requests(const std::string& message) {
  const json field = {{"type", "string"}, {"title", "Your answer"}};
  const json schema = {{"type", "object"},
                       {"properties", {{kMcpAnswerKey, field}}},
                       {"required", json::array({kMcpAnswerKey})}};
  return {{kMcpAnswerKey,
           {{"method", "elicitation/create"},
            {"params", {{"mode", "form"}, {"message", message}, {"requestedSchema", schema}}}}}};
}

McpResult<std::optional<FormAnswer>> read_form_answer(const json& responses) {
  const json& response = member(responses, kMcpAnswerKey);
  if (response.is_null()) return std::nullopt;
  const std::string action = text_at(response, "action");
  if (action != "accept" && action != "decline" && action != "cancel")
    return mcp_fail(kMcpInvalidParams,
                    "'inputResponses.answer' must have an 'action': accept, decline or cancel");
  if (action != "accept") return FormAnswer{.given_up = true, .text = ""};
  std::string text = text_at(member(response, "content"), kMcpAnswerKey);
  if (trim(text).empty()) return std::nullopt;
  return FormAnswer{.given_up = false, .text = std::move(text)};
}

}  // namespace precedent
