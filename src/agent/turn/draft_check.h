// DraftCheck: what a model says, checked while it says it.
//
// Between a stream of drafts and its consumer. Whenever a piece of a draft has passed, the claims
// that it completed follow with their verdicts, as kGrounding; their bytes are of the drafts since
// the last reset. The answer is checked again as a whole: a sentence may be understood differently
// beside what follows it.
//
// Cost: the receipts are read once; a sentence is checked behind the last few before it, which it
// may speak of, and not behind the whole draft, so that a long answer costs as much a sentence as a
// short one. Tables and blocks of code, which are understood from their beginning, make it the
// whole draft.
//
// Thread safety: one thread. Lifetime: sink, state and judge outlive it; the receipts of the state
// stay as they are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agent/state/copilot_state.h"
#include "chat/event.h"
#include "embed/learned_reader.h"
#include "grounding/facts/facts.h"

namespace precedent {

class DraftCheck final : public EventSink {
 public:
  DraftCheck(EventSink& out, const CopilotState& state, const LearnedReader* judge)
      : out_(out), state_(state), judge_(judge) {}
  void emit(const Event& event) override;

 private:
  void tell_new_claims(const std::string& node);
  // Where the text begins that the next claims are to be understood from.
  uint32_t context_begin() const;

  EventSink& out_;
  const CopilotState& state_;
  const LearnedReader* const judge_;
  std::optional<Facts> facts_;  // of the receipts, once a draft is said
  std::string draft_;
  std::vector<uint32_t> begins_;  // of the claims that were told
  uint32_t told_ = 0;             // bytes of the draft whose claims were told
};

}  // namespace precedent
