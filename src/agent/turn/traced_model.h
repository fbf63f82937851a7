// TracedModel: a ChatModel that says whom it waits for, and leaves a span for each of its replies,
// under the name of the run it belongs to, where the turn is traced.
//
// Thread safety: as the model behind it. Lifetime: all that it is given outlives it.
#pragma once

#include "agent/turn/tracing.h"
#include "llm/limit_model.h"

namespace precedent {

class TracedModel final : public ChatModel {
 public:
  TracedModel(ChatModel& inner, const CopilotServices& services, const CopilotState& state,
              const Context& context, std::string_view run, EventSink& events)
      : inner_(inner),
        services_(services),
        state_(state),
        context_(context),
        run_(run),
        events_(events) {}

  std::string name() const override { return inner_.name(); }
  Result<ModelReply> complete(const ModelRequest& request, ModelContext& context) override;

 private:
  ChatModel& inner_;
  const CopilotServices& services_;
  const CopilotState& state_;
  const Context& context_;
  std::string_view run_;
  EventSink& events_;
};

// The model as one node asks it, for whatever purpose: every request counts towards the limits and
// the use of the turn, is told to `events` before it is waited for, and is a span of its own.
// REQUIRES of run(): services.model.
class NodeModel {
 public:
  NodeModel(const CopilotServices& services, const CopilotState& state, const Context& context,
            EventSink& events)
      : services_(services),
        state_(state),
        context_(context),
        events_(events),
        limited_({std::shared_ptr<void>(), services.model}, services.run_limits, state.usage,
                 std::chrono::steady_clock::now, context.started) {}

  // `context`: where another span than the turn's is the parent.
  TracedModel run(std::string_view name) { return run(name, context_); }
  TracedModel run(std::string_view name, const Context& context) {
    return {limited_, services_, state_, context, name, events_};
  }
  // By the turn, with what the state has counted.
  RunUse used() const { return limited_.used(); }
  // Into what the node writes.
  Update keep_use(Update update) const;

 private:
  const CopilotServices& services_;
  const CopilotState& state_;
  const Context& context_;
  EventSink& events_;
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
