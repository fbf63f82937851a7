// The fake of ChatModel: plays replies and failures in order and keeps the requests.
//
// Thread safety: all members.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <variant>

#include "base/mutex.h"
#include "llm/chat_model.h"

namespace precedent {

struct ScriptedFailure {
  Error error;
  ModelFailure failure = {};
  std::string said_before = {};  // emitted as a token before it fails
};

class ScriptedModel final : public ChatModel {
 public:
  explicit ScriptedModel(std::string name = "scripted") : name_(std::move(name)) {}

  void reply(ModelReply reply);
  void answer(std::string text);
  void call(std::vector<ToolCall> calls);
  void fail_with(ScriptedFailure failure);
  // No reply: the call lasts until it is cancelled, whatever its deadline.
  void hang();
  // A reply that depends on the request.
  void compute(std::function<ModelReply(const ModelRequest&)> function);
  std::vector<ModelRequest> requests() const;
  // Calls that hang now.
  int hanging() const { return hanging_; }

  std::string name() const override { return name_; }
  // Emits the content as one token a word. Errors: kUnavailable once the script is over.
  Result<ModelReply> complete(const ModelRequest& request, ModelContext& context) override;

 private:
  struct Hang {};
  using Step = std::variant<ModelReply, ScriptedFailure,
                            std::function<ModelReply(const ModelRequest&)>, Hang>;
  void add(Step step);

  const std::string name_;
  std::atomic<int> hanging_{0};
  mutable Mutex mutex_;
  std::deque<Step> script_ GUARDED_BY(mutex_);
  std::vector<ModelRequest> requests_ GUARDED_BY(mutex_);
};

// Emits `text` word by word, as a model that streams would.
void emit_words(std::string_view text, ModelContext& context);

}  // namespace precedent
