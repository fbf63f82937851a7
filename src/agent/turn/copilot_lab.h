// For tests: a copilot over a knowledge base in memory, offline or with a model of the test's own.
#pragma once

#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "agent/turn/copilot.h"
#include "agent/turn/title_task.h"
#include "base/clock.h"
#include "embed/fake_learned_reader.h"
#include "llm/scripted_model.h"
#include "tools/all_tools.h"

namespace precedent {

// Titles are asked for beside everything else, and a script has an order: they are played from one
// of their own.
class TitlesApart final : public ChatModel {
 public:
  TitlesApart(ChatModel* model, ScriptedModel& titles) : model_(model), titles_(titles) {}
  std::string name() const override { return model_->name(); }
  Result<ModelReply> complete(const ModelRequest& request, ModelContext& context) override {
    ChatModel& asked = context.node == kTitleNode ? titles_ : *model_;
    return asked.complete(request, context);
  }

 private:
  ChatModel* const model_;
  ScriptedModel& titles_;
};

class CopilotLab {
 public:
  CopilotLab(const Searcher& search, const KnowledgeStore& store, TimePoint now,
             ChatModel* model = nullptr, Checkpointer* checkpointer = nullptr,
             Tracer* tracer = nullptr, const TypeOpinion* intents = nullptr,
             RunLimits run_limits = {})
      : model_(model, titles),
        clock_(now),
        copilot_(Copilot::create({.search = search,
                                  .store = store,
                                  .tools = tools_,
                                  .guardrails = guardrails_,
                                  .prompts = *prompts_,
                                  .policy = policy_,
                                  .intents = intents,
                                  .judge = &reader_,
                                  .model = model == nullptr ? nullptr : &model_,
                                  .run_limits = run_limits,
                                  .tracer = tracer},
                                 checkpointer)
                     .value()) {
    reads(kVague, "ask_back");
  }

  // What is asked back.
  static constexpr const char* kVague = "it's broken again";

  Reply ask(std::string question, const AskOptions& options = {}) {
    return copilot_->ask({std::move(question), {}}, options, clock_, events, cancel);
  }
  // For a model that is to answer after the title: from then on the turn will have it.
  void await_title() const {
    while (titles.requests().empty()) std::this_thread::yield();
  }
  const Copilot& copilot() const { return *copilot_; }
  const Clock& clock() const { return clock_; }

  RecordingSink events;
  CancelToken cancel;
  // The question is read as this by the guard, surely.
  void reads(const std::string& question, const std::string& label) {
    reader_.say(question, label, 0.99F, true);
  }

  // What the learned judge makes of a claim.
  void judges(const std::string& claim, const std::string& label, float probability) {
    reader_.say_verdict(claim, label, probability);
  }

  // What the model says when it is asked for a title: nothing that is one, unless a test scripts
  // it.
  ScriptedModel titles;

 private:
  TitlesApart model_;
  const Toolset tools_ = knowledge_tools();
  // Ordinary is what no test says otherwise of.
  FakeLearnedReader reader_;
  // Nothing is in that folder: the built-in rules and prompts.
  const Guardrails guardrails_ = Guardrails::open("/nonexistent", &reader_, nullptr).value();
  const std::unique_ptr<PromptLibrary> prompts_ = PromptLibrary::open("/nonexistent").value();
  const Policy policy_ = read_policy(default_policy(), "config/policy.yaml").value();
  FixedClock clock_;
  std::unique_ptr<Copilot> copilot_;
};

}  // namespace precedent
