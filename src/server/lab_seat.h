// For tests: a caller's seat over a knowledge base in memory.
#pragma once

#include <atomic>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "agent/turn/copilot_lab.h"
#include "graph/memory_checkpointer.h"
#include "graph/prefixed_checkpointer.h"
#include "search/search_lab.h"
#include "server/auth/caller.h"
#include "server/knowledge/fake_knowledge_desk.h"
#include "server/seat.h"

namespace precedent {

// The knowledge of the lab is seen whole by all; its answers can be held up.
class LabSeat : public Seat {
 public:
  struct Parts {
    const Searcher& search;
    const KnowledgeStore& store;
    const Toolset& tools;
    const Clock& clock;
    Checkpointer& threads;
    std::atomic<bool>& held;
  };
  LabSeat(const Parts& parts, const Caller& caller)
      : parts_(parts),
        mine_(parts.threads, caller.name.empty() ? "" : caller.name + ":"),
        lab_(parts.search, parts.store, parts.clock.now(), nullptr, &mine_) {}

  Reply ask(const Question& question, const AskOptions& options, const Clock& clock,
            EventSink& events, const CancelToken& cancel) override {
    while (parts_.held && !cancel.cancelled())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return copilot().ask(question, options, clock, events, cancel);
  }
  Reply resume(const AskOptions& options, const Clock& clock, EventSink& events,
               const CancelToken& cancel) override {
    return copilot().resume(options, clock, events, cancel);
  }
  const Copilot& copilot() const override { return lab_.copilot(); }
  Checkpointer* threads() const override { return &mine_; }
  const Toolset& tools() const override { return parts_.tools; }
  Receipt call_tool(const Tool& tool, const nlohmann::json& args,
                    const CancelToken& cancel) override {
    NullSink events;
    ToolContext context{parts_.search, parts_.store, parts_.clock, events};
    context.cancel = &cancel;
    return tool.call(args, context, "R1");
  }
  std::vector<std::string> suggestions() const override { return {"Late letters?"}; }
  KnowledgeView knowledge() const override { return {nullptr, parts_.search, parts_.store}; }

 private:
  const Parts parts_;
  mutable PrefixedCheckpointer mine_;
  const CopilotLab lab_;
};

}  // namespace precedent
