#include "server/threads/thread_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace precedent {
namespace {

int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

// One client's place in a log.
class ThreadReader final : public HttpStream {
 public:
  ThreadReader(std::shared_ptr<ThreadLog> log, ThreadLog::RunReader run, uint64_t next,
               ThreadLog::Show show)
      : log_(std::move(log)), run_(std::move(run)), next_(next), show_(std::move(show)) {}
  ~ThreadReader() override {
    ThreadReader::wake_with({});
    if (!ended_ && run_.gone) run_.gone();
  }

  State next(std::string& piece) override {
    constexpr size_t kMaxPiece = 64 * 1024;
    // Asked before the events are looked at: a run says its last event before it is over.
    const bool over = log_->closed() || (run_.over && run_.over());
    while (piece.size() < kMaxPiece && !ended_) {
      const auto event = log_->from(next_);
      if (event == nullptr) break;
      next_ = event->number + 1;
      if (!run_.run.empty() && event->run != run_.run) continue;
      // Made without a lock: nobody who writes waits for it.
      const std::string shown = show_(*event);
      if (event->number > run_.seen) piece += shown;
      ended_ = !run_.run.empty() && event->type == ThreadEvent::Type::kRunEnd;
    }
    if (!piece.empty()) return State::kPiece;
    ended_ = ended_ || over;
    return ended_ ? State::kDone : State::kWaiting;
  }
  void wake_with(std::function<void()> wake) override {
    const MutexLock lock(log_->mutex_);
    if (wake) {
      log_->waiting_[this] = std::move(wake);
    } else {
      log_->waiting_.erase(this);
    }
  }

 private:
  const std::shared_ptr<ThreadLog> log_;
  const ThreadLog::RunReader run_;
  uint64_t next_;
  const ThreadLog::Show show_;
  bool ended_ = false;
};

ThreadLog::ThreadLog() : next_(static_cast<uint64_t>(now_ms())) {}

std::shared_ptr<const ThreadEvent> ThreadLog::from(uint64_t number) const {
  const MutexLock lock(mutex_);
  const auto at = std::ranges::lower_bound(events_, number, {},
                                           [](const auto& event) { return event->number; });
  return at == events_.end() ? nullptr : *at;
}

bool ThreadLog::closed() const {
  const MutexLock lock(mutex_);
  return closed_;
}

void ThreadLog::add(ThreadEvent event) {
  {
    const MutexLock lock(mutex_);
    event.number = next_++;
    event.at_ms = now_ms();
    if (event.type == ThreadEvent::Type::kRunStart) {
      // What came before the run before this one.
      while (!events_.empty() && events_.front()->number < last_start_) events_.pop_front();
      last_start_ = event.number;
      expected_ = 0;
    }
    events_.push_back(std::make_shared<const ThreadEvent>(std::move(event)));
  }
  wake_all();
}

void ThreadLog::expect_run() {
  const MutexLock lock(mutex_);
  expected_ = next_;
}

void ThreadLog::expect_none() {
  const MutexLock lock(mutex_);
  expected_ = 0;
}

void ThreadLog::close() {
  {
    const MutexLock lock(mutex_);
    closed_ = true;
  }
  wake_all();
}

void ThreadLog::wake_all() {
  std::vector<std::function<void()>> wakes;
  {
    const MutexLock lock(mutex_);
    for (const auto& [reader, wake] : waiting_) wakes.push_back(wake);
  }
  for (const auto& wake : wakes) wake();
}

std::shared_ptr<HttpStream> ThreadLog::read(RunReader reader, Show show) {
  return std::make_shared<ThreadReader>(shared_from_this(), std::move(reader), 0, std::move(show));
}

std::shared_ptr<HttpStream> ThreadLog::follow(uint64_t since, Show show) {
  uint64_t next = 0;
  {
    const MutexLock lock(mutex_);
    // A number that was not given yet is of another server's time.
    const uint64_t last = expected_ > 0 ? expected_ : last_start_;
    next = since > 0 && since < next_ ? since + 1 : last;
  }
  return std::make_shared<ThreadReader>(shared_from_this(), RunReader{}, next, std::move(show));
}

std::string sse_frame(const std::string& id, std::string_view event, std::string_view data) {
  return fmt::format("id: {}\nevent: {}\ndata: {}\n\n", id, event, data);
}

}  // namespace precedent
