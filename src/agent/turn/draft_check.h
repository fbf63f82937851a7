// DraftCheck: what a model says, checked while it says it.
//
// Between a stream of drafts and its consumer. Whenever a piece of a draft has passed, the claims
// that it completed follow with their verdicts, as kGrounding; their bytes are of the drafts since
// the last reset. The answer is checked again as a whole: a sentence may be understood differently
// beside what follows it.
//
// Thread safety: one thread. Lifetime: the sink and the state outlive it.
#pragma once

#include <string>

#include "agent/state/copilot_state.h"
#include "chat/event.h"

namespace precedent {

class DraftCheck final : public EventSink {
 public:
  DraftCheck(EventSink& out, const CopilotState& state) : out_(out), state_(state) {}
  void emit(const Event& event) override;

 private:
  void tell_new_claims(const std::string& node);

  EventSink& out_;
  const CopilotState& state_;
  std::string draft_;
  uint32_t told_ = 0;  // bytes of the draft whose claims were told
};

}  // namespace precedent
