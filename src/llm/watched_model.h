// WatchedModel: remembers why the last call failed, for whoever asks whether the model is there.
//
// Thread safety: all members.
#pragma once

#include <memory>
#include <string>

#include "base/mutex.h"
#include "llm/chat_model.h"

namespace precedent {

class WatchedModel final : public ChatModel {
 public:
  explicit WatchedModel(std::shared_ptr<ChatModel> inner) : inner_(std::move(inner)) {}

  std::string name() const override { return inner_->name(); }
  Result<ModelReply> complete(const ModelRequest& request, ModelContext& context) override;
  // "" while it answers, and before anybody asked. A call that somebody cancelled says nothing.
  std::string last_failure() const;

 private:
  const std::shared_ptr<ChatModel> inner_;
  mutable Mutex mutex_;
  std::string last_failure_ GUARDED_BY(mutex_);
};

}  // namespace precedent
