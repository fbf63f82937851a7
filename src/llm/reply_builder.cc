#include "llm/reply_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/hash.h"
#include "base/strings.h"

namespace precedent {
namespace {

// Far more than any plan needs; a model that sends more is looping.
constexpr size_t kMaxToolCalls = 64;
constexpr std::string_view kThink = "<think>", kEndThink = "</think>";

bool is_json(std::string_view text) { return nlohmann::json::accept(text); }

// The longest end of `text` that `mark` begins with.
size_t partial_match(std::string_view text, std::string_view mark) {
  for (size_t length = std::min(text.size(), mark.size() - 1); length > 0; --length)
    if (mark.starts_with(text.substr(text.size() - length))) return length;
  return 0;
}

}  // namespace

ReplyBuilder::ReplyBuilder(std::function<void(std::string_view)> on_text, std::string id_seed)
    : on_text_(std::move(on_text)), id_seed_(std::move(id_seed)) {}

void ReplyBuilder::say(std::string_view piece) {
  if (piece.empty()) return;
  reply_.message.content += piece;
  if (on_text_) on_text_(piece);
}

void ReplyBuilder::text(std::string_view piece) {
  if (start_ == Start::kDecided) return say(piece);
  held_ += piece;
  settle_start();
}

// Moves held_ on as far as it is decided: "<think>" may come in pieces, and so may its end.
void ReplyBuilder::settle_start() {
  if (start_ == Start::kUndecided) {
    const size_t begin = std::min(held_.size(), held_.find_first_not_of(" \n"));
    const std::string_view rest = std::string_view(held_).substr(begin);
    if (rest.starts_with(kThink)) {
      held_.erase(0, begin + kThink.size());
      start_ = Start::kThinking;
    } else if (!kThink.starts_with(rest)) {
      start_ = Start::kDecided;
    }
  }
  if (start_ == Start::kThinking) {
    const size_t end = held_.find(kEndThink);
    const size_t kept = end == std::string::npos ? partial_match(held_, kEndThink) : 0;
    reply_.reasoning += held_.substr(0, std::min(end, held_.size() - kept));
    held_.erase(0, end == std::string::npos ? held_.size() - kept : end + kEndThink.size());
    if (end != std::string::npos) start_ = Start::kAfterThinking;
  }
  if (start_ == Start::kAfterThinking) {
    held_.erase(0, std::min(held_.size(), held_.find_first_not_of(" \n")));
    if (!held_.empty()) start_ = Start::kDecided;
  }
  if (start_ == Start::kDecided) say(std::exchange(held_, ""));
}

// Which call this piece goes on with; null: a new one begins.
ReplyBuilder::Call* ReplyBuilder::continued_by(const ToolPiece& piece) {
  if (calls_.empty()) return nullptr;
  // An id decides where both sides have one: some servers number every call 0.
  if (!piece.id.empty()) {
    for (Call& call : calls_)
      if (call.call.id == piece.id) return &call;
  }
  if (piece.index) {
    for (Call& call : std::views::reverse(calls_)) {
      if (call.index != piece.index) continue;
      return piece.id.empty() || call.call.id.empty() ? &call : nullptr;
    }
    return nullptr;
  }
  Call& last = calls_.back();
  if (!piece.id.empty()) return last.call.id.empty() && last.call.args.empty() ? &last : nullptr;
  if (piece.name.empty()) return &last;
  // Neither id nor index, but a name: repeated in every piece, or the next call.
  return last.call.name == piece.name && !is_json(last.call.args) ? &last : nullptr;
}

Result<void> ReplyBuilder::tool_piece(const ToolPiece& piece) {
  Call* call = continued_by(piece);
  if (call == nullptr) {
    if (calls_.size() >= kMaxToolCalls)
      return fail(ErrorCode::kResourceExhausted,
                  fmt::format("the model asks for more than {} tool calls at once; it is looping, "
                              "ask again or use another model",
                              kMaxToolCalls));
    call = &calls_.emplace_back(Call{piece.index, {}});
  }
  if (call->call.id.empty()) call->call.id = piece.id;
  if (call->call.name != piece.name && call->call.args.empty()) call->call.name += piece.name;
  call->call.args += piece.args;
  return {};
}

std::string ReplyBuilder::progress() const {
  if (!calls_.empty()) return fmt::format("{} tool calls", calls_.size());
  return fmt::format("{} bytes of an answer", reply_.message.content.size());
}

Result<ModelReply> ReplyBuilder::finish() {
  if (start_ == Start::kUndecided) say(std::exchange(held_, ""));
  if (start_ == Start::kThinking) reply_.reasoning += std::exchange(held_, "");
  reply_.stop = stop_.value_or(StopReason::kEndOfTurn);
  std::set<std::string> ids;
  for (Call& call : calls_) {
    if (trim(call.call.args).empty() || call.call.args == "null") call.call.args = "{}";
    if (reply_.stop == StopReason::kLength && !is_json(call.call.args))
      return fail(ErrorCode::kResourceExhausted,
                  fmt::format("the limit of output tokens cut the call of '{}'; raise "
                              "model.max_output_tokens",
                              call.call.name));
    if (call.call.id.empty() || !ids.insert(call.call.id).second) {
      call.call.id = fmt::format("call_{}_{}", content_hash(id_seed_).substr(0, 12), ids.size());
      ids.insert(call.call.id);
    }
    reply_.message.tool_calls.push_back(std::move(call.call));
  }
  if (!calls_.empty() && reply_.stop == StopReason::kEndOfTurn)
    reply_.stop = StopReason::kToolCalls;
  const bool empty = trim(reply_.message.content).empty() && calls_.empty();
  if (empty && reply_.stop == StopReason::kLength)
    return fail(ErrorCode::kResourceExhausted,
                fmt::format("the model used all {} output tokens before it answered; raise "
                            "model.max_output_tokens",
                            reply_.usage.output_tokens));
  if (empty && reply_.stop == StopReason::kRefused)
    say("The model refused to answer this.");
  else if (empty)
    return fail(ErrorCode::kUnavailable, "the model answered with nothing; ask again");
  return std::move(reply_);
}

}  // namespace precedent
