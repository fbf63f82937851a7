// OfflineReasoner: the ChatModel that is there without a key or a service. It reads the question by
// rule, asks for tools, and then composes an extractive, cited answer.
//
//   ends with a question  → resolve_reference → read_intent → remembered, or plan → tool calls
//   ends with tool results → collect_evidence → rank_evidence → compose → answer
//
// What the conversation has retrieved already is answered from memory, without a tool call. Made
// for one thread at one moment: it sees the messages of the request, and the typed receipts behind
// their tool messages. Thread safety: one thread. Lifetime: everything given outlives it.
#pragma once

#include <string>
#include <vector>

#include "agent/answer.h"
#include "agent/plan.h"
#include "agent/reading.h"
#include "base/clock.h"
#include "llm/chat_model.h"
#include "search/searcher.h"
#include "store/knowledge_store.h"

namespace precedent {

class OfflineReasoner final : public ChatModel {
 public:
  struct Parts {
    const Searcher& search;
    const KnowledgeStore& store;
    const Clock& clock;
    const SharedList<Receipt>& receipts;  // of the whole thread
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
  Result<void> conclude(std::vector<Receipt> receipts);

  Parts parts_;
  Answer answer_;
  std::vector<PlannedCall> planned_;
};

}  // namespace precedent
