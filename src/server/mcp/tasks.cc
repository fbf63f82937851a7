#include "server/mcp/tasks.h"

#include <fmt/format.h>

#include <random>
#include <vector>

#include "base/json_access.h"
#include "base/utf8.h"
#include "server/mcp/turn.h"
#include "server/turns/chats.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr std::chrono::hours kKept{1};
// Results are up to 100 kB.
constexpr size_t kMostTasks = 256;
constexpr int kPollMs = 500;
constexpr const char* kRuns = "The call is being worked on.";

struct TaskId {
  std::string chat;
  std::string mark;
};

// "CHAT.MARK.NUMBER"; a chat's id may hold dots.
std::optional<TaskId> read_id(std::string_view id) {
  const size_t number = id.rfind('.');
  if (number == std::string_view::npos || number == 0) return std::nullopt;
  const size_t mark = id.rfind('.', number - 1);
  if (mark == std::string_view::npos) return std::nullopt;
  TaskId read{std::string(id.substr(0, mark)), std::string(id.substr(mark + 1, number - mark - 1))};
  if (!is_chat_id(read.chat)) return std::nullopt;
  return read;
}

}  // namespace

struct McpTasks::Task {
  enum class State : uint8_t { kWorking, kInputRequired, kCompleted, kFailed, kCancelled };

  Task(std::string own_id, const McpJob& own_job, const McpRound& round, bool asks, TimePoint now)
      : id(std::move(own_id)),
        job(own_job),
        args(round.args),
        chat(round.chat),
        elicits(asks),
        created(now) {
    kept = round.kept;
    answers = round.answers;
    updated = now;
  }

  const std::string id;
  const McpJob& job;
  const json args;
  const std::string chat;
  const bool elicits;
  const TimePoint created;

  mutable Mutex mutex;
  State state GUARDED_BY(mutex) = State::kWorking;
  TimePoint updated GUARDED_BY(mutex);
  std::string message GUARDED_BY(mutex) = kRuns;
  json kept GUARDED_BY(mutex);
  json answers GUARDED_BY(mutex);  // to the forms of the round before
  json forms GUARDED_BY(mutex);    // that nobody has answered yet
  json result GUARDED_BY(mutex);   // or the error, of one that failed
  std::shared_ptr<ChatTurn> turn GUARDED_BY(mutex);

  bool over() const REQUIRES_LOCK(mutex) {
    return state != State::kWorking && state != State::kInputRequired;
  }

  void end(const McpResult<McpOutcome>& outcome, TimePoint now) {
    const MutexLock lock(mutex);
    turn.reset();
    if (over()) return;
    updated = now;
    if (!outcome) {
      state = State::kFailed;
      result = {{"code", outcome.error().code}, {"message", outcome.error().message}};
      message = "The call failed.";
      return;
    }
    if (elicits && !outcome->forms.is_null()) {
      state = State::kInputRequired;
      forms = outcome->forms;
      kept = outcome->kept;
      answers = json::object();
      message = "A question back waits for its answer.";
      return;
    }
    state = State::kCompleted;
    result = outcome->result;
    result["resultType"] = "complete";
    message = "The call has its result.";
  }

  // The turn to cancel; null: none runs, or the task was over.
  std::shared_ptr<ChatTurn> stop(TimePoint now) {
    const MutexLock lock(mutex);
    if (over()) return nullptr;
    state = State::kCancelled;
    updated = now;
    message = "The task was cancelled.";
    return turn;
  }

  json head() const REQUIRES_LOCK(mutex) {
    static constexpr const char* kNames[] = {"working", "input_required", "completed", "failed",
                                             "cancelled"};
    return {{"taskId", id},
            {"status", kNames[static_cast<size_t>(state)]},
            {"statusMessage", message},
            {"createdAt", format_time(created)},
            {"lastUpdatedAt", format_time(updated)},
            {"ttlMs", std::chrono::milliseconds(kKept).count()},
            {"pollIntervalMs", kPollMs}};
  }
};

McpTasks::McpTasks(const McpServices& services, std::span<const McpJob* const> jobs)
    : services_(services), jobs_(jobs) {}
McpTasks::~McpTasks() = default;

void McpTasks::forget_old() {
  const TimePoint now = services_.clock.now();
  std::erase_if(tasks_, [&](const auto& entry) {
    const MutexLock lock(entry.second->mutex);
    return entry.second->state != Task::State::kWorking && entry.second->updated + kKept < now;
  });
}

Result<void> McpTasks::run(const std::shared_ptr<Task>& task) {
  const auto turn = TRY(services_.turns->start(task->chat, [this, task](ChatTurn& own) {
    McpRound round{task->args, task->chat};
    {
      const MutexLock lock(task->mutex);
      round.kept = task->kept;
      round.answers = task->answers;
    }
    NullSink nobody;
    // The turn is over before the task is: whoever sees the task's end may go on in the chat.
    const auto outcome = run_as_turn(task->job, round, own, nobody);
    const bool stopped = own.cancel.cancelled() && !own.server_stops;
    if (stopped && outcome && outcome->result.value("isError", false))
      task->stop(services_.clock.now());
    task->end(outcome, services_.clock.now());
  }));
  const MutexLock lock(task->mutex);
  // It may be over by now.
  if (task->state == Task::State::kWorking) task->turn = turn;
  return {};
}

