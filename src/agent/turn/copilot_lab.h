// For tests: a copilot over a knowledge base in memory, offline or with a model of the test's own.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "agent/turn/copilot.h"
#include "base/clock.h"
#include "tools/all_tools.h"

namespace precedent {

class CopilotLab {
 public:
  CopilotLab(const Searcher& search, const KnowledgeStore& store, TimePoint now,
             ChatModel* model = nullptr, Checkpointer* checkpointer = nullptr,
             Tracer* tracer = nullptr, const IntentExamples* intents = nullptr,
             RunLimits run_limits = {})
      : clock_(now),
        copilot_(Copilot::create({.search = search,
                                  .store = store,
                                  .tools = tools_,
                                  .guardrails = guardrails_,
                                  .prompts = *prompts_,
                                  .policy = policy_,
                                  .intents = intents,
                                  .model = model,
                                  .run_limits = run_limits,
                                  .tracer = tracer},
                                 checkpointer)
                     .value()) {}

  Reply ask(std::string question, const AskOptions& options = {}) {
    return copilot_->ask({std::move(question), {}}, options, clock_, events, cancel);
  }
  const Copilot& copilot() const { return *copilot_; }
  const Clock& clock() const { return clock_; }

  RecordingSink events;
  CancelToken cancel;

 private:
  const Toolset tools_ = knowledge_tools();
  // Nothing is in that folder: the built-in rules and prompts.
  const Guardrails guardrails_ = Guardrails::open("/nonexistent", nullptr).value();
  const std::unique_ptr<PromptLibrary> prompts_ = PromptLibrary::open("/nonexistent").value();
  const Policy policy_ = read_policy(default_policy(), "config/policy.yaml").value();
  FixedClock clock_;
  std::unique_ptr<Copilot> copilot_;
};

}  // namespace precedent
