#include "server/mcp/protocol.h"

#include "base/json_access.h"
#include "base/redact.h"

namespace precedent {

using nlohmann::json;

std::unexpected<McpError> mcp_fail(int code, std::string message, int status, json data) {
  return std::unexpected(McpError{code, std::move(message), status, std::move(data)});
}

const json& McpCall::meta() const {
  static const json kEmpty = json::object();
  const json& found = foreign::member(params, "_meta");
  return found.is_object() ? found : kEmpty;
}

bool McpCall::declares_tasks() const {
  const json& extensions =
      foreign::member(foreign::member(meta(), kMcpCapabilitiesKey), "extensions");
  return modern && foreign::member(extensions, kMcpTasksExtension).is_object();
}

bool McpCall::elicits() const {
  const json& elicitation =
      foreign::member(foreign::member(meta(), kMcpCapabilitiesKey), "elicitation");
  return modern && elicitation.is_object() && (elicitation.empty() || elicitation.contains("form"));
}

json mcp_error_body(const json& id, const McpError& error) {
  json body = {{"code", error.code}, {"message", redact(error.message)}};
  if (!error.data.is_null()) body["data"] = error.data;
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(body)}};
}

std::optional<std::string> mcp_name_of(const std::string& method, const json& params) {
  if (method == "tools/call" || method == "prompts/get") return foreign::string_at(params, "name");
  if (method == "resources/read") return foreign::string_at(params, "uri");
  if (method == "tasks/get" || method == "tasks/update" || method == "tasks/cancel")
    return foreign::string_at(params, "taskId");
  return std::nullopt;
}

std::string decoded_header(std::string_view value) {
  constexpr std::string_view kBegin = "=?base64?", kEnd = "?=";
  if (value.size() < kBegin.size() + kEnd.size() || !value.starts_with(kBegin) ||
      !value.ends_with(kEnd))
    return std::string(value);
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string decoded;
  uint32_t held = 0, bits = 0;
  for (const char c : value.substr(kBegin.size(), value.size() - kBegin.size() - kEnd.size())) {
    const size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) {
      if (c == '=') continue;
      return std::string(value);
    }
    held = held << 6 | static_cast<uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    decoded += static_cast<char>(held >> bits & 0xff);
  }
  return decoded;
}

}  // namespace precedent
