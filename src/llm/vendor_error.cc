#include "llm/vendor_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/foreign_json.h"
#include "base/json_access.h"
#include "base/redact.h"
#include "base/strings.h"
#include "base/untrusted_text.h"
#include "base/utf8.h"

namespace precedent {
namespace {

using foreign::Json;

// Enough for every vendor's sentence; a proxy's HTML page is cut.
constexpr size_t kMaxShownBytes = 300;

std::string shown(std::string_view text) {
  // A vendor may quote the key that it was sent, and a cut through it would leave half of it.
  const std::string clean = squeeze(redact(visible_text(text.substr(0, 4096))));
  if (clean.size() <= kMaxShownBytes) return clean;
  return std::string(utf8_prefix(clean, kMaxShownBytes)) + "…";
}

struct Said {
  std::string message;
  std::string type;  // type and code, lower case
  int status = 0;    // if the object names one
};

Said read_error(const Json& error) {
  if (error.is_string()) return {shown(foreign::text(error)), "", 0};
  Said said{shown(foreign::text(error, "message")), "",
            static_cast<int>(std::min<int64_t>(foreign::count(error, "code"), 999))};
  said.type =
      ascii_lower(foreign::text(error, "type")) + " " + ascii_lower(foreign::text(error, "code"));
  if (said.message.empty()) said.message = shown(dump_json(error));
  return said;
}

// What the types of OpenAI and Anthropic stand for.
int status_of(const Said& said) {
  constexpr std::array<std::pair<std::string_view, int>, 9> kTypes = {{
      {"rate_limit", 429},
      {"insufficient_quota", 429},
      {"overloaded", 529},
      {"authentication", 401},
      {"invalid_api_key", 401},
      {"permission", 403},
      {"not_found", 404},
      {"timeout", 408},
      {"invalid_request", 400},
  }};
  if (said.status >= 400) return said.status;
  for (const auto& [type, status] : kTypes)
    if (said.type.contains(type)) return status;
  return 500;
}

bool is_context_overflow(const Said& said) {
  const std::string message = ascii_lower(said.message);
  return said.type.contains("context_length") || message.contains("context length") ||
         message.contains("context window") || message.contains("prompt is too long") ||
         message.contains("maximum context");
}

VendorRefusal refusal(int status, const Said& said, std::string_view who) {
  const std::string says = said.message.empty() ? "" : fmt::format(": {}", said.message);
  const auto make = [&](ErrorCode code, std::string_view what, std::string_view remedy,
                        bool retryable) {
    return VendorRefusal{
        {code, fmt::format("{} {} (HTTP {}){}; {}", who, what, status, says, remedy)},
        {status, retryable, std::nullopt}};
  };
  if (is_context_overflow(said))
    return make(ErrorCode::kResourceExhausted, "cannot read that much at once",
                "shorten the conversation or use a model with a larger window", false);
  if (said.type.contains("insufficient_quota") || status == 402)
    return make(ErrorCode::kResourceExhausted, "has no quota left", "check the account's billing",
                false);
  if (status == 401 || status == 403)
    return make(ErrorCode::kPermission, "refuses the key",
                "check the variable that model.api_key_env names", false);
  if (status == 404)
    return make(ErrorCode::kNotFound, "does not know the model or the path",
                "check model.name and model.base_url", false);
  if (status == 429)
    return make(ErrorCode::kUnavailable, "limits the rate", "try again a little later", true);
  if (status == 408)
    return make(ErrorCode::kTimeout, "took too long", "try again a little later", true);
  if (status == 409 || status >= 500)
    return make(ErrorCode::kUnavailable, "is not available", "try again a little later", true);
  if (status >= 300 && status < 400)
    return make(ErrorCode::kUnavailable, "redirects elsewhere", "check model.base_url", false);
  return make(ErrorCode::kInvalidArgument, "refuses the request",
              "check model.name and the options under model", false);
}

}  // namespace

VendorRefusal vendor_refusal(int status, std::string_view body, std::string_view who) {
  const Json json = parse_json(repair_utf8(body));
  const Json& error = foreign::member(json, "error");
  if (!error.is_null()) return refusal(status, read_error(error), who);
  Said said{shown(body), "", 0};
  for (const char* key : {"message", "detail"})
    if (const auto text = foreign::text(json, key); !text.empty()) said.message = shown(text);
  return refusal(status, said, who);
}

std::optional<VendorRefusal> vendor_error_in(const Json& event, std::string_view who) {
  const Json& error = foreign::member(event, "error");
  if (error.is_null()) return std::nullopt;
  const Said said = read_error(error);
  return refusal(status_of(said), said, who);
}

std::optional<std::chrono::milliseconds> parse_retry_after(std::string_view value, TimePoint now) {
  value = trim(value);
  double seconds = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  if (error == std::errc() && end == value.data() + value.size()) {
    if (!(seconds >= 0 && seconds < 1e6)) return std::nullopt;
    return std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
  }
  // All digits would have been seconds; parse_time reads "Wed, 21 Oct 2015 07:28:00 GMT".
  const auto at = parse_time(value);
  if (!at) return std::nullopt;
  return std::max<std::chrono::milliseconds>(std::chrono::milliseconds(0), *at - now);
}

}  // namespace precedent
