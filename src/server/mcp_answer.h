// Answers of `ask` as results of tools/call, and the question back as a form.
//
// Thread safety: pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "agent/turn/reply.h"
#include "server/mcp_protocol.h"

namespace precedent {

// The key of the form in `inputRequests`, and of its only field.
inline constexpr const char* kMcpAnswerKey = "answer";

nlohmann::json mcp_answer(const Reply& reply);
nlohmann::json mcp_failed_answer(const std::string& text);
// Whether the question can go on in its chat once it is answered.
bool asks_back(const Reply& reply);
// {answer: elicitation/create …}
nlohmann::json mcp_input_requests(const std::string& message);

// What came of a form.
struct FormAnswer {
  bool given_up = false;  // declined or put away
  std::string text;       // ""
};
// Nothing if the form was not answered. Errors: kMcpInvalidParams for what is no answer of a form.
McpResult<std::optional<FormAnswer>> read_form_answer(const nlohmann::json& responses);

}  // namespace precedent
