#include "base/compute_slots.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace precedent {
namespace {

thread_local ComputeSlots* held = nullptr;

}  // namespace

ComputeSlots& ComputeSlots::of_process() {
  static ComputeSlots slots(std::max<size_t>(4, size_t{2} * std::thread::hardware_concurrency()));
  return slots;
}

void ComputeSlots::acquire() {
  const MutexLock lock(mutex_);
  while (free_ == 0) changed_.wait(mutex_);
  --free_;
}

void ComputeSlots::release() {
  {
    const MutexLock lock(mutex_);
    ++free_;
  }
  changed_.notify_one();
}

ComputeSlot::ComputeSlot(ComputeSlots& slots) : slots_(slots) {
  slots_.acquire();
  held = &slots_;
}

ComputeSlot::~ComputeSlot() {
  held = nullptr;
  slots_.release();
}

WithoutComputeSlot::WithoutComputeSlot() : slots_(std::exchange(held, nullptr)) {
  if (slots_ != nullptr) slots_->release();
}

WithoutComputeSlot::~WithoutComputeSlot() {
  if (slots_ == nullptr) return;
  slots_->acquire();
  held = slots_;
}

}  // namespace precedent
