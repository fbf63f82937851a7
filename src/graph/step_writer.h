// Gives the steps of one run to the checkpointer: at once, behind the run's back, or at its end.
//
// Thread safety: all members. Ownership: borrows the checkpointer; of `async` it owns the thread
// that writes, which ends with the object.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "graph/checkpointer.h"

namespace precedent {

// What a crash may cost.
enum class Durability {
  kSync,   // nothing that was finished: a step is kept before the next one begins
  kAsync,  // the steps still on their way: kept while the next one runs
  kExit,   // the whole run: kept when it ends, with an answer, a question or an error
};

// What a write that fails means for the run, unless it is a conflict: who lost the thread to
// somebody else always stops.
enum class WriteFailure {
  kStop,  // its error is the run's
  kGoOn,  // the run ends unkept: nothing more of it is written, what was kept stays
};

class StepWriter {
 public:
  // Without a checkpointer everything is accepted and nothing kept. `head`: where the thread
  // stands, or nothing if it is new.
  StepWriter(Checkpointer* checkpointer, std::string thread, std::optional<CheckpointId> head,
             Durability durability, WriteFailure on_failure);
  ~StepWriter();
  StepWriter(const StepWriter&) = delete;
  StepWriter& operator=(const StepWriter&) = delete;

  // Errors: those of the checkpointer that stop the run; behind its back, those of an earlier step.
  Result<void> append(Step step);
  Result<void> append_pending(Pending pending);
  // Waits until everything is kept. After an error nothing more is written.
  Result<void> flush();

  // Where the thread stands, as far as it has been written.
  std::optional<CheckpointId> head() const;
  // Why nothing is written any more.
  std::optional<Error> failure() const;

 private:
  struct Job {
    std::optional<Step> step;  // else pending
    Pending pending;
  };
  Result<void> add(Job job);
  void write(const Job& job) REQUIRES_LOCK(writing_);
  void write_held() REQUIRES_LOCK(mutex_);
  void run();
  Result<void> outcome() const REQUIRES_LOCK(mutex_);

  Checkpointer* const checkpointer_;
  const std::string thread_;
  Durability durability_;  // kAsync becomes kSync where no thread can be started
  const WriteFailure on_failure_;

  Mutex writing_;  // one write at a time; taken before mutex_
  mutable Mutex mutex_;
  ConditionVariable changed_;
  std::optional<CheckpointId> head_ GUARDED_BY(mutex_);
  std::deque<Job> jobs_ GUARDED_BY(mutex_);
  bool busy_ GUARDED_BY(mutex_) = false;
  bool stop_ GUARDED_BY(mutex_) = false;
  std::optional<Error> error_ GUARDED_BY(mutex_);
  std::thread writer_;
};

}  // namespace precedent
