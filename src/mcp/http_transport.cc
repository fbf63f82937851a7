#include "mcp/http_transport.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "net/sse.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr size_t kMaxSessionBytes = 1024;

bool is_event_stream(const HttpResponse& head) {
  return ascii_lower(head.header("Content-Type")).starts_with("text/event-stream");
}

// A session is a header again: visible ASCII alone, as the specification wants it.
bool is_session(std::string_view id) {
  return !id.empty() && id.size() <= kMaxSessionBytes &&
         std::ranges::all_of(id, [](char c) { return c > ' ' && c <= '~'; });
}

std::unexpected<Error> status_error(const HttpResponse& head) {
  const auto error = [&](ErrorCode code, std::string_view remedy) {
    return fail(code, fmt::format("it answered with HTTP {}{}", head.status, remedy));
  };
  switch (head.status) {
    case 401:
    case 403:
      return error(ErrorCode::kPermission,
                   "; give it a token in 'headers', as `\"Authorization\": \"Bearer ${NAME}\"`");
    case 404: return error(ErrorCode::kNotFound, "; check the path of its 'url'");
    default:
      return error(head.status < 500 ? ErrorCode::kInvalidArgument : ErrorCode::kUnavailable, "");
  }
}

}  // namespace

Result<McpConnection> HttpTransport::open(const McpWait& wait) {
  TRY(wait.cancel.check());
  const MutexLock lock(mutex_);
  return connection_;
}

void HttpTransport::end_session(McpConnection connection) {
  const MutexLock lock(mutex_);
  if (session_.empty() || connection != connection_) return;
  session_.clear();
  ++connection_;
}

HttpRequest HttpTransport::request_for(const McpMessage& message) {
  HttpRequest request{.method = "POST", .url = url_, .headers = headers_, .body = to_line(message)};
  const auto add = [&](std::string name, std::string value) {
    request.headers.push_back({std::move(name), std::move(value)});
  };
  add("Content-Type", "application/json");
  add("Accept", "application/json, text/event-stream");
  if (!message.revision.empty()) add("MCP-Protocol-Version", message.revision);
  if (message.is_stateless()) {
    add("Mcp-Method", message.method);
    if (!message.name.empty()) add("Mcp-Name", message.name);
    for (const auto& [name, value] : message.headers) add(name, value);
  } else if (message.method != "initialize") {
    const MutexLock lock(mutex_);
    if (!session_.empty()) add("Mcp-Session-Id", session_);
  }
  return request;
}

Result<json> HttpTransport::exchange(const McpMessage& message, McpConnection connection,
                                     const McpWait& wait) {
  const HttpRequest request = request_for(message);
  SseDecoder decoder({.max_line_bytes = request.max_response_bytes,
                      .max_event_bytes = request.max_response_bytes});
  std::optional<json> found;
  Result<void> decoded;
  std::string body;
  const auto response = client_.stream(request, {wait.cancel, wait.deadline},
                                       [&](const HttpResponse& head, std::string_view piece) {
                                         if (!is_event_stream(head)) {
                                           body += piece;
                                           return true;
                                         }
                                         decoded = decoder.feed(piece, [&](const SseEvent& event) {
                                           json said = parse_json(event.data);
                                           if (answers(said, message.id)) found = std::move(said);
                                           return !found.has_value();
                                         });
                                         return decoded && !found;
                                       });
  if (!response) return std::unexpected(response.error());
  TRY(decoded);
  if (!found && !body.empty()) {
    json said = parse_json(body);
    if (answers(said, message.id)) found = std::move(said);
  }
  if (response->status == 404) end_session(connection);
  const bool good = response->status >= 200 && response->status < 300;
  // An error may come with a status of its own: what it says is more than the number.
  if (!good && (!found || response->status == 401 || response->status == 403))
    return status_error(*response);
  if (!good && response->status == 404 && !message.is_stateless()) return status_error(*response);
  if (!found) return fail(ErrorCode::kCorrupt, "it answered, but not the request");
  if (message.method == "initialize") {
    const std::string_view session = response->header("Mcp-Session-Id");
    const MutexLock lock(mutex_);
    session_ = is_session(session) ? std::string(session) : std::string();
  }
  return std::move(*found);
}

Result<void> HttpTransport::notify(const McpMessage& message, McpConnection /*connection*/,
                                   const McpWait& wait) {
  const auto response = client_.send(request_for(message), {wait.cancel, wait.deadline});
  if (!response) return std::unexpected(response.error());
  if (response->status >= 300) return status_error(*response);
  return {};
}

}  // namespace precedent
