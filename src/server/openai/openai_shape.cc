#include "server/openai/openai_shape.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/foreign_json.h"
#include "base/redact.h"
#include "server/http/problem.h"
#include "server/http/request_body.h"

namespace precedent {

using nlohmann::json;

json openai_error(int status, std::string_view message, const char* param) {
  const char* type = status == 429 || status == 503 ? "rate_limit_error"
                     : status >= 500                ? "server_error"
                                                    : "invalid_request_error";
  return {{"error",
           {{"message", redact(message)},
            {"type", type},
            {"param", param == nullptr ? json() : json(param)},
            {"code", nullptr}}}};
}

ServedResponse openai_refusal(int status, std::string_view message, const char* param) {
  return json_response(openai_error(status, message, param), status);
}

ServedResponse openai_refusal(const Error& error) {
  return openai_refusal(http_status(error.code), error.text());
}

ServedResponse in_openai_shape(ServedResponse response) {
  const auto type = std::ranges::find(response.headers, "Content-Type", &HttpHeader::name);
  if (type == response.headers.end() || type->value != "application/problem+json") return response;
  const json problem = parse_json(response.body);
  response.body = dump_json(openai_error(response.status, problem.value("detail", "")));
  type->value = "application/json";
  return response;
}

Result<Question> read_openai_messages(const json& messages) {
  if (!messages.is_array() || messages.empty())
    return fail(ErrorCode::kInvalidArgument, "the list of messages is missing or empty");
  Question question;
  for (size_t i = 0; i < messages.size(); ++i) {
    const json& message = messages[i];
    const auto named = [&](Error error) {
      return std::unexpected(std::move(error).within(fmt::format("message {}", i)));
    };
    if (!message.is_object())
      return named({ErrorCode::kInvalidArgument, "must be an object with role and content"});
    const auto role = message.find("role");
    if (role == message.end() || !role->is_string())
      return named({ErrorCode::kInvalidArgument, "has no 'role'"});
    auto text = text_of_content(message.value("content", json()));
    if (!text) return named(text.error());
    const bool user = *role == "user";
    // What a client tells a model to be is not asked of this one; its tools are not ours.
    if (!user && *role != "assistant") continue;
    if (!text->empty())
      question.history.push_back({user ? Role::kUser : Role::kAssistant, std::move(*text)});
  }
  if (question.history.empty() || question.history.back().role != Role::kUser)
    return fail(ErrorCode::kInvalidArgument, "the last message must be the user's, with a text");
  question.text = std::move(question.history.back().content);
  question.history.pop_back();
  return question;
}

std::string openai_event(const json& data) { return fmt::format("data: {}\n\n", dump_json(data)); }

}  // namespace precedent
