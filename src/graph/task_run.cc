#include "graph/task_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>

#include "base/helpers.h"
#include "base/mutex.h"

namespace precedent {
namespace {

Result<Update> call(const NodeFunction& function, const AnyState& state, const Context& context,
                    EventSink& events) {
  try {
    return function(state, context, events);
  } catch (const std::exception& e) {
    return fail(ErrorCode::kInternal, fmt::format("{}; this is a bug of precedent", e.what()));
  }
}

struct StepRun {
  const GraphModel& graph;
  const AnyState& state;
  int step;
  std::span<const TaskJob> jobs;
  const RunOptions& options;
  const Clock& clock;
  EventSink& events;
  const TaskEnded& ended;

  std::vector<size_t> open;  // jobs to be run
  std::vector<Result<Update>> updates;
  std::atomic<size_t> next{0};
  Mutex mutex;
  size_t left GUARDED_BY(mutex) = 0;

  Result<Update> run_one(const TaskJob& job) {
    const auto node = graph.nodes.find(job.task->node);
    if (node == graph.nodes.end()) {
      return fail(ErrorCode::kInvalidArgument,
                  "the graph has no such node any more; fork the thread at a checkpoint before it "
                  "(`precedent threads history` lists them), or delete the thread");
    }
    Context context{options.thread,     job.task->node, job.id,         step,
                    job.task->argument, job.answers,    options.cancel, options.deadline,
                    options.limits,     &clock,         options.trace,  options.started,
                    options.local};
    TRY(context.check());
    TaskSink sink(job.task->node, step, events);
    return call(node->second.function, state, context, sink);
  }

  // Until no job is left; run by several threads.
  void work() {
    for (size_t at = next++; at < open.size(); at = next++) {
      const size_t i = open[at];
      Result<Update> update = run_one(jobs[i]);
      const MutexLock lock(mutex);
      --left;
      if (auto kept = ended(i, update, left == 0); !kept && update)
        update = std::unexpected(std::move(kept).error());
      updates[i] = std::move(update);
    }
  }
};

}  // namespace

Result<std::vector<Update>> run_tasks(const GraphModel& graph, const AnyState& state, int step,
                                      std::span<const TaskJob> jobs, const RunOptions& options,
                                      const Clock& clock, EventSink& events,
                                      const TaskEnded& ended) {
  StepRun run{graph, state, step, jobs, options, clock, events, ended, {}, {}};
  for (size_t i = 0; i < jobs.size(); ++i) {
    run.updates.emplace_back(jobs[i].update.value_or(Update{}));
    if (!jobs[i].update) run.open.push_back(i);
  }
  {
    const MutexLock lock(run.mutex);
    run.left = run.open.size();
  }
  const size_t threads = std::min(run.open.size(), std::max<size_t>(options.max_parallel, 1));
  std::vector<std::jthread> helpers =
      start_helpers(threads - std::min<size_t>(threads, 1), [&run] { run.work(); });
  run.work();
  helpers.clear();  // joins

  std::vector<Update> updates;
  for (size_t i = 0; i < jobs.size(); ++i) {
    if (!run.updates[i])
      return std::unexpected(std::move(run.updates[i]).error().within("node '" + jobs[i].id + "'"));
    updates.push_back(std::move(*run.updates[i]));
  }
  return updates;
}

}  // namespace precedent
