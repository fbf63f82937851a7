#include "server/threads/runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <ranges>

#include "base/foreign_json.h"
#include "server/threads/run_recorder.h"
#include "server/threads/thread_shape.h"
#include "server/turns/turn_events.h"

namespace precedent {

using nlohmann::json;

namespace {

// Runs that a client may still ask for, and threads whose last events can be read again.
constexpr size_t kMaxRuns = 64;
constexpr size_t kMaxLogs = 64;

std::string new_run_id() {
  std::random_device random;
  return fmt::format("run-{:08x}{:08x}", random(), random());
}

const char* status_of(const Reply& reply, const json& interrupt, bool cancelled) {
  if (!interrupt.is_null()) return "interrupted";
  if (reply.status != AnswerStatus::kError) return "success";
  return cancelled ? "interrupted" : "error";
}

}  // namespace

ThreadRun::ThreadRun(std::string own_id, const RunRequest& request, TimePoint now)
    : id(std::move(own_id)),
      thread(request.thread),
      modes(request.modes),
      cancel_if_left(request.cancel_if_left),
      metadata_(request.metadata),
      created_(now),
      updated_(now) {}

void ThreadRun::begin(TimePoint now) {
  const MutexLock lock(mutex_);
  status_ = "running";
  updated_ = now;
}

void ThreadRun::end(std::string status, const json& result, TimePoint now) {
  std::vector<std::function<void(const json&)>> waiting;
  {
    const MutexLock lock(mutex_);
    status_ = std::move(status);
    updated_ = now;
    result_ = result;
    waiting.swap(waiting_);
  }
  for (const auto& tell : waiting) tell(result);
}

bool ThreadRun::ended() const {
  const MutexLock lock(mutex_);
  return !result_.is_null();
}

void ThreadRun::when_ended(std::function<void(const json&)> tell) {
  json result;
  {
    const MutexLock lock(mutex_);
    if (result_.is_null()) {
      waiting_.push_back(std::move(tell));
      return;
    }
    result = result_;
  }
  tell(result);
}

json ThreadRun::document() const {
  const MutexLock lock(mutex_);
  return {{"run_id", id},
          {"thread_id", thread},
          {"assistant_id", kGraphId},
          {"status", status_},
          {"created_at", format_time(created_)},
          {"updated_at", format_time(updated_)},
          {"metadata", metadata_},
          {"multitask_strategy", "reject"}};
}

Reply Runs::answer(const RunRequest& request, ChatTurn& turn, EventSink& events) const {
  Answerer& answerer = services_.answerer;
  const Clock& clock = services_.clock;
  if (!request.question) return answerer.resume(request.options, clock, events, turn.cancel);
  return answerer.ask(*request.question, request.options, clock, events, turn.cancel);
}

void Runs::work(const std::shared_ptr<ThreadRun>& run, const RunRequest& request, ChatTurn& turn,
                const std::shared_ptr<ThreadLog>& log) const {
  using Type = ThreadEvent::Type;
  const auto add = [&](Type type, const json& data) {
    log->add({.type = type, .run = run->id, .data = dump_json(data)});
  };
  run->begin(services_.clock.now());
  add(Type::kRunStart, {{"run_id", run->id}, {"thread_id", run->thread}, {"attempt", 1}});
  if (!request.answers.is_null())
    add(Type::kAnswered, {{"interrupt_ids", json::array({request.answers})}});
  const bool kept = !request.options.thread.empty();
  Result<void> back;
  if (request.from) back = services_.threads.rewind(run->thread, *request.from);
  json before = kept ? services_.threads.values(run->thread).value_or(json()) : json();
  const size_t said = kept && before.is_object() ? before["messages"].size()
                      : request.question         ? request.question->history.size()
                                                 : 0;
  RunRecorder recorder(log, run->id, std::move(before), said + (request.question ? 1 : 0));
  TurnEvents chat(turn);
  BothSinks events(recorder, chat);
  const Reply reply =
      back ? answer(request, turn, events)
           : plain_reply(AnswerStatus::kError, back.error().text(), request.options.thread);
  json interrupt;
  if (reply.status == AnswerStatus::kNeedsInput)
    interrupt = kept ? services_.threads.interrupt(run->thread).value_or(json())
                     : interrupt_json("interrupt", reply.text);
  // The turn is over before its end is told: whoever hears of it may begin the next one.
  say_end(turn, reply);
  json result = recorder.end(reply, interrupt);
  const char* status = status_of(reply, interrupt, turn.cancel.cancelled());
  if (reply.status == AnswerStatus::kError) {
    const json error = {{"error", turn.cancel.cancelled() ? "Cancelled" : "AnswerError"},
                        {"message", error_detail(reply, turn)}};
    result = {{"__error__", error}};
    add(Type::kError, error);
  }
  // And so is the run: whoever asks for it then finds it ended.
  run->end(status, result, services_.clock.now());
  add(Type::kRunEnd, {{"run_id", run->id}, {"status", status}});
  run->all_is_told();
}

Result<std::shared_ptr<ThreadRun>> Runs::start(RunRequest request) {
  if (request.from) TRY(services_.threads.require_checkpoint(request.thread, *request.from));
  request.options.thread = request.thread;
  // All of it is written down: who reads it asks for what it wants to see.
  request.options.modes = {
      .values = true, .updates = true, .messages = true, .custom = true, .debug = true};
  if (request.thread.empty()) request.thread = new_chat_id();
  auto run = std::make_shared<ThreadRun>(new_run_id(), request, services_.clock.now());
  auto log = log_of(run->thread);
  const std::string thread = run->thread;
  log->expect_run();
  auto turn = services_.turns.start(thread, [this, run, log, request = std::move(request)](
                                                ChatTurn& own) { work(run, request, own, log); });
  if (!turn) {
    log->expect_none();
    return std::unexpected(std::move(turn).error());
  }
  run->turn = std::move(*turn);
  const MutexLock lock(mutex_);
  runs_.push_back(run);
  forget_oldest();
  return run;
}

std::shared_ptr<ThreadRun> Runs::find(const std::string& thread, const std::string& id) const {
  const MutexLock lock(mutex_);
  const auto found = std::ranges::find_if(
      runs_, [&](const auto& run) { return run->id == id && run->thread == thread; });
  return found == runs_.end() ? nullptr : *found;
}

std::vector<std::shared_ptr<ThreadRun>> Runs::of(const std::string& thread) const {
  const MutexLock lock(mutex_);
  std::vector<std::shared_ptr<ThreadRun>> all;
  for (const auto& run : std::views::reverse(runs_))
    if (run->thread == thread) all.push_back(run);
  return all;
}

void Runs::forget(const std::shared_ptr<ThreadRun>& run) {
  const MutexLock lock(mutex_);
  std::erase(runs_, run);
}

void Runs::forget_thread(const std::string& thread) {
  const MutexLock lock(mutex_);
  std::erase_if(runs_, [&](const auto& run) { return run->thread == thread; });
  const auto log = logs_.find(thread);
  if (log == logs_.end()) return;
  log->second->close();
  logs_.erase(log);
}

void Runs::forget_oldest() {
  if (runs_.size() > kMaxRuns)
    if (const auto ended =
            std::ranges::find_if(runs_, [](const auto& run) { return run->ended(); });
        ended != runs_.end())
      runs_.erase(ended);
  // One that is written or read is kept, however many there are.
  if (logs_.size() > kMaxLogs)
    std::erase_if(logs_, [](const auto& log) { return log.second.use_count() == 1; });
}

std::shared_ptr<HttpStream> Runs::stream(const std::shared_ptr<ThreadRun>& run, RunModes modes,
                                         uint64_t seen, bool cancel_if_left) {
  auto shown = std::make_shared<RunStream>(modes, run->thread);
  std::function<void()> gone;
  if (cancel_if_left) gone = [run] { run->cancel(); };
  return log_of(run->thread)
      ->read({run->id, seen, [run] { return run->told(); }, std::move(gone)},
             [shown](const ThreadEvent& event) { return shown->show(event); });
}

std::shared_ptr<ThreadLog> Runs::log_of(const std::string& thread) {
  const MutexLock lock(mutex_);
  auto& log = logs_[thread];
  if (log == nullptr) log = std::make_shared<ThreadLog>();
  return log;
}

void Runs::close() {
  const MutexLock lock(mutex_);
  for (const auto& [thread, log] : logs_) log->close();
}

}  // namespace precedent
