#include "telemetry/http/store_http.h"

#include <fmt/format.h>

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/base64.h"
#include "base/foreign_json.h"
#include "base/redact.h"
#include "base/strings.h"
#include "base/untrusted_text.h"
#include "base/utf8.h"
#include "net/url.h"
#include "telemetry/http/retry_pause.h"

namespace precedent {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

constexpr size_t kMaxSaid = 200;

bool worth_a_retry(const Result<HttpResponse>& response) {
  if (!response) return response.error().code == ErrorCode::kUnavailable;
  return response->status == 429 || response->status == 500 ||
         (response->status >= 502 && response->status <= 504);
}

// In whole seconds; a date, which these programs do not send, counts as none.
std::optional<seconds> retry_after(const HttpResponse& response) {
  const std::string text(trim(response.header("Retry-After")));
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || value < 0)
    return std::nullopt;
  return seconds(value);
}

// The words of a refusal: {"message": …}, {"error": …}, {"errors": [{"msg": …}]}, or plain text.
std::string said_in(const HttpResponse& response) {
  std::string said = response.body.substr(0, 4096);
  const nlohmann::json reply = parse_json(response.body);
  const auto take = [&](const nlohmann::json& object, const char* key) {
    const auto found = object.find(key);
    if (found != object.end() && found->is_string()) said = found->get<std::string>();
  };
  if (reply.is_object()) {
    take(reply, "error"), take(reply, "message");
    if (const auto errors = reply.find("errors"); errors != reply.end() && errors->is_array() &&
                                                  !errors->empty() && errors->front().is_object())
      take(errors->front(), "msg");
  }
  return std::string(utf8_prefix(squeeze(redact(visible_text(said))), kMaxSaid));
}

}  // namespace

std::string StoreHttp::describe() const {
  const auto url = parse_url(endpoint_.url);
  return fmt::format("{} at {}", product_, url ? url->shown() : "an unreadable address");
}

HttpRequest StoreHttp::request_of(std::string_view path, const FormFields& fields) const {
  HttpRequest request;
  request.url =
      fmt::format("{}{}{}{}", endpoint_.url, path, fields.empty() ? "" : "?", encode_form(fields));
  request.headers.push_back({"Accept", "application/json"});
  if (!endpoint_.tenant.empty()) request.headers.push_back({"X-Scope-OrgID", endpoint_.tenant});
  if (!endpoint_.token.empty())
    request.headers.push_back({"Authorization", "Bearer " + endpoint_.token});
  else if (!endpoint_.user.empty())
    request.headers.push_back(
        {"Authorization", "Basic " + base64(endpoint_.user + ":" + endpoint_.password)});
  request.connect_timeout = std::min(request.connect_timeout, endpoint_.timeout);
  request.max_response_bytes = kMaxAnswerBytes;
  return request;
}

Result<HttpResponse> StoreHttp::send(const HttpRequest& request,
                                     const SourceContext& context) const {
  milliseconds pause = endpoint_.pause;
  Result<HttpResponse> response = fail(ErrorCode::kInternal, "no request was sent");
  for (int attempt = 0; attempt <= endpoint_.retries; ++attempt, pause *= 2) {
    TRY(context.cancel.check());
    if (attempt > 0) {
      const auto asked = response ? retry_after(*response) : std::nullopt;
      if (asked && *asked > kLongestWait) break;
      if (!wait_to_retry(asked ? *asked : pause, context)) break;
    }
    auto deadline = steady_clock::now() + endpoint_.timeout;
    if (context.deadline) deadline = std::min(deadline, *context.deadline);
    response = client_.send(request, {context.cancel, deadline});
    if (!worth_a_retry(response)) break;
  }
  return response;
}

std::unexpected<Error> StoreHttp::refused(const HttpResponse& response) const {
  const std::string said = said_in(response);
  const std::string what = fmt::format("{} answered with status {}{}", describe(), response.status,
                                       said.empty() ? "" : " (" + said + ")");
  switch (response.status) {
    case 401:
    case 403:
      return fail(
          ErrorCode::kPermission,
          fmt::format(
              "{}; {}{}", what,
              endpoint_.secret_from.empty()
                  ? fmt::format("name what lets in as token_env, or user and password_env, "
                                "of {} in tools.yaml",
                                entry_)
                  : fmt::format("check {}", endpoint_.secret_from),
              endpoint_.tenant.empty() ? ", and whether it takes a tenant" : ", and the tenant"));
    case 404:
      return fail(ErrorCode::kNotFound,
                  fmt::format("{}; check the address of {} in tools.yaml", what, entry_));
    case 429: {
      const auto asked = retry_after(response);
      return fail(ErrorCode::kUnavailable,
                  fmt::format("{}: it was asked too often; try again {}", what,
                              asked ? fmt::format("in {} s", asked->count()) : "later"));
    }
    default: break;
  }
  if (response.status >= 500)
    return fail(ErrorCode::kUnavailable, fmt::format("{}; try again later", what));
  return fail(ErrorCode::kInvalidArgument, fmt::format("{}; check {} in tools.yaml", what, entry_));
}

Result<nlohmann::json> StoreHttp::get(std::string_view path, const FormFields& fields,
                                      const SourceContext& context) const {
  auto response = send(request_of(path, fields), context);
  if (!response) {
    Error error = std::move(response).error();
    if (error.code == ErrorCode::kTimeout)
      error.message += fmt::format("; raise timeout ({} s) of {} in tools.yaml",
                                   std::chrono::ceil<seconds>(endpoint_.timeout).count(), entry_);
    return std::unexpected(std::move(error).within(describe()));
  }
  if (response->status != 200) return refused(*response);
  nlohmann::json answer = parse_json(response->body);
  if (answer.is_discarded()) return not_ours(response->body);
  return answer;
}

std::unexpected<Error> StoreHttp::not_ours(std::string_view said) const {
  return fail(ErrorCode::kUnavailable,
              fmt::format("{} does not answer as {} does: '{}'; check the address of {} in "
                          "tools.yaml",
                          describe(), product_,
                          utf8_prefix(redact(visible_text(said.substr(0, 4096))), 120), entry_));
}

}  // namespace precedent
