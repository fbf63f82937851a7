// Responses: JSON, streams of events, and problem documents (RFC 9457), which say that something
// went wrong.
//
// Thread safety: pure functions.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "base/error.h"
#include "net/http_server.h"

namespace precedent {

// 400 for what a client got wrong, 404, 409, 413, 503 …
int http_status(ErrorCode code);
std::string_view reason_phrase(int status);

// `more`: members beside type, title, status and detail.
ServedResponse problem(int status, std::string_view detail,
                       const nlohmann::json& more = nlohmann::json::object());
ServedResponse problem(const Error& error);

ServedResponse json_response(const nlohmann::json& body, int status = 200);
// The value, or what is wrong.
ServedResponse json_or_problem(const Result<nlohmann::json>& result, int status = 200);
// Server-sent events.
ServedResponse event_stream(std::shared_ptr<HttpStream> stream);

}  // namespace precedent
