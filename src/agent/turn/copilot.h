// Copilot: a question in, an answer with its receipts out. Start reading here.
//
//   Copilot::ask → the graph (copilot_graph.h) → nodes (nodes.h):
//     guardrail_check → support_bot → incident_tools → support_bot → title_generation
//
// A question belongs to a thread, whose conversation is kept step by step and may be resumed,
// forked and replayed; or to none, and then nothing is kept. Everything an answer states stands in
// a receipt of the same thread; what could not be found is named.
//
// Thread safety: ask() may be called from several threads. Lifetime: services and checkpointer
// outlive it.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "agent/turn/copilot_graph.h"
#include "agent/turn/question.h"
#include "agent/turn/reply.h"

namespace precedent {

class Copilot {
 public:
  // Without a checkpointer no thread can be kept. Errors: none that a user can cause.
  static Result<std::unique_ptr<Copilot>> create(const CopilotServices& services,
                                                 Checkpointer* checkpointer);

  // Never fails: whatever goes wrong is a reply of status kError that says so. A store that fails
  // in the middle (a full disk) costs the memory of the turn, not its answer: Reply::not_kept.
  Reply ask(const Question& question, const AskOptions& options, const Clock& clock,
            EventSink& events, const CancelToken& cancel) const;
  // Goes on with a turn that was cut off: by a crash, an error, a signal. Finished steps are not
  // run again.
  Reply resume(const AskOptions& options, const Clock& clock, EventSink& events,
               const CancelToken& cancel) const;

  // Gives the conversation another title. Errors: kNotFound; kConflict if a turn runs meanwhile.
  Result<void> set_title(const std::string& thread, std::string_view title, TimePoint now) const;
  // Puts it away, or back among the others. Errors: as set_title().
  Result<void> set_archived(const std::string& thread, bool archived, TimePoint now) const;

  // Keeps a conversation in which nothing is said yet. Errors: kConflict if there is one.
  Result<void> begin(const std::string& thread, Update update, TimePoint now) const;
  // Writes something of a conversation outside of a turn, as a step by this name; the checkpoint.
  // Errors: as set_title().
  Result<CheckpointId> write(const std::string& thread, const char* step, Update update,
                             TimePoint now) const;
  // Goes back to a checkpoint, from which the next turn goes on. What is left behind is kept,
  // archived, under the name `left`. Errors: as set_title(); kNotFound for the checkpoint.
  Result<void> rewind(const std::string& thread, CheckpointId checkpoint, const std::string& left,
                      TimePoint now) const;

  const CompiledGraph<CopilotState>& graph() const { return graph_; }

 private:
  Copilot(CopilotServices services, CompiledGraph<CopilotState> graph)
      : services_(services), graph_(std::move(graph)) {}
  template <typename Run>
  Reply contained(const AskOptions& options, Run run) const;

  CopilotServices services_;
  CompiledGraph<CopilotState> graph_;
};

}  // namespace precedent
