// What vendors say when they refuse, as an Error that names the remedy.
//
// Thread safety: pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/clock.h"
#include "llm/chat_model.h"

namespace precedent {

// A failure status with its body, JSON or not. `who` is "openai gpt-4o at api.openai.com".
struct VendorRefusal {
  Error error;
  ModelFailure failure;
};
VendorRefusal vendor_refusal(int status, std::string_view body, std::string_view who);

// An error object inside of a 200 stream, in any dialect's form: {"error": {…}}, {"error": "text"}.
// Nothing if `event` is none.
std::optional<VendorRefusal> vendor_error_in(const nlohmann::json& event, std::string_view who);

// Retry-After: seconds or an HTTP date, measured from `now`; never negative.
std::optional<std::chrono::milliseconds> parse_retry_after(std::string_view value, TimePoint now);

}  // namespace precedent
