// Runs the tasks of one step on a bounded number of threads.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/graph_model.h"
#include "graph/run_options.h"

namespace precedent {

struct TaskJob {
  const Task* task = nullptr;
  std::string id = {};
  std::vector<std::string> answers = {};
  std::optional<Update> update = {};  // done already: not run again
};

// Called when a task has ended, by the thread that ran it, one at a time. `last`: no other task of
// the step has yet to end. Errors end the run.
using TaskEnded = std::function<Result<void>(size_t job, const Result<Update>& update, bool last)>;

// The updates in the order of the jobs. All tasks run to their end, also beside one that fails, so
// that what they did can be kept. Errors: that of the first job in order that failed, naming it;
// a node's exception is kInternal.
Result<std::vector<Update>> run_tasks(const GraphModel& graph, const AnyState& state, int step,
                                      std::span<const TaskJob> jobs, const RunOptions& options,
                                      const Clock& clock, EventSink& events,
                                      const TaskEnded& ended);

}  // namespace precedent
