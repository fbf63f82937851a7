#include "graph/step_writer.h"

#include <iterator>

namespace precedent {
namespace {

// A store this far behind is the bottleneck: then the run waits for it.
constexpr size_t kMaxWaiting = 32;

}  // namespace

StepWriter::StepWriter(Checkpointer* checkpointer, std::string thread,
                       std::optional<CheckpointId> head, Durability durability,
                       WriteFailure on_failure)
    : checkpointer_(checkpointer),
      thread_(std::move(thread)),
      durability_(durability),
      on_failure_(on_failure),
      head_(head) {
  if (checkpointer_ == nullptr || durability_ != Durability::kAsync) return;
  try {
    writer_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    // The system gives no thread: then each step waits until it is kept.
    durability_ = Durability::kSync;
  }
}

StepWriter::~StepWriter() {
  {
    const MutexLock lock(mutex_);
    stop_ = true;
    changed_.notify_all();
  }
  if (writer_.joinable()) writer_.join();
}

Result<void> StepWriter::append(Step step) { return add({std::move(step), {}}); }
Result<void> StepWriter::append_pending(Pending pending) {
  return add({std::nullopt, std::move(pending)});
}

Result<void> StepWriter::outcome() const {
  if (!error_) return {};
  if (on_failure_ == WriteFailure::kGoOn && error_->code != ErrorCode::kConflict) return {};
  return std::unexpected(*error_);
}

Result<void> StepWriter::add(Job job) {
  if (checkpointer_ == nullptr) return {};
  if (durability_ == Durability::kSync) {
    const MutexLock writing(writing_);
    {
      const MutexLock lock(mutex_);
      if (error_) return outcome();
    }
    write(job);
    const MutexLock lock(mutex_);
    return outcome();
  }
  const MutexLock lock(mutex_);
  if (error_) return outcome();
  if (durability_ == Durability::kAsync) {
    while (jobs_.size() >= kMaxWaiting && !error_) changed_.wait(mutex_);
  } else if (job.step) {
    // What was pending is done with once its step is.
    std::erase_if(jobs_, [](const Job& held) { return !held.step; });
  }
  jobs_.push_back(std::move(job));
  changed_.notify_all();
  return outcome();
}

void StepWriter::write(const Job& job) {
  const std::optional<CheckpointId> head = this->head();
  Result<CheckpointId> written = head.value_or(0);
  if (job.step) {
    written = checkpointer_->put(thread_, head, {&*job.step, 1});
  } else if (auto kept = checkpointer_->put_pending(thread_, *written, job.pending); !kept) {
    written = std::unexpected(std::move(kept).error());
  }
  const MutexLock lock(mutex_);
  if (written) {
    head_ = *written;
  } else {
    error_ = std::move(written).error();
  }
}

// All steps in one transaction, then what is pending after the last.
void StepWriter::write_held() {
  std::vector<Step> steps;
  for (Job& job : jobs_) {
    if (job.step) steps.push_back(std::move(*job.step));
  }
  if (!steps.empty()) {
    if (auto written = checkpointer_->put(thread_, head_, steps)) {
      head_ = *written;
    } else {
      error_ = std::move(written).error();
    }
  }
  for (const Job& job : jobs_) {
    if (job.step || error_) continue;
    if (auto kept = checkpointer_->put_pending(thread_, *head_, job.pending); !kept)
      error_ = std::move(kept).error();
  }
  jobs_.clear();
}

void StepWriter::run() {
  for (;;) {
    Job job;
    {
      const MutexLock lock(mutex_);
      while (jobs_.empty() && !stop_) changed_.wait(mutex_);
      if (jobs_.empty() || error_) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
      busy_ = true;
    }
    {
      const MutexLock writing(writing_);
      write(job);
    }
    const MutexLock lock(mutex_);
    busy_ = false;
    changed_.notify_all();
    if (error_) return;
  }
}

Result<void> StepWriter::flush() {
  if (checkpointer_ == nullptr) return {};
  const MutexLock lock(mutex_);
  if (durability_ == Durability::kExit && !error_) write_held();
  while (durability_ == Durability::kAsync && !error_ && (busy_ || !jobs_.empty()))
    changed_.wait(mutex_);
  return outcome();
}

std::optional<Error> StepWriter::failure() const {
  const MutexLock lock(mutex_);
  return error_;
}

std::optional<CheckpointId> StepWriter::head() const {
  const MutexLock lock(mutex_);
  return head_;
}

}  // namespace precedent
