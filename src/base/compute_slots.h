// Compute slots: how many turns of this process compute at once, however many there are.
//
// A thousand turns that wait for a model cost little; a thousand that search and verify at the same
// time only take each other's processor, and each holds all its memory meanwhile. So a turn has a
// slot while it runs, and gives it back while it waits for a model.
//
// Thread safety: all members; a ComputeSlot and a WithoutComputeSlot belong to one thread. A thread
// that never had a slot needs none.
#pragma once

#include <cstddef>

#include "base/mutex.h"

namespace precedent {

class ComputeSlots {
 public:
  // REQUIRES: slots > 0.
  explicit ComputeSlots(size_t slots) : free_(slots) {}
  // Two a processor, at least 4: who waits for a disk or a database holds one, too.
  static ComputeSlots& of_process();

  size_t free() const {
    const MutexLock lock(mutex_);
    return free_;
  }

 private:
  friend class ComputeSlot;
  friend class WithoutComputeSlot;
  void acquire();
  void release();

  mutable Mutex mutex_;
  ConditionVariable changed_;
  size_t free_ GUARDED_BY(mutex_);
};

// This thread computes. REQUIRES: it has no slot yet.
class ComputeSlot {
 public:
  explicit ComputeSlot(ComputeSlots& slots);
  ~ComputeSlot();
  ComputeSlot(const ComputeSlot&) = delete;
  ComputeSlot& operator=(const ComputeSlot&) = delete;

 private:
  ComputeSlots& slots_;
};

// This thread waits for somebody else, and has its slot back afterwards. REQUIRES: it holds no lock
// that one with a slot may wait for.
class WithoutComputeSlot {
 public:
  WithoutComputeSlot();
  ~WithoutComputeSlot();
  WithoutComputeSlot(const WithoutComputeSlot&) = delete;
  WithoutComputeSlot& operator=(const WithoutComputeSlot&) = delete;

 private:
  ComputeSlots* const slots_;  // null: there is nothing to give back
};

}  // namespace precedent
