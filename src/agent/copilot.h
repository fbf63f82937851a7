// Copilot: a question in, an answer with its receipts out. Start reading here.
//
//   question → read_intent → plan → tools → receipts → rank_evidence → compose → answer
//
// Everything an answer states stands in a receipt of the same answer; what could not be found is
// named. Thread safety: ask() may be called from several threads. Lifetime: everything in
// CopilotParts outlives it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "agent/answer.h"
#include "base/cancel.h"
#include "chat/message.h"
#include "tools/tool.h"

namespace precedent {

struct Question {
  std::string text;
  std::vector<Message> history;  // oldest first
};

struct CopilotParts {
  const Searcher& search;
  const KnowledgeStore& store;
  const Toolset& tools;
  Limits limits = {};
};

class Copilot {
 public:
  explicit Copilot(CopilotParts parts) : parts_(parts) {}

  // Never fails: whatever goes wrong is an answer of status kError that says so.
  Answer ask(const Question& question, const Clock& clock, EventSink& events,
             const CancelToken& cancel) const;

 private:
  Result<Answer> answer(const Question& question, const Clock& clock, EventSink& events,
                        const CancelToken& cancel) const;

  CopilotParts parts_;
};

// The object of `ask --json`.
nlohmann::json to_json(const Answer& answer, bool explain = false);

}  // namespace precedent
