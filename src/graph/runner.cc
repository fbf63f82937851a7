#include "graph/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "graph/checkpoint_errors.h"
#include "graph/graph_run.h"
#include "graph/next_tasks.h"

namespace precedent {
namespace {

using nlohmann::json;

std::string questions_json(const std::vector<OpenQuestion>& questions) {
  json list = json::array();
  for (const OpenQuestion& open : questions) {
    list.push_back(
        {{"task", open.task}, {"node", open.node}, {"question", json_or_text(open.question)}});
  }
  return dump_json({{"questions", std::move(list)}});
}

Result<void> apply_path(AnyState& state, std::string_view thread,
                        const std::vector<Checkpoint>& path) {
  std::optional<CheckpointId> last = path.front().parent;
  for (const Checkpoint& checkpoint : path) {
    if (auto applied = apply_writes(state, checkpoint.step.tasks); !applied)
      return checkpoint_errors::bad_row(std::move(applied).error(), thread, checkpoint.id, last);
    last = checkpoint.id;
  }
  return {};
}

void emit_end(const Result<Runner::Run>& run, const OutputFunction& output, EventSink& events) {
  if (!run) {
    events.emit({.type = Event::Type::kError,
                 .text = run.error().text(),
                 .data = dump_json({{"code", name(run.error().code)}})});
  } else if (run->report.outcome == Outcome::kInterrupted) {
    events.emit({.type = Event::Type::kInterrupt,
                 .node = run->report.questions.front().node,
                 .data = questions_json(run->report.questions)});
  } else {
    events.emit({.type = Event::Type::kComplete, .data = output(*run->state, run->report)});
  }
}

}  // namespace

Runner::Runner(GraphModel graph, std::unique_ptr<AnyState> initial, Checkpointer* checkpointer,
               OutputFunction output)
    : graph_(std::move(graph)),
      initial_(std::move(initial)),
      checkpointer_(checkpointer),
      output_(std::move(output)) {}

Result<Position> Runner::load(std::string_view thread, const Head& head) {
  std::optional<Position> kept = cache_.take(thread);
  if (kept && kept->checkpoint == head.checkpoint) return std::move(*kept);
  const auto known = kept ? kept->checkpoint : std::nullopt;
  const auto path = TRY(checkpointer_->path(thread, head.checkpoint, known));
  Position position;
  // What was read begins behind what we know, or at the root because that is no longer the past.
  const bool goes_on = kept && path.front().parent == known;
  position.state = goes_on ? std::move(kept->state) : initial_->clone();
  TRY(apply_path(*position.state, thread, path));
  position.checkpoint = head.checkpoint;
  position.step = path.back().step.step;
  position.next = path.back().step.next;
  return position;
}

Result<Runner::Run> Runner::guarded(const Update* input,
                                    const std::map<std::string, std::string>& answers,
                                    const RunOptions& options, EventSink& events) {
  const bool kept = !options.thread.empty();
  if (kept && checkpointer_ == nullptr) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("thread '{}' cannot be kept: there is no checkpointer", options.thread));
  }
  ThreadLease lease;
  if (kept) lease = TRY(checkpointer_->lease(options.thread));
  std::optional<Head> head;
  if (kept) head = TRY(checkpointer_->head(options.thread));
  if (input == nullptr && !head) return checkpoint_errors::no_thread(options.thread);
  Position position;
  if (head) {
    position = TRY(load(options.thread, *head));
  } else {
    position.state = initial_->clone();
  }
  RunSink sink(options.modes, events);
  GraphRun run(graph_, options, checkpointer_, position,
               head ? std::move(head->pending) : std::vector<Pending>(), sink);
  Result<RunReport> report = [&]() -> Result<RunReport> {
    TRY(input != nullptr ? run.start(*input) : run.answer(answers));
    return run.loop();
  }();
  const Result<void> finished = run.finish();
  if (!report) return std::unexpected(std::move(report).error());
  if (!finished) return std::unexpected(finished.error());
  report->checkpoint = position.checkpoint;
  report->unkept = run.unkept();
  Run done{std::move(*report), position.state->clone()};
  // A state with more in it than the checkpoint is nobody's past.
  if (kept && !done.report.unkept) cache_.put(options.thread, std::move(position));
  return done;
}

Result<Runner::Run> Runner::run(Update input, const RunOptions& options, EventSink& events) {
  auto done = guarded(&input, {}, options, events);
  emit_end(done, output_, events);
  return done;
}

Result<Runner::Run> Runner::resume(const std::map<std::string, std::string>& answers,
                                   const RunOptions& options, EventSink& events) {
  auto done = guarded(nullptr, answers, options, events);
  emit_end(done, output_, events);
  return done;
}

Result<std::unique_ptr<AnyState>> Runner::state(std::string_view thread,
                                                std::optional<CheckpointId> checkpoint) {
  const auto head = TRY(checkpointer_->head(thread));
  if (!head) return checkpoint_errors::no_thread(thread);
  if (checkpoint) TRY(checkpointer_->checkpoint(thread, *checkpoint));
  const auto path = TRY(checkpointer_->path(thread, checkpoint.value_or(head->checkpoint)));
  auto state = initial_->clone();
  TRY(apply_path(*state, thread, path));
  return state;
}

Result<size_t> Runner::prune(std::string_view thread, const PrunePolicy& policy) {
  const auto head = TRY(checkpointer_->head(thread));
  if (!head) return checkpoint_errors::no_thread(thread);
  auto path = TRY(checkpointer_->path(thread, head->checkpoint));
  const size_t keep = std::max<size_t>(policy.keep_last, 1);
  size_t going = path.size() - std::min(keep, path.size());
  while (going > 0 && policy.older_than && path[going - 1].step.at >= *policy.older_than) --going;
  // One that goes would come back as the base: nothing gained.
  if (going == 0 || (going == 1 && path.front().step.source == StepSource::kBase)) return 0;
  const CheckpointId first_kept = path[going].id;
  path.resize(going);
  auto state = initial_->clone();
  TRY(apply_path(*state, thread, path));
  Step base = path.back().step;
  base.source = StepSource::kBase;
  base.tasks = {{Task{}, state->snapshot()}};
  return checkpointer_->fold(thread, first_kept, base);
}

std::string Runner::describe(const Checkpoint& checkpoint) const {
  const Step& step = checkpoint.step;
  json tasks = json::array();
  for (const TaskWrites& task : step.tasks) {
    json shown = {{"writes", json_or_text(initial_->json_of(task.writes))}};
    if (!task.task.node.empty()) shown["node"] = task.task.node;
    if (!task.task.argument.empty()) shown["argument"] = task.task.argument;
    tasks.push_back(std::move(shown));
  }
  json next = json::array();
  for (const std::string& id : task_ids(step.next)) next.push_back(id);
  json object = {{"id", checkpoint.id},         {"step", step.step},
                 {"source", name(step.source)}, {"at", format_time(step.at)},
                 {"thread", checkpoint.thread}, {"tasks", std::move(tasks)},
                 {"next", std::move(next)},     {"metadata", step.metadata}};
  object["parent"] = checkpoint.parent ? json(*checkpoint.parent) : json();
  return dump_json(object);
}

}  // namespace precedent