McpResult<std::optional<json>> McpTasks::start(const McpJob& job, const McpRound& round,
                                               bool elicits) {
  std::random_device random;
  auto task = std::make_shared<Task>(
      fmt::format("{}.{}.{:08x}", round.chat, job.mark(round.args), random()), job, round, elicits,
      services_.clock.now());
  {
    const MutexLock lock(mutex_);
    forget_old();
    if (tasks_.size() >= kMostTasks) return std::nullopt;
    tasks_[task->id] = task;
  }
  // What the creation says is how things stood then, however fast the job.
  json created;
  {
    const MutexLock lock(task->mutex);
    created = task->head();
  }
  if (const auto begun = run(task); !begun) {
    const MutexLock lock(mutex_);
    tasks_.erase(task->id);
    if (begun.error().code == ErrorCode::kConflict)
      return mcp_busy(begun.error(), *services_.turns, round.chat);
    return std::nullopt;
  }
  created["resultType"] = "task";
  return created;
}

std::shared_ptr<McpTasks::Task> McpTasks::remembered(const std::string& id, bool elicits) {
  const auto named = read_id(id);
  if (!named) return nullptr;
  for (const McpJob* job : jobs_) {
    const auto outcome = job->recall(named->chat, named->mark);
    if (!outcome) continue;
    const TimePoint now = services_.clock.now();
    auto task =
        std::make_shared<Task>(id, *job, McpRound{json::object(), named->chat}, elicits, now);
    task->end(*outcome, now);
    return task;
  }
  return nullptr;
}

McpResult<std::shared_ptr<McpTasks::Task>> McpTasks::find(const McpCall& call) {
  if (!call.declares_tasks())
    return mcp_fail(
        kMcpMissingCapability,
        fmt::format("'{}' takes the extension '{}'", call.method, kMcpTasksExtension), 400,
        {{"requiredCapabilities", {{"extensions", {{kMcpTasksExtension, json::object()}}}}}});
  const std::string id = foreign::string_at(call.params, "taskId");
  {
    const MutexLock lock(mutex_);
    forget_old();
    const auto found = tasks_.find(id);
    if (found != tasks_.end()) return found->second;
  }
  const auto task = remembered(id, call.elicits());
  if (task == nullptr)
    return mcp_fail(kMcpInvalidParams, fmt::format("there is no task '{}'", utf8_prefix(id, 200)));
  const MutexLock lock(mutex_);
  if (tasks_.size() >= kMostTasks) return task;
  return tasks_.try_emplace(id, task).first->second;
}

McpResult<json> McpTasks::get(const McpCall& call) {
  const auto found = find(call);
  if (!found) return std::unexpected(found.error());
  const Task& task = **found;
  const MutexLock lock(task.mutex);
  json state = task.head();
  if (task.state == Task::State::kCompleted) state["result"] = task.result;
  if (task.state == Task::State::kFailed) state["error"] = task.result;
  if (task.state == Task::State::kInputRequired) state["inputRequests"] = task.forms;
  return state;
}

McpResult<json> McpTasks::update(const McpCall& call) {
  const auto found = find(call);
  if (!found) return std::unexpected(found.error());
  const json& responses = foreign::member(call.params, "inputResponses");
  if (!responses.is_object())
    return mcp_fail(kMcpInvalidParams, "'inputResponses' must be an object");
  const std::shared_ptr<Task>& task = *found;
  json forms, answers;
  {
    const MutexLock lock(task->mutex);
    if (task->state != Task::State::kInputRequired) return json::object();
    auto given = read_form_answers(responses, task->forms);
    if (!given) return std::unexpected(given.error());
    forms = task->forms;
    answers = task->answers;
    task->updated = services_.clock.now();
    for (const auto& [key, answer] : given->items()) {
      task->forms.erase(key);
      task->answers[key] = answer;
    }
    if (!task->forms.empty()) return json::object();
    task->state = Task::State::kWorking;
    task->message = kRuns;
  }
  const auto begun = run(task);
  if (begun) return json::object();
  const MutexLock lock(task->mutex);
  task->state = Task::State::kInputRequired;
  task->forms = std::move(forms);
  task->answers = std::move(answers);
  return mcp_busy(begun.error(), *services_.turns, task->chat);
}

McpResult<json> McpTasks::cancel(const McpCall& call) {
  const auto found = find(call);
  if (!found) return std::unexpected(found.error());
  if (const auto turn = (*found)->stop(services_.clock.now())) turn->cancel.cancel();
  return json::object();
}

}  // namespace precedent
