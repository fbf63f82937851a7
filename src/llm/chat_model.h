// The `ChatModel` seam: messages and tools in, one reply out.
//
//   ModelContext context{events, cancel};
//   ModelReply reply = TRY(model.complete({.messages = messages, .tools = tools}, context));
//
// A reply holds an answer, or tool calls, or both. Vendors behind HTTP (http_chat_model.h), the
// offline reasoner (agent/), a script (scripted_model.h) and every wrapper (retry, fallback, limit,
// record, redact) implement this alone. Pieces of the answer are emitted as kToken while they come;
// reasoning and tool calls are not.
//
// Errors: kPermission (key), kNotFound (model), kInvalidArgument (the vendor refuses the request),
// kUnavailable, kTimeout, kCancelled, kResourceExhausted (a limit of ours, named).
// Thread safety: complete() may be called from several threads. Ownership: a context owns nothing.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "base/error.h"
#include "chat/event.h"
#include "chat/message.h"
#include "llm/tool_description.h"

namespace precedent {

struct Sampling {
  std::optional<double> temperature = std::nullopt;  // absent: the model's own
  int max_output_tokens = 0;                         // 0: the model's own
};

enum class ToolChoice { kAuto, kNone, kRequired };

struct ModelRequest {
  std::vector<Message> messages = {};  // oldest first; system messages lead
  std::vector<ToolDescription> tools = {};
  ToolChoice tool_choice = ToolChoice::kAuto;
  Sampling sampling = {};
  // Structured output: the reply's content is one JSON object of these parameters, without tools.
  std::optional<ToolDescription> response = std::nullopt;
  bool operator==(const ModelRequest&) const;
};

struct Usage {
  int64_t input_tokens = 0;   // all that were read, cached ones too
  int64_t output_tokens = 0;  // reasoning too
  int64_t cached_tokens = 0;  // of the input
  Usage& operator+=(const Usage& other);
  bool operator==(const Usage&) const = default;
};

enum class StopReason {
  kEndOfTurn,
  kToolCalls,
  kLength,   // the limit of output tokens cut the answer
  kRefused,  // the vendor's filter, or the model itself
};
std::string_view name(StopReason reason);
std::optional<StopReason> parse_stop_reason(std::string_view text);

struct ModelReply {
  Message message{Role::kAssistant, ""};
  std::string reasoning = {};  // what the model thought aloud, where it tells; never sent back
  Usage usage = {};
  StopReason stop = StopReason::kEndOfTurn;
  std::string model = {};                         // who answered, as it calls itself
  std::optional<double> cost_usd = std::nullopt;  // where prices are configured
  bool operator==(const ModelReply&) const = default;
};

// What is known about the last failure besides its Error: for who decides whether to ask again.
struct ModelFailure {
  int http_status = 0;     // 0: no response
  bool retryable = false;  // the same request may well succeed a little later
  std::optional<std::chrono::milliseconds> retry_after = std::nullopt;
};

struct ModelContext {
  EventSink& events;
  const CancelToken& cancel;
  std::optional<std::chrono::steady_clock::time_point> deadline = std::nullopt;
  std::string node = {};      // on whose behalf: Event::node of the tokens
  ModelFailure failure = {};  // written by complete() when it fails

  // Errors: kCancelled, or kTimeout if the deadline has passed.
  Result<void> check() const;
};

class ChatModel {
 public:
  virtual ~ChatModel() = default;
  // For people: "openai gpt-4o". Never an address with a key in it.
  virtual std::string name() const = 0;
  virtual Result<ModelReply> complete(const ModelRequest& request, ModelContext& context) = 0;
};

}  // namespace precedent
