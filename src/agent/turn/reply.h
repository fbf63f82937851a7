// Reply: what a turn gives to whoever asked.
//
// Thread safety: plain values, pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "agent/state/copilot_state.h"
#include "graph/state_graph.h"
#include "grounding/claim.h"

namespace precedent {

struct Reply {
  AnswerStatus status = AnswerStatus::kOk;
  std::string text;                     // Markdown
  std::vector<TypedSection> sections;   // of the text, as far as they are known
  std::string intent = "{}";            // JSON
  std::string plan = "[]";              // JSON: the calls in their order, with purpose and rule
  std::string grounding;                // JSON object; "": the answer was not checked
  Verification claims;                  // each sentence and what proves it
  std::vector<Receipt> receipts;        // of this question's calls; none if memory answered
  std::vector<std::string> remembered;  // ids of earlier receipts of the thread
  std::vector<Source> sources;          // cited, in order of first use
  std::vector<std::string> missing;
  std::vector<std::string> explain;
  std::string thread_id;  // "": there is none, nothing of it is kept
  // Of an error: another turn of the thread ran at the same time, and nothing of this one was kept.
  bool busy = false;
  std::string not_kept;  // why this turn, or its end, is not in the thread; "": it is
  std::string title;
  uint64_t dataset_version = 0;  // of the incident data that it rests on; 0: there is none
  RunUse usage;                  // of models; no steps: none was asked
};

Reply reply_of(const CopilotState& state, const std::string& thread);
// With what the run says of its keeping.
Reply reply_of(const RunResult<CopilotState>& run, const std::string& thread);
// A reply that is its own explanation.
Reply plain_reply(AnswerStatus status, std::string text, std::string thread = {});

// The object of `ask --json`.
nlohmann::json to_json(const Reply& reply, bool explain = false);

}  // namespace precedent
