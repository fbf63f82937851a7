#include "server/mcp/job.h"

#include <fmt/format.h>

#include "base/json_access.h"
#include "base/utf8.h"

namespace precedent {

using nlohmann::json;

json mcp_form(const std::string& key, const std::string& message, const json& schema) {
  return {{key,
           {{"method", "elicitation/create"},
            {"params", {{"mode", "form"}, {"message", message}, {"requestedSchema", schema}}}}}};
}

bool is_answered(const json& forms, const json& answers) {
  for (const auto& [key, form] : forms.items())
    if (!answers.contains(key)) return false;
  return true;
}

McpResult<json> read_form_answers(const json& responses, const json& forms) {
  json answers = json::object();
  if (responses.is_null()) return answers;
  if (!responses.is_object())
    return mcp_fail(kMcpInvalidParams, "'inputResponses' must be an object");
  for (const auto& [key, answer] : responses.items()) {
    if (!forms.contains(key)) continue;
    const std::string action = foreign::string_at(answer, "action");
    if (action != "accept" && action != "decline" && action != "cancel")
      return mcp_fail(
          kMcpInvalidParams,
          fmt::format("'inputResponses.{}' must have an 'action': accept, decline or cancel",
                      utf8_prefix(key, 100)));
    answers[key] = answer;
  }
  return answers;
}

}  // namespace precedent
