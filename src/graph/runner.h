// The loop: load where a thread stands, run tasks, apply what they wrote, keep it, go on.
//
// It decides nothing itself (next_tasks.h) and knows no state but by AnyState; state_graph.h is
// the typed door to it. It keeps the states of the threads that it ran last, so that a turn does
// not read the past again unless somebody else has moved the thread.
//
// Thread safety: all members; runs of different threads do not wait for each other. Ownership:
// borrows the checkpointer.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "graph/checkpointer.h"
#include "graph/graph_model.h"
#include "graph/run_options.h"
#include "graph/thread_cache.h"

namespace precedent {

// What the consumer is given with kComplete: compact JSON.
using OutputFunction = std::function<std::string(const AnyState&, const RunReport&)>;

class Runner {
 public:
  // REQUIRES: graph.check(). Without a checkpointer nothing can be kept.
  Runner(GraphModel graph, std::unique_ptr<AnyState> initial, Checkpointer* checkpointer,
         OutputFunction output);

  struct Run {
    RunReport report;
    std::unique_ptr<AnyState> state;
  };
  // A turn: the input is applied and kept, then the graph runs from its entry. What an earlier run
  // left unfinished is given up. The stream of events ends with exactly one kComplete, kInterrupt
  // or kError. Errors: those of the nodes and of the checkpointer; kInvalidArgument for options
  // that name no node; kResourceExhausted at the step limit; kCancelled, kTimeout. What was
  // finished before the error is kept, and resume() goes on from there. A store that fails while
  // the graph runs is an error, or RunReport::unkept, as RunOptions says.
  // kConflict, before anything is kept, while another run is on the same thread.
  Result<Run> run(Update input, const RunOptions& options, EventSink& events);

  // Goes on where the thread stands: after a crash, an error, a stop, or a question, whose answers
  // are given by task; "" stands for the only open question. Nodes that have finished are not run
  // again. Errors: beside those of run(), kNotFound, and kInvalidArgument for an answer to nothing.
  Result<Run> resume(const std::map<std::string, std::string>& answers, const RunOptions& options,
                     EventSink& events);

  // The state at a checkpoint; without one, at the head. Errors: kNotFound.
  Result<std::unique_ptr<AnyState>> state(std::string_view thread,
                                          std::optional<CheckpointId> checkpoint = {});

  // Folds the past into one checkpoint (Checkpointer::fold); returns how many went.
  Result<size_t> prune(std::string_view thread, const PrunePolicy& policy);

  // {"id", "parent", "thread", "step", "source", "at", "tasks", "next", "metadata"} for people.
  std::string describe(const Checkpoint& checkpoint) const;

  const GraphModel& graph() const { return graph_; }
  Checkpointer* checkpointer() const { return checkpointer_; }

 private:
  Result<Position> load(std::string_view thread, const Head& head);
  Result<Run> guarded(const Update* input, const std::map<std::string, std::string>& answers,
                      const RunOptions& options, EventSink& events);

  const GraphModel graph_;
  const std::unique_ptr<const AnyState> initial_;
  Checkpointer* const checkpointer_;
  const OutputFunction output_;
  ThreadCache cache_;
};

}  // namespace precedent
