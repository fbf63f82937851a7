// FallbackModel: where the first model fails, a second one answers, and says so.
//
// A kStatus event names both and the reason; if the first had begun an answer, the tokens of the
// second follow it after an empty line, and only the second one's are the reply. A cancel or a
// deadline that passed is not a failure of the model: nobody waits for the second. The second may
// be the offline reasoner. Thread safety: all members.
#pragma once

#include <memory>

#include "llm/chat_model.h"

namespace precedent {

class FallbackModel final : public ChatModel {
 public:
  FallbackModel(std::shared_ptr<ChatModel> first, std::shared_ptr<ChatModel> second)
      : first_(std::move(first)), second_(std::move(second)) {}

  std::string name() const override { return first_->name() + ", else " + second_->name(); }
  // Errors: those of the second, with what the first said in the context.
  Result<ModelReply> complete(const ModelRequest& request, ModelContext& context) override;

 private:
  std::shared_ptr<ChatModel> first_, second_;
};

}  // namespace precedent
