// Asking a long call to stop: a flag that signals and other threads may set.
//
// Thread safety: all members. Lifetime: the token outlives every call that it was given to.
#pragma once

#include <atomic>

#include "base/error.h"

namespace precedent {

class CancelToken {
 public:
  // Async-signal-safe.
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  // For the next call. REQUIRES: none that was given the token still runs.
  void reset() { cancelled_.store(false, std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
  // An error of code kCancelled once cancelled.
  Result<void> check() const {
    if (cancelled()) return fail(ErrorCode::kCancelled, "cancelled");
    return {};
  }

 private:
  std::atomic<bool> cancelled_{false};
};

}  // namespace precedent
