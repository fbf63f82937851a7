// TracedModel: a ChatModel that leaves a span for each of its replies, under the name of the run it
// belongs to; the model itself where the turn is not traced.
//
// Thread safety: as the model behind it. Lifetime: all that it is given outlives it.
#pragma once

#include "agent/tracing.h"
#include "llm/limit_model.h"

namespace precedent {

class TracedModel final : public ChatModel {
 public:
  TracedModel(ChatModel& inner, const CopilotServices& services, const CopilotState& state,
              const Context& context, std::string_view run)
      : inner_(inner), services_(services), state_(state), context_(context), run_(run) {}

  std::string name() const override { return inner_.name(); }
  Result<ModelReply> complete(const ModelRequest& request, ModelContext& context) override;

 private:
  ChatModel& inner_;
  const CopilotServices& services_;
  const CopilotState& state_;
  const Context& context_;
  std::string_view run_;
};

// The model as one node asks it, for whatever purpose: every request counts towards the limits and the
// use of the turn, and is a span of its own. REQUIRES of run(): services.model.
class NodeModel {
 public:
  NodeModel(const CopilotServices& services, const CopilotState& state, const Context& context)
      : services_(services),
        state_(state),
        context_(context),
        limited_({std::shared_ptr<void>(), services.model}, services.run_limits, state.usage) {}

  // `context`: where another span than the turn's is the parent.
  TracedModel run(std::string_view name) { return run(name, context_); }
  TracedModel run(std::string_view name, const Context& context) {
    return {limited_, services_, state_, context, name};
  }
  // Into what the node writes.
  Update keep_use(Update update) const;

 private:
  const CopilotServices& services_;
  const CopilotState& state_;
  const Context& context_;
  LimitModel limited_;
};

// The name of a model for people ("openai gpt-4o", "offline") as the conventions want it.
struct ModelNames {
  std::string provider;
  std::string model;
  bool operator==(const ModelNames&) const = default;
};
ModelNames model_names(std::string_view name);

}  // namespace precedent
