// Which tasks run next, and how what they wrote changes the state: the pure core of the loop.
//
// Everything is in the order of the tasks, which is that of their nodes' names (and, of one node,
// that in which they were sent): never in the order of finishing. Thread safety: pure functions.
#pragma once

#include <span>
#include <vector>

#include "base/error.h"
#include "chat/event.h"
#include "graph/any_state.h"
#include "graph/graph_model.h"
#include "graph/task.h"

namespace precedent {

// A task that has run, and where it sends.
struct FinishedTask {
  Task task;
  std::vector<Task> sends = {};
};

// The tasks of a run's first step.
std::vector<Task> entry_tasks(const GraphModel& graph);

// The tasks after a step: the targets of all edges and branches of the nodes that ran, each once,
// and the tasks that were sent. None: the run is complete. A node that is reached in two different
// steps runs twice. Errors: kInvalidArgument for a label without a target, or a send to a node
// that was not declared.
Result<std::vector<Task>> prepare_next_tasks(const GraphModel& graph, const AnyState& state,
                                             std::span<const FinishedTask> finished,
                                             EventSink& events);

// Errors: those of AnyState::apply, naming the node; the state is then to be thrown away.
Result<void> apply_writes(AnyState& state, std::span<const TaskWrites> tasks);

}  // namespace precedent
