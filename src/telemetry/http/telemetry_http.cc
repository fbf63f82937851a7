#include "telemetry/http/telemetry_http.h"

#include <fmt/format.h>

#include "base/ascii.h"
#include "base/redact.h"
#include "base/untrusted_text.h"
#include "base/utf8.h"
#include "net/url.h"
#include "telemetry/http/retry_pause.h"

namespace precedent {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// 2,000,000 samples as JSON; a larger answer wants an aggregation.
constexpr size_t kMaxResponseBytes = 64ull << 20;

bool worth_a_retry(const Result<HttpResponse>& response) {
  if (!response) return response.error().code == ErrorCode::kUnavailable;
  return response->status == 429 || response->status == 502 || response->status == 503 ||
         response->status == 504;
}

}  // namespace

std::string encode_form(const FormFields& fields) {
  std::string out;
  const auto append = [&](std::string_view text) {
    for (const char c : text) {
      const bool plain = is_alnum(c) || c == '-' || c == '_' || c == '.' || c == '~';
      if (plain)
        out += c;
      else
        out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  };
  for (const auto& [name, value] : fields) {
    if (!out.empty()) out += '&';
    append(name);
    out += '=';
    append(value);
  }
  return out;
}

std::string TelemetryHttp::describe() const {
  const auto url = parse_url(config_.url);
  return fmt::format("{} at {}", product_, url ? url->shown() : "an unreadable address");
}

Result<HttpResponse> TelemetryHttp::get(std::string_view path, const FormFields& fields,
                                        const SourceContext& context) const {
  HttpRequest request;
  request.url =
      fmt::format("{}{}{}{}", config_.url, path, fields.empty() ? "" : "?", encode_form(fields));
  return send(std::move(request), context);
}

Result<HttpResponse> TelemetryHttp::post(std::string_view path, const FormFields& fields,
                                         const SourceContext& context) const {
  HttpRequest request;
  request.method = "POST";
  request.url = fmt::format("{}{}", config_.url, path);
  request.headers.push_back({"Content-Type", "application/x-www-form-urlencoded"});
  request.body = encode_form(fields);
  return send(std::move(request), context);
}

Result<HttpResponse> TelemetryHttp::send(HttpRequest request, const SourceContext& context) const {
  if (!config_.token.empty())
    request.headers.push_back({"Authorization", "Bearer " + config_.token});
  request.headers.push_back({"Accept", "application/json"});
  request.connect_timeout = std::min(request.connect_timeout, config_.timeout);
  request.max_response_bytes = kMaxResponseBytes;
  milliseconds pause = config_.pause;
  Result<HttpResponse> response = fail(ErrorCode::kInternal, "no request was sent");
  for (int attempt = 0; attempt <= config_.retries; ++attempt, pause *= 2) {
    if (attempt > 0 && !wait_to_retry(pause, context)) break;
    auto deadline = steady_clock::now() + config_.timeout;
    if (context.deadline) deadline = std::min(deadline, *context.deadline);
    response = client_.send(request, {context.cancel, deadline});
    if (!worth_a_retry(response)) break;
  }
  if (!response) {
    Error error = std::move(response).error();
    if (error.code == ErrorCode::kTimeout)
      error.message += fmt::format(
          "; ask for a shorter window, or raise timeout ({} ms) in "
          "config/tools.yaml",
          config_.timeout.count());
    if (error.code == ErrorCode::kResourceExhausted)
      error.message += "; aggregate with by= or narrow with filter=";
    return std::unexpected(std::move(error).within(describe()));
  }
  if (response->status == 401 || response->status == 403)
    return fail(ErrorCode::kPermission,
                fmt::format("{} refused with status {}; {}", describe(), response->status,
                            config_.token_env.empty()
                                ? "name the variable with a bearer token as token_env in "
                                  "config/tools.yaml"
                                : fmt::format("check the bearer token in {}", config_.token_env)));
  if (worth_a_retry(response))
    return fail(ErrorCode::kUnavailable,
                fmt::format("{} answered with status {} after {} tries; try again later",
                            describe(), response->status, config_.retries + 1));
  return response;
}

std::unexpected<Error> TelemetryHttp::not_ours(const HttpResponse& response) const {
  return fail(ErrorCode::kUnavailable,
              fmt::format("{} answered with status {} and not as {} does: '{}'; check the address "
                          "in config/tools.yaml",
                          describe(), response.status, product_,
                          utf8_prefix(redact(visible_text(response.body)), 120)));
}

}  // namespace precedent
