// RequestRecord: what one request was and what it took. The one struct that the request log writes
// (request_log.h) and the counters count (counters.h).
//
// Thread safety: plain values, pure functions.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace precedent {

using RequestTime = std::chrono::sys_time<std::chrono::milliseconds>;
using RequestDuration = std::chrono::microseconds;

struct CallRecord {
  std::string receipt;                  // "R1"
  std::string tool;                     // as it was asked for: perhaps none that exists
  std::string input;                    // JSON text, perhaps not valid
  std::string output;                   // what the tool said
  std::string status;                   // "ok", "empty", "error"
  std::optional<RequestDuration> took;  // nothing: not measured
  bool operator==(const CallRecord&) const = default;
};

struct RequestRecord {
  std::string request_id;
  RequestTime at{};       // when it began
  std::string thread_id;  // "": not kept
  std::string status;     // of the answer: "ok", "partial", "needs_input", "refused", "error"
  std::string question;
  // JSON text; "": there is none.
  std::string intent;
  std::string plan;
  std::string grounding;
  std::string usage;  // of models
  std::vector<CallRecord> calls;
  std::string answer;
  RequestDuration took{};
  std::optional<RequestDuration> model_took;  // nothing: no model was asked
  bool operator==(const RequestRecord&) const = default;
};

// `question_type` of the intent; "" if none was read.
std::string question_type(const RequestRecord& record);
// `grounded` of the grounding; nothing if the answer was not checked.
std::optional<bool> grounded(const RequestRecord& record);

}  // namespace precedent
