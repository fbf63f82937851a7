// RedactModel: secrets out of messages before they leave (base/redact.h).
//
// Message contents and the arguments of tool calls are redacted; descriptions of tools are ours.
// What the model answers is passed on as it is: it never saw the secret. Thread safety: all
// members.
#pragma once

#include <memory>

#include "llm/chat_model.h"

namespace precedent {

class RedactModel final : public ChatModel {
 public:
  explicit RedactModel(std::shared_ptr<ChatModel> inner) : inner_(std::move(inner)) {}

  std::string name() const override { return inner_->name(); }
  Result<ModelReply> complete(const ModelRequest& request, ModelContext& context) override;

 private:
  std::shared_ptr<ChatModel> inner_;
};

}  // namespace precedent
