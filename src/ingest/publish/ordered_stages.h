// Three stages over a stream of items: produce (one thread of its own), transform (several
// threads), consume (the calling thread, in the order of production). At most `capacity` items are
// between the first and the last.
//
// The first error of any stage stops them all and is returned; an emit() after that returns it too,
// so that a producer deep in somebody else's loop gets out. An exception of a stage becomes
// kInternal. Thread safety: transform runs for different items at once; produce and consume never
// run twice at once.
#pragma once

#include <fmt/format.h>

#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/helpers.h"
#include "base/mutex.h"

namespace precedent {

template <typename Item>
class OrderedStages {
 public:
  using Emit = std::function<Result<void>(Item&&)>;
  using Produce = std::function<Result<void>(const Emit&)>;
  using Stage = std::function<Result<void>(Item&)>;

  // REQUIRES: threads > 0, capacity > 0.
  static Result<void> run(const Produce& produce, const Stage& transform, const Stage& consume,
                          size_t threads, size_t capacity) {
    OrderedStages stages(capacity);
    std::vector<std::jthread> running = start_helpers(1, [&] { stages.produce(produce); });
    std::vector<std::jthread> transforming =
        start_helpers(threads, [&] { stages.transform(transform); });
    // Fewer transformers will do, but one of each stage there must be.
    if (running.empty() || transforming.empty()) {
      stages.stop({ErrorCode::kResourceExhausted,
                   "the system gives no more threads; end other programs, or raise the limit of "
                   "processes (ulimit -u), and run it again"});
    }
    stages.consume(consume);
    running.clear();  // joins
    transforming.clear();
    const MutexLock lock(stages.mutex_);
    if (stages.error_) return std::unexpected(std::move(*stages.error_));
    return {};
  }

 private:
  struct Slot {
    Item item;
    bool ready = false;  // transformed; guarded by mutex_
  };

  explicit OrderedStages(size_t capacity) : capacity_(capacity) {}

  template <typename Call>
  static Result<void> contained(const Call& call) {
    try {
      return call();
    } catch (const std::exception& e) {
      return fail(ErrorCode::kInternal, fmt::format("a stage of the ingest failed: {}", e.what()));
    }
  }

  void stop(Error error) {
    const MutexLock lock(mutex_);
    if (!error_) error_ = std::move(error);
    changed_.notify_all();
  }

  void produce(const Produce& produce) {
    const Emit emit = [this](Item&& item) -> Result<void> {
      auto slot = std::make_shared<Slot>(Slot{std::move(item)});
      const MutexLock lock(mutex_);
      while (!error_ && order_.size() >= capacity_) changed_.wait(mutex_);
      if (error_) return std::unexpected(*error_);
      order_.push_back(slot);
      waiting_.push_back(std::move(slot));
      changed_.notify_all();
      return {};
    };
    if (auto done = contained([&] { return produce(emit); }); !done) stop(std::move(done).error());
    const MutexLock lock(mutex_);
    produced_all_ = true;
    changed_.notify_all();
  }

  void transform(const Stage& transform) {
    for (;;) {
      std::shared_ptr<Slot> slot;
      {
        const MutexLock lock(mutex_);
        while (!error_ && waiting_.empty() && !produced_all_) changed_.wait(mutex_);
        if (error_ || waiting_.empty()) return;
        slot = std::move(waiting_.front());
        waiting_.pop_front();
      }
      if (auto done = contained([&] { return transform(slot->item); }); !done)
        return stop(std::move(done).error());
      const MutexLock lock(mutex_);
      slot->ready = true;
      changed_.notify_all();
    }
  }

  void consume(const Stage& consume) {
    for (;;) {
      std::shared_ptr<Slot> slot;
      {
        const MutexLock lock(mutex_);
        while (!error_ && (order_.empty() ? !produced_all_ : !order_.front()->ready))
          changed_.wait(mutex_);
        if (error_ || order_.empty()) return;
        slot = std::move(order_.front());
        order_.pop_front();
        changed_.notify_all();
      }
      if (auto done = contained([&] { return consume(slot->item); }); !done)
        return stop(std::move(done).error());
    }
  }

  const size_t capacity_;
  Mutex mutex_;
  ConditionVariable changed_;
  std::deque<std::shared_ptr<Slot>> order_ GUARDED_BY(mutex_);  // produced, not yet consumed
  std::deque<std::shared_ptr<Slot>> waiting_
      GUARDED_BY(mutex_);  // produced, not yet taken by a transformer
  bool produced_all_ GUARDED_BY(mutex_) = false;
  std::optional<Error> error_ GUARDED_BY(mutex_);
};

}  // namespace precedent
