// One run of a graph on one thread, from a position to its end. Used by runner.cc alone.
//
// Thread safety: one thread; tasks run on others meanwhile. Lifetime: borrows everything for one
// call.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "graph/graph_model.h"
#include "graph/run_options.h"
#include "graph/task_run.h"
#include "graph/thread_cache.h"

namespace precedent {

class GraphRun {
 public:
  GraphRun(const GraphModel& graph, const RunOptions& options, Checkpointer* checkpointer,
           Position& position, std::vector<Pending> pending, RunSink& events);

  Result<void> start(const Update& input);
  Result<void> answer(const std::map<std::string, std::string>& answers);
  // Until there is nothing to run, or a reason to stop.
  Result<RunReport> loop();
  // Waits until all is kept; also after an error.
  Result<void> finish();
  // Why the end of the run is not kept.
  std::optional<Error> unkept() const { return writer_.failure(); }

 private:
  Result<void> check_options() const;
  Result<bool> stop_before();
  Result<bool> stop_after(const std::vector<Task>& ran);
  Result<void> pause(std::string when, std::string node);
  Result<void> step();
  std::vector<TaskJob> jobs() const;
  Result<void> task_ended(const TaskJob& job, size_t task, const Result<Update>& update, bool last);
  Result<void> keep_step(std::vector<Update> updates);
  Result<void> append(Step step);
  void show_writes(const std::vector<TaskWrites>& tasks);
  void show_checkpoint(const Step& step);
  void show_task(const TaskJob& job, std::string_view status);
  bool asked(const std::vector<TaskJob>& jobs, const std::vector<Update>& updates);

  const GraphModel& graph_;
  const RunOptions& options_;
  const Clock& clock_;
  Position& position_;
  std::vector<Pending> pending_;  // of the step after the position
  RunSink& events_;
  StepWriter writer_;
  RunReport report_;
};

}  // namespace precedent
