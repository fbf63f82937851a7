#include "cli/conversation/model_step.h"

#include <utility>

#include "investigate/model/ask_model.h"

namespace precedent {

ModelStep model_step(std::shared_ptr<ChatModel> model, const RunLimits& limits,
                     const PromptLibrary& prompts) {
  if (model == nullptr) return {};
  return
      [model = std::move(model), limits, &prompts](Investigation& made, const CancelToken& cancel) {
        LimitModel limited(model, limits);
        add_model(limited, prompts, cancel, made);
      };
}

}  // namespace precedent
