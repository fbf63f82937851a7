// What the OpenAI-compatible endpoints share: errors in OpenAI's own shape, and what a client's
// messages say. Format: OpenAI's API reference, "Chat" and "Responses", as of 2026.
//
// Thread safety: pure functions.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "agent/turn/question.h"
#include "agent/turn/reply.h"
#include "net/http_server.h"

namespace precedent {

// The only model that is offered; any name is taken for it, as clients insist on their own.
inline constexpr std::string_view kOpenAiModel = "precedent";

// {"error": {message, type, param, code}}
nlohmann::json openai_error(int status, std::string_view message, const char* param = nullptr);
ServedResponse openai_refusal(int status, std::string_view message, const char* param = nullptr);
ServedResponse openai_refusal(const Error& error);

// An error that was made before the endpoint was reached, in its shape; anything else as it is.
ServedResponse in_openai_shape(ServedResponse response);

// A list of messages, the last of which is the user's: the question and what was said before.
// Errors: kInvalidArgument naming the message.
Result<Question> read_openai_messages(const nlohmann::json& messages);

// "data: {…}\n\n"
std::string openai_event(const nlohmann::json& data);

}  // namespace precedent
