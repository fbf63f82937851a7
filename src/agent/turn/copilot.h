// Copilot: a question in, an answer with its receipts out. Start reading here.
//
//   Copilot::ask → the graph (copilot_graph.h) → nodes (nodes.h):
//     guardrail_check → support_bot → incident_tools → support_bot → title_generation
//
// A question belongs to a thread, whose conversation is kept step by step and may be resumed, forked
// and replayed; or to none, and then nothing is kept. Everything an answer states stands in a
// receipt of the same thread; what could not be found is named.
//
// Thread safety: ask() may be called from several threads. Lifetime: services and checkpointer
// outlive it.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "agent/turn/copilot_graph.h"
#include "grounding/claim.h"

namespace precedent {

struct Question {
  std::string text;
  std::vector<Message> history =
      {};  // said before, oldest first; of a conversation that is not kept
};

struct AskOptions {
  std::string thread = {};  // "": not kept
  std::string user = {};
  bool generate_title = true;
  bool explain = false;
  bool langfuse_enabled = false;  // trace this turn, if the services have a tracer
  StreamModes modes = {};
  Durability durability = Durability::kSync;
  std::optional<Context::Deadline> deadline = {};
};

// What is given to whoever asked.
struct Reply {
  AnswerStatus status = AnswerStatus::kOk;
  std::string text;                     // Markdown
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
  std::string not_kept;   // why this turn, or its end, is not in the thread; "": it is
  std::string title;
  RunUse usage;  // of models; no steps: none was asked
};

class Copilot {
 public:
  // Without a checkpointer no thread can be kept. Errors: none that a user can cause.
  static Result<std::unique_ptr<Copilot>> create(const CopilotServices& services,
                                                 Checkpointer* checkpointer);

  // Never fails: whatever goes wrong is a reply of status kError that says so. A store that fails in
  // the middle (a full disk) costs the memory of the turn, not its answer: Reply::not_kept.
  Reply ask(const Question& question, const AskOptions& options, const Clock& clock,
            EventSink& events, const CancelToken& cancel) const;
  // Goes on with a turn that was cut off: by a crash, an error, a signal. Finished steps are not run
  // again.
  Reply resume(const AskOptions& options, const Clock& clock, EventSink& events,
               const CancelToken& cancel) const;

  // Gives the conversation another title. Errors: kNotFound; kConflict if a turn runs meanwhile.
  Result<void> set_title(const std::string& thread, std::string_view title, TimePoint now) const;

  const CompiledGraph<CopilotState>& graph() const { return graph_; }

 private:
  Copilot(CopilotServices services, CompiledGraph<CopilotState> graph)
      : services_(services), graph_(std::move(graph)) {}
  template <typename Run>
  Reply contained(const AskOptions& options, Run run) const;

  CopilotServices services_;
  CompiledGraph<CopilotState> graph_;
};

Reply reply_of(const CopilotState& state, const std::string& thread);
// With what the run says of its keeping.
Reply reply_of(const RunResult<CopilotState>& run, const std::string& thread);
// A reply that is its own explanation.
Reply plain_reply(AnswerStatus status, std::string text, std::string thread = {});

// The object of `ask --json`.
nlohmann::json to_json(const Reply& reply, bool explain = false);

}  // namespace precedent
