// What a model was asked and what it said, as JSON lines: recorded once, replayed as often as
// wanted without a model.
//
// Format: docs/format/model-recording.md, version 1. A request is found again by a hash of all that
// decides its reply: messages without their ids, tools, choice, sampling, schema. Failures are not
// recorded. Thread safety: all members, if the sink of lines is.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "base/mutex.h"
#include "llm/chat_model.h"

namespace precedent {

std::string request_hash(const ModelRequest& request);

class RecordModel final : public ChatModel {
 public:
  // Gets each line without its line break, in the order of the replies.
  using WriteLine = std::function<Result<void>(std::string_view line)>;
  RecordModel(std::shared_ptr<ChatModel> inner, WriteLine write)
      : inner_(std::move(inner)), write_(std::move(write)) {}

  std::string name() const override { return inner_->name(); }
  // Errors: also those of writing; a reply that cannot be recorded is not given either.
  Result<ModelReply> complete(const ModelRequest& request, ModelContext& context) override;

 private:
  std::shared_ptr<ChatModel> inner_;
  WriteLine write_;
};

class ReplayModel final : public ChatModel {
 public:
  // `path` is for messages. Errors: kCorrupt naming path and line.
  static Result<std::unique_ptr<ReplayModel>> parse(std::string_view lines, std::string_view path);

  std::string name() const override { return "replay of " + path_; }
  // The same request again gets its next recorded reply, at last always the last one; the content
  // is emitted word by word. Errors: kNotFound for a request that was not recorded.
  Result<ModelReply> complete(const ModelRequest& request, ModelContext& context) override;

 private:
  struct Replies {
    std::vector<ModelReply> replies;
    size_t next = 0;
  };
  explicit ReplayModel(std::string path) : path_(std::move(path)) {}

  const std::string path_;
  Mutex mutex_;
  std::map<std::string, Replies, std::less<>> by_hash_ GUARDED_BY(mutex_);
};

}  // namespace precedent
