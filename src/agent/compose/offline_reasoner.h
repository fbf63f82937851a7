// OfflineReasoner: the ChatModel that is there without a key or a service. It reads the question by
// rule, asks for tools, and then composes an extractive, cited answer.
//
//   ends with a question   → remembered, or plan → tool calls
//   ends with tool results → a second look where the first asks for one
//                          → collect_evidence → rank_evidence → compose → answer
//
// What the conversation has retrieved already is answered from memory, without a tool call. Made
// for one thread at one moment: it sees the messages of the request, and the typed receipts behind
// their tool messages. Thread safety: one thread. Lifetime: everything given outlives it.
#pragma once

#include <string>
#include <vector>

#include "agent/evidence/answer.h"
#include "agent/evidence/evidence.h"
#include "agent/plan/plan.h"
#include "agent/sources/sources.h"
#include "agent/understand/reading.h"
#include "llm/chat_model.h"

namespace precedent {

class OfflineReasoner final : public ChatModel {
 public:
  struct Parts {
    Sources sources;
    const Policy& policy;
    const Reading& reading;  // of the conversation that complete() will be given
  };
  explicit OfflineReasoner(Parts parts) : parts_(parts) {}

  std::string name() const override { return "offline"; }
  // Errors: those of search and store, and kCancelled.
  Result<ModelReply> complete(const ModelRequest& request, ModelContext& context) override;

  // Of the last complete(): what it read off the question and, unless it called tools, the answer.
  const Answer& answer() const { return answer_; }
  const std::vector<PlannedCall>& planned() const { return planned_; }

 private:
  // Intent and plan; nothing planned if the conversation knows the answer already.
  void decide(const Reading& reading);
  // The calls of the plan that were not made yet.
  std::vector<ToolCall> next_calls(const Reading& reading);
  Result<void> conclude(const Reading& reading);
  // `evidence`: what was ranked on the way, for the explanation.
  Result<void> conclude_with(const Reading& reading, std::vector<Evidence>& evidence);
  Result<void> conclude_parts(const Reading& reading);

  Parts parts_;
  Answer answer_;
  std::vector<PlannedCall> planned_;
};

}  // namespace precedent
