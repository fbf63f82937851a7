// ReplyBuilder: the one place where pieces of any vendor's reply become a ModelReply.
//
// Vendors cut tool calls differently, and servers that imitate them cut worse: without an index,
// with an empty id, the same index for two calls, the name in every piece, arguments as an object.
// The rules are in tool_piece(). Text inside a leading <think>…</think>, which local servers leave
// in the answer, is reasoning.
//
// Thread safety: one thread. Pure: the pieces decide alone, not how the bytes were cut.
#pragma once

#include <functional>

#include "llm/chat_model.h"

namespace precedent {

struct ToolPiece {
  std::optional<int64_t> index = std::nullopt;
  std::string_view id = {};
  std::string_view name = {};
  std::string_view args = {};
};

class ReplyBuilder {
 public:
  // `on_text` gets every piece of the answer. `id_seed` makes ids for calls that have none, and is
  // different for every request of a conversation.
  ReplyBuilder(std::function<void(std::string_view)> on_text, std::string id_seed);

  void text(std::string_view piece);
  void reasoning(std::string_view piece) { reply_.reasoning += piece; }
  // Errors: kResourceExhausted for more calls than a reply may hold.
  Result<void> tool_piece(const ToolPiece& piece);
  void usage(const Usage& usage) { reply_.usage = usage; }
  const Usage& usage() const { return reply_.usage; }
  void stop(StopReason reason) { stop_ = reason; }
  bool stopped() const { return stop_.has_value(); }
  void model(std::string_view name) { reply_.model = name; }
  // How much of an answer there is so far, for messages.
  std::string progress() const;

  // The reply, once the stream has ended well. Errors: kUnavailable if it is empty,
  // kResourceExhausted if the output limit cut it before an answer or inside a tool call.
  Result<ModelReply> finish();

 private:
  struct Call {
    std::optional<int64_t> index;
    ToolCall call;
  };
  Call* continued_by(const ToolPiece& piece);
  void say(std::string_view piece);
  void settle_start();

  std::function<void(std::string_view)> on_text_;
  std::string id_seed_;
  ModelReply reply_;
  std::vector<Call> calls_;
  std::optional<StopReason> stop_;
  enum class Start { kUndecided, kThinking, kAfterThinking, kDecided } start_ = Start::kUndecided;
  std::string held_;  // of the start, while it is undecided whether it is "<think>"
};

}  // namespace precedent
