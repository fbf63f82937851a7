#include "graph/graph_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "graph/next_tasks.h"

namespace precedent {
namespace {

using nlohmann::json;

const SystemClock kSystemClock;

std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

json names_of(const std::vector<Task>& tasks) {
  json names = json::array();
  for (const std::string& id : task_ids(tasks)) names.push_back(id);
  return names;
}

std::string first_of(const std::set<std::string>& names, const std::vector<Task>& tasks) {
  for (const Task& task : tasks) {
    if (names.contains(task.node)) return task.node;
  }
  return "";
}

}  // namespace

GraphRun::GraphRun(const GraphModel& graph, const RunOptions& options, Checkpointer* checkpointer,
                   Position& position, std::vector<Pending> pending, RunSink& events)
    : graph_(graph),
      options_(options),
      clock_(options.clock != nullptr ? *options.clock : kSystemClock),
      position_(position),
      pending_(std::move(pending)),
      events_(events),
      writer_(options.thread.empty() ? nullptr : checkpointer, options.thread, position.checkpoint,
              options.durability, options.on_write_failure) {}

Result<void> GraphRun::check_options() const {
  for (const auto* names : {&options_.interrupt_before, &options_.interrupt_after}) {
    for (const std::string& name : *names) {
      if (!graph_.nodes.contains(name)) {
        return fail(ErrorCode::kInvalidArgument,
                    fmt::format("cannot stop at '{}': the graph has no such node", name));
      }
    }
  }
  return {};
}

Result<void> GraphRun::start(const Update& input) {
  TRY(check_options());
  Step step{StepSource::kInput,       position_.step + 1,  clock_.now(),
            {{Task{}, input.writes}}, entry_tasks(graph_), {}};
  TRY(apply_writes(*position_.state, step.tasks));
  pending_.clear();
  return append(std::move(step));
}

Result<void> GraphRun::answer(const std::map<std::string, std::string>& answers) {
  TRY(check_options());
  const auto ids = task_ids(position_.next);
  const auto is_open = [](const Pending& p) {
    return p.kind == Pending::Kind::kAsked && !p.question.empty();
  };
  const auto open = std::ranges::count_if(pending_, is_open);
  size_t used = 0;
  for (Pending& pending : pending_) {
    const auto task = static_cast<size_t>(pending.task);
    if (!is_open(pending) || task >= ids.size()) continue;
    auto answer = answers.find(ids[task]);
    if (answer == answers.end() && open == 1) answer = answers.find("");
    if (answer == answers.end()) continue;
    pending.answers.push_back(answer->second);
    pending.question.clear();
    TRY(writer_.append_pending(pending));
    ++used;
  }
  if (used == answers.size()) return {};
  return fail(
      ErrorCode::kInvalidArgument,
      fmt::format(
          "thread '{}' has {} open questions and was given {} answers, of which {} fit; name "
          "the task of each (see `precedent threads show {}`)",
          options_.thread, open, answers.size(), used, options_.thread));
}

Result<RunReport> GraphRun::loop() {
  while (!position_.next.empty()) {
    TRY((Context{.cancel = options_.cancel, .deadline = options_.deadline}.check()));
    if (report_.steps >= options_.max_steps) {
      return fail(
          ErrorCode::kResourceExhausted,
          fmt::format("the run took {} steps without an end and was about to call '{}' again; look "
                      "for nodes that call each other for ever, or allow more steps and resume it",
                      report_.steps, position_.next.front().node));
    }
    if (TRY(stop_before())) break;
    const std::vector<Task> ran = position_.next;
    TRY(step());
    if (!report_.questions.empty() || TRY(stop_after(ran))) break;
  }
  if (!report_.questions.empty()) report_.outcome = Outcome::kInterrupted;
  return report_;
}

Result<void> GraphRun::finish() {
  TRY(writer_.flush());
  position_.checkpoint = writer_.head();
  return {};
}

// --- Stops

Result<bool> GraphRun::stop_before() {
  const std::string node = first_of(options_.interrupt_before, position_.next);
  const bool stopped_here = std::ranges::any_of(
      pending_, [](const Pending& p) { return p.kind == Pending::Kind::kPaused; });
  if (node.empty() || stopped_here) return false;
  TRY(pause("before", node));
  return true;
}

Result<bool> GraphRun::stop_after(const std::vector<Task>& ran) {
  const std::string node = first_of(options_.interrupt_after, ran);
  if (node.empty() || position_.next.empty()) return false;
  TRY(pause("after", node));
  return true;
}

Result<void> GraphRun::pause(std::string when, std::string node) {
  Pending pending{.task = Pending::kPausedTask, .kind = Pending::Kind::kPaused};
  pending.question = dump({{when, node}});
  report_.questions = {{"", std::move(node), pending.question}};
  return writer_.append_pending(std::move(pending));
}

// --- A step

std::vector<TaskJob> GraphRun::jobs() const {
  std::vector<TaskJob> jobs;
  const auto ids = task_ids(position_.next);
  for (size_t i = 0; i < ids.size(); ++i) jobs.push_back({&position_.next[i], ids[i], {}, {}});
  for (const Pending& pending : pending_) {
    const auto task = static_cast<size_t>(pending.task);
    if (task >= jobs.size()) continue;
    TaskJob& job = jobs[task];
    if (pending.kind == Pending::Kind::kFinished)
      job.update = Update{pending.writes, pending.sends, {}};
    if (pending.kind != Pending::Kind::kAsked) continue;
    job.answers = pending.answers;
    if (!pending.question.empty()) job.update = Update::ask(pending.question);
  }
  return jobs;
}

Result<void> GraphRun::step() {
  const std::vector<TaskJob> jobs = this->jobs();
  for (const TaskJob& job : jobs) show_task(job, job.update ? "kept" : "started");
  // The last task to end needs no row of its own: the step follows at once. Unless there will be
  // no step.
  bool whole = std::ranges::none_of(
      jobs, [](const TaskJob& job) { return job.update && job.update->question; });
  const auto ended = [&](size_t i, const Result<Update>& update, bool last) -> Result<void> {
    whole = whole && update && !update->question;
    return task_ended(jobs[i], i, update, last && whole);
  };
  ++report_.steps;
  std::vector<Update> updates = TRY(run_tasks(graph_, *position_.state, position_.step + 1, jobs,
                                              options_, clock_, events_, ended));
  if (asked(jobs, updates)) return {};
  return keep_step(std::move(updates));
}

Result<void> GraphRun::task_ended(const TaskJob& job, size_t task, const Result<Update>& update,
                                  bool last) {
  show_task(job, !update ? "failed" : update->question ? "asked" : "finished");
  if (!update || last) return {};
  Pending pending{.task = static_cast<int>(task)};
  if (update->question) {
    pending.kind = Pending::Kind::kAsked;
    pending.question = *update->question;
    pending.answers = job.answers;
  } else {
    pending.writes = update->writes;
    pending.sends = update->sends;
  }
  return writer_.append_pending(std::move(pending));
}

bool GraphRun::asked(const std::vector<TaskJob>& jobs, const std::vector<Update>& updates) {
  for (size_t i = 0; i < jobs.size(); ++i) {
    if (updates[i].question)
      report_.questions.push_back({jobs[i].id, jobs[i].task->node, *updates[i].question});
  }
  return !report_.questions.empty();
}

Result<void> GraphRun::keep_step(std::vector<Update> updates) {
  Step step{StepSource::kLoop, position_.step + 1, clock_.now(), {}, {}, {}};
  std::vector<FinishedTask> finished;
  for (size_t i = 0; i < updates.size(); ++i) {
    const Task& task = position_.next[i];
    step.tasks.push_back({task, std::move(updates[i].writes)});
    finished.push_back({task, std::move(updates[i].sends)});
  }
  TRY(apply_writes(*position_.state, step.tasks));
  step.next = TRY(prepare_next_tasks(graph_, *position_.state, finished, events_));
  show_writes(step.tasks);
  pending_.clear();
  return append(std::move(step));
}

Result<void> GraphRun::append(Step step) {
  step.metadata = options_.metadata;
  position_.step = step.step;
  position_.next = step.next;
  if (!events_.modes().debug) return writer_.append(std::move(step));
  TRY(writer_.append(step));
  show_checkpoint(step);
  return {};
}

// --- Events, each made only if somebody looks

void GraphRun::show_writes(const std::vector<TaskWrites>& tasks) {
  if (events_.modes().updates) {
    for (const TaskWrites& task : tasks) {
      events_.emit({.type = Event::Type::kUpdates,
                    .node = task.task.node,
                    .step = position_.step + 1,
                    .data = position_.state->json_of(task.writes)});
    }
  }
  if (events_.modes().values) {
    events_.emit({.type = Event::Type::kValues,
                  .step = position_.step + 1,
                  .data = position_.state->json()});
  }
}

void GraphRun::show_checkpoint(const Step& step) {
  json data = {{"step", step.step}, {"source", name(step.source)}, {"next", names_of(step.next)}};
  // Only what was kept at once has an id by now.
  const auto head = writer_.head();
  if (options_.durability == Durability::kSync && head && !writer_.failure()) data["id"] = *head;
  events_.emit({.type = Event::Type::kCheckpoint, .step = step.step, .data = dump(data)});
}

void GraphRun::show_task(const TaskJob& job, std::string_view status) {
  if (!events_.modes().debug) return;
  json data = {{"id", job.id}, {"status", status}};
  if (!job.task->argument.empty()) data["argument"] = job.task->argument;
  events_.emit({.type = Event::Type::kTask,
                .node = job.task->node,
                .step = position_.step + 1,
                .data = dump(data)});
}

}  // namespace precedent
