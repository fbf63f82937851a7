// Runs: turns of threads, begun by clients of the LangGraph server API.
//
// A run is a turn of its chat on the pool of all turns (turns.h), one at a time in a thread; it is
// written into the log of the thread, from which any client reads in its own shape, and into the
// turn's, so that a chat's own clients can follow it, too. The last runs are remembered, in memory.
//
// Thread safety: all members. Ownership: borrows its services; runs belong to the table, and to
// whoever holds one.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "agent/turn/question.h"
#include "base/mutex.h"
#include "server/threads/run_stream.h"
#include "server/threads/thread_log.h"
#include "server/threads/threads.h"
#include "server/turns/answerer.h"
#include "server/turns/turns.h"

namespace precedent {

struct RunRequest {
  std::string thread;  // "": nothing is kept
  // Nothing: the turn that was cut off is finished.
  std::optional<Question> question;
  AskOptions options;
  std::optional<CheckpointId> from;  // goes back there first
  nlohmann::json metadata = nlohmann::json::object();
  nlohmann::json answers = nlohmann::json();  // the id of the interrupt that is answered
  RunModes modes;
  bool cancel_if_left = false;  // by the client that streams it
};

class ThreadRun {
 public:
  ThreadRun(std::string own_id, const RunRequest& request, TimePoint now);

  const std::string id;
  const std::string thread;
  const RunModes modes;
  const bool cancel_if_left;

  void begin(TimePoint now);
  // `result`: the last values, or {"__error__": {error, message}}.
  void end(std::string status, const nlohmann::json& result, TimePoint now);
  bool ended() const;
  // Its end stands in the log of its thread, after which nothing of it comes.
  void all_is_told() { told_ = true; }
  bool told() const { return told_; }
  // Calls back with the result, at once if it is there.
  void when_ended(std::function<void(const nlohmann::json& result)> tell);
  // {run_id, thread_id, assistant_id, status, created_at, updated_at, metadata, …}.
  nlohmann::json document() const;
  void cancel() const { turn->cancel.cancel(); }

  std::shared_ptr<ChatTurn> turn;  // set once, before anybody finds the run

 private:
  const nlohmann::json metadata_;
  const TimePoint created_;
  std::atomic<bool> told_{false};
  mutable Mutex mutex_;
  std::string status_ GUARDED_BY(mutex_) = "pending";
  TimePoint updated_ GUARDED_BY(mutex_);
  nlohmann::json result_ GUARDED_BY(mutex_);
  std::vector<std::function<void(const nlohmann::json&)>> waiting_ GUARDED_BY(mutex_);
};

struct RunServices {
  Answerer& answerer;
  const Threads& threads;
  Turns& turns;
  const Clock& clock;
};

class Runs {
 public:
  explicit Runs(const RunServices& services) : services_(services) {}

  // Errors: kNotFound for the checkpoint; those of Turns::start.
  Result<std::shared_ptr<ThreadRun>> start(RunRequest request);
  // Null: there is none, or none any more.
  std::shared_ptr<ThreadRun> find(const std::string& thread, const std::string& id) const;
  // The newest first.
  std::vector<std::shared_ptr<ThreadRun>> of(const std::string& thread) const;
  void forget(const std::shared_ptr<ThreadRun>& run);
  // All of a thread that is gone.
  void forget_thread(const std::string& thread);

  // As the modes show it, to the run's end; from behind the event of this number.
  std::shared_ptr<HttpStream> stream(const std::shared_ptr<ThreadRun>& run, RunModes modes,
                                     uint64_t seen, bool cancel_if_left);
  // The log of a thread; one is made if there is none.
  std::shared_ptr<ThreadLog> log_of(const std::string& thread);
  // Ends the streams of all threads.
  void close();

 private:
  void work(const std::shared_ptr<ThreadRun>& run, const RunRequest& request, ChatTurn& turn,
            const std::shared_ptr<ThreadLog>& log) const;
  Reply answer(const RunRequest& request, ChatTurn& turn, EventSink& events) const;
  void forget_oldest() REQUIRES_LOCK(mutex_);

  const RunServices services_;
  mutable Mutex mutex_;
  std::deque<std::shared_ptr<ThreadRun>> runs_ GUARDED_BY(mutex_);  // oldest first
  std::map<std::string, std::shared_ptr<ThreadLog>> logs_ GUARDED_BY(mutex_);
};

}  // namespace precedent
