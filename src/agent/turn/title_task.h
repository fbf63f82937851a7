// TitleTask: asks the model for the title of a conversation while the answer is worked on.
//
//   guardrail_check → support_bot: start() ──────────────┐ a thread of its own, which says the
//   title
//                     … the answer …                     │ as soon as it is there
//                     title_generation: take() ──────────┘ what there is by then
//
// It is asked from what the user said alone, so that no answer waits for a title: one that is not
// there when the answer is, that fails or that is no title is the offline one. What the request
// used is counted with the turn when it is taken. Where the system has no thread left nothing is
// asked.
//
// Thread safety: start() and take() by one thread at a time. Lifetime: services and the sink
// outlive it; nothing outlives it.
#pragma once

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "agent/state/copilot_state.h"
#include "agent/turn/copilot_services.h"
#include "base/cancel.h"
#include "graph/context.h"

namespace precedent {

// The node that takes the title, and on whose behalf the model is asked for it.
inline constexpr std::string_view kTitleNode = "title_generation";

class NodeModel;

class TitleTask final : public RunLocal {
 public:
  // `said` is told the title by another thread than that of the run: it takes any (RunSink).
  TitleTask(const CopilotServices& services, EventSink& said) : services_(services), said_(said) {}
  // Cancels the request and waits for its thread.
  ~TitleTask() override { take(); }
  TitleTask(const TitleTask&) = delete;
  TitleTask& operator=(const TitleTask&) = delete;

  // Asks, if there is a model, the conversation wants a title and none is asked for yet.
  void start(const CopilotState& state, const Context& context);

  struct Made {
    std::string title;  // was said; "": there is none
    RunUse use;         // of the model; not the time, since nobody waited
  };
  // What came of it by now; what has not is cancelled. Nothing the second time.
  Made take();

 private:
  void ask();
  std::string title_from_model(NodeModel& models);

  const CopilotServices& services_;
  EventSink& said_;
  CancelToken cancel_;
  bool started_ = false;
  // Written before the thread starts, and by it until it is joined.
  std::string prompt_;
  std::string thread_;
  CopilotState state_;
  Context context_;
  Made made_;
  std::vector<std::jthread> helper_;  // one, or none; the last member: it uses the others
};

// That of the run; null: it has none.
TitleTask* title_task(const Context& context);

}  // namespace precedent
