#include "server/http/problem.h"

#include "base/foreign_json.h"
#include "base/redact.h"

namespace precedent {

int http_status(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument: return 400;
    case ErrorCode::kPermission: return 403;
    case ErrorCode::kNotFound: return 404;
    case ErrorCode::kConflict: return 409;
    case ErrorCode::kUnavailable:
    case ErrorCode::kResourceExhausted: return 503;
    case ErrorCode::kTimeout: return 504;
    case ErrorCode::kCancelled: return 409;
    case ErrorCode::kCorrupt:
    case ErrorCode::kInternal: return 500;
  }
  return 500;
}

std::string_view reason_phrase(int status) {
  switch (status) {
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 410: return "Gone";
    case 413: return "Content Too Large";
    case 415: return "Unsupported Media Type";
    case 422: return "Unprocessable Content";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    default: return "Internal Server Error";
  }
}

ServedResponse problem(int status, std::string_view detail, const nlohmann::json& more) {
  nlohmann::json body = {{"type", "about:blank"},
                         {"title", reason_phrase(status)},
                         {"status", status},
                         {"detail", redact(detail)}};
  body.update(more);
  ServedResponse response = json_response(body, status);
  response.headers = {{"Content-Type", "application/problem+json"}};
  if (status == 503) response.headers.push_back({"Retry-After", "1"});
  return response;
}

ServedResponse problem(const Error& error) {
  return problem(http_status(error.code), error.text());
}

ServedResponse json_response(const nlohmann::json& body, int status) {
  return {
      .status = status, .headers = {{"Content-Type", "application/json"}}, .body = dump_json(body)};
}

ServedResponse json_or_problem(const Result<nlohmann::json>& result, int status) {
  return result ? json_response(*result, status) : problem(result.error());
}

ServedResponse event_stream(std::shared_ptr<HttpStream> stream) {
  return {.headers = {{"Content-Type", "text/event-stream"},
                      {"Cache-Control", "no-store"},
                      {"X-Accel-Buffering", "no"}},
          .stream = std::move(stream)};
}

}  // namespace precedent
