#include "server/mcp_tasks.h"

#include <fmt/format.h>

#include <random>
#include <vector>

#include "base/hash.h"
#include "base/redact.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "server/chats.h"
#include "server/mcp_answer.h"
#include "server/turn_events.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr std::chrono::hours kKept{1};
// Results are up to 100 kB.
constexpr size_t kMostTasks = 256;
constexpr int kPollMs = 500;

// What tells one question of a chat from another, whether or not a secret was taken out of it.
std::string mark_of(std::string_view question) {
  return fmt::format("{:08x}", hash64(redact(trim(question))) & 0xffffffff);
}

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
  enum class State : uint8_t { kWorking, kInputRequired, kCompleted, kCancelled };

  Task(std::string own_id, std::string of_chat, bool asks, TimePoint now)
      : id(std::move(own_id)), chat(std::move(of_chat)), elicits(asks), created(now) {
    updated = now;
  }

  const std::string id;
  const std::string chat;
  const bool elicits;
  const TimePoint created;

  mutable Mutex mutex;
  State state GUARDED_BY(mutex) = State::kWorking;
  TimePoint updated GUARDED_BY(mutex);
  std::string message GUARDED_BY(mutex) = "The question is being answered.";
  std::string question_back GUARDED_BY(mutex);
  json result GUARDED_BY(mutex);
  std::shared_ptr<ChatTurn> turn GUARDED_BY(mutex);

  bool over() const REQUIRES_LOCK(mutex) {
    return state == State::kCompleted || state == State::kCancelled;
  }

  void end(const Reply& reply, TimePoint now) {
    const MutexLock lock(mutex);
    turn.reset();
    if (over()) return;
    updated = now;
    if (elicits && asks_back(reply)) {
      state = State::kInputRequired;
      question_back = reply.text;
      message = "A question back waits for its answer.";
      return;
    }
    state = State::kCompleted;
    result = mcp_answer(reply);
    result["resultType"] = "complete";
    message = "The question is answered.";
  }

  json head() const REQUIRES_LOCK(mutex) {
    static constexpr const char* kNames[] = {"working", "input_required", "completed", "cancelled"};
    return {{"taskId", id},
            {"status", kNames[static_cast<size_t>(state)]},
            {"statusMessage", message},
            {"createdAt", format_time(created)},
            {"lastUpdatedAt", format_time(updated)},
            {"ttlMs", std::chrono::milliseconds(kKept).count()},
            {"pollIntervalMs", kPollMs}};
  }
};

McpTasks::McpTasks(const McpServices& services) : services_(services) {}
McpTasks::~McpTasks() = default;

void McpTasks::forget_old() {
  const TimePoint now = services_.clock.now();
  std::erase_if(tasks_, [&](const auto& entry) {
    const MutexLock lock(entry.second->mutex);
    return entry.second->state != Task::State::kWorking && entry.second->updated + kKept < now;
  });
}

bool McpTasks::run(const std::shared_ptr<Task>& task, const std::string& question) {
  const auto turn = services_.turns->start(task->chat, [this, task, question](ChatTurn& own) {
    TurnEvents events(own);
    AskOptions options;
    options.thread = task->chat;
    const Reply reply =
        services_.answerer.ask({question, {}}, options, services_.clock, events, own.cancel);
    task->end(reply, services_.clock.now());
    say_end(own, reply);
  });
  if (!turn) return false;
  const MutexLock lock(task->mutex);
  // It may be over by now.
  if (task->state == Task::State::kWorking) task->turn = *turn;
  return true;
}

std::optional<json> McpTasks::start(const std::string& question, const std::string& chat,
                                    bool elicits) {
  std::random_device random;
  auto task = std::make_shared<Task>(fmt::format("{}.{}.{:08x}", chat, mark_of(question), random()),
                                     chat, elicits, services_.clock.now());
  {
    const MutexLock lock(mutex_);
    forget_old();
    if (tasks_.size() >= kMostTasks) return std::nullopt;
    tasks_[task->id] = task;
  }
  // What the creation says is how things stood then, however fast the answer.
  json created;
  {
    const MutexLock lock(task->mutex);
    created = task->head();
  }
  if (!run(task, question)) {
    const MutexLock lock(mutex_);
    tasks_.erase(task->id);
    return std::nullopt;
  }
  created["resultType"] = "task";
  return created;
}

std::shared_ptr<McpTasks::Task> McpTasks::remembered(const std::string& id, bool elicits) {
  const auto named = read_id(id);
  if (!named || !services_.last_turn) return nullptr;
  const auto kept = services_.last_turn(named->chat);
  if (!kept || mark_of(kept->question) != named->mark) return nullptr;
  auto task = std::make_shared<Task>(id, named->chat, elicits, services_.clock.now());
  task->end(kept->reply, services_.clock.now());
  return task;
}

McpResult<std::shared_ptr<McpTasks::Task>> McpTasks::find(const McpCall& call) {
  if (!call.declares_tasks())
    return mcp_fail(
        kMcpMissingCapability,
        fmt::format("'{}' takes the extension '{}'", call.method, kMcpTasksExtension), 400,
        {{"requiredCapabilities", {{"extensions", {{kMcpTasksExtension, json::object()}}}}}});
  const std::string id = text_at(call.params, "taskId");
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
  if (task.state == Task::State::kInputRequired)
    state["inputRequests"] = mcp_input_requests(task.question_back);
  return state;
}

McpResult<json> McpTasks::update(const McpCall& call) {
  const auto found = find(call);
  if (!found) return std::unexpected(found.error());
  const json& responses = member(call.params, "inputResponses");
  if (!responses.is_object())
    return mcp_fail(kMcpInvalidParams, "'inputResponses' must be an object");
  const auto answer = read_form_answer(responses);
  if (!answer) return std::unexpected(answer.error());
  // What nobody asked for is left aside.
  if (!*answer) return json::object();
  const std::shared_ptr<Task>& task = *found;
  {
    const MutexLock lock(task->mutex);
    if (task->state != Task::State::kInputRequired) return json::object();
    task->updated = services_.clock.now();
    if ((*answer)->given_up) {
      task->state = Task::State::kCompleted;
      task->result =
          mcp_answer(plain_reply(AnswerStatus::kNeedsInput, task->question_back, task->chat));
      task->result["resultType"] = "complete";
      return json::object();
    }
    task->state = Task::State::kWorking;
    task->message = "The question is being answered.";
  }
  if (run(task, (*answer)->text)) return json::object();
  const MutexLock lock(task->mutex);
  task->state = Task::State::kInputRequired;
  return mcp_fail(kMcpBusy, "too many questions wait; answer again in a moment");
}

McpResult<json> McpTasks::cancel(const McpCall& call) {
  const auto found = find(call);
  if (!found) return std::unexpected(found.error());
  Task& task = **found;
  const MutexLock lock(task.mutex);
  if (task.over()) return json::object();
  task.state = Task::State::kCancelled;
  task.updated = services_.clock.now();
  task.message = "The task was cancelled.";
  if (task.turn != nullptr) task.turn->cancel.cancel();
  return json::object();
}

}  // namespace precedent
