#include "llm/chat_model.h"

#include <array>

namespace precedent {
namespace {

constexpr std::array kStopReasons = {StopReason::kEndOfTurn, StopReason::kToolCalls,
                                     StopReason::kLength, StopReason::kRefused};

bool same(const Sampling& a, const Sampling& b) {
  return a.temperature == b.temperature && a.max_output_tokens == b.max_output_tokens;
}

}  // namespace

bool ModelRequest::operator==(const ModelRequest& other) const {
  return messages == other.messages && tools == other.tools && tool_choice == other.tool_choice &&
         same(sampling, other.sampling) && response == other.response;
}

Result<void> ModelContext::check() const {
  TRY(cancel.check());
  if (deadline && std::chrono::steady_clock::now() >= *deadline)
    return fail(ErrorCode::kTimeout, "the deadline passed before the model was asked");
  return {};
}

Usage& Usage::operator+=(const Usage& other) {
  input_tokens += other.input_tokens;
  output_tokens += other.output_tokens;
  cached_tokens += other.cached_tokens;
  return *this;
}

std::string_view name(StopReason reason) {
  switch (reason) {
    case StopReason::kEndOfTurn: return "end";
    case StopReason::kToolCalls: return "tool_calls";
    case StopReason::kLength: return "length";
    case StopReason::kRefused: return "refused";
  }
  return "end";
}

std::optional<StopReason> parse_stop_reason(std::string_view text) {
  for (const StopReason reason : kStopReasons)
    if (text == name(reason)) return reason;
  return std::nullopt;
}

}  // namespace precedent
