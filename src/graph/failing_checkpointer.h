// The fake of a store that fails: a MemoryCheckpointer whose writes fail from the Nth on, as those
// of a full disk do.
//
// Thread safety: all members.
#pragma once

#include <atomic>
#include <climits>

#include "graph/memory_checkpointer.h"

namespace precedent {

class FailingCheckpointer final : public MemoryCheckpointer {
 public:
  // After so many further writes that succeed; never unless it is called.
  void fail_after(int writes, ErrorCode code = ErrorCode::kResourceExhausted) {
    code_ = code;
    left_ = writes;
  }
  void recover() { left_ = INT_MAX; }

  Result<CheckpointId> put(std::string_view thread, std::optional<CheckpointId> parent,
                           std::span<const Step> steps) override {
    TRY(pass());
    return MemoryCheckpointer::put(thread, parent, steps);
  }
  Result<void> put_pending(std::string_view thread, CheckpointId head,
                           const Pending& pending) override {
    TRY(pass());
    return MemoryCheckpointer::put_pending(thread, head, pending);
  }

 private:
  Result<void> pass() {
    if (left_-- > 0) return {};
    left_ = 0;
    return fail(code_, "the disk is full: free space");
  }
  std::atomic<int> left_{INT_MAX};
  std::atomic<ErrorCode> code_{ErrorCode::kResourceExhausted};
};

}  // namespace precedent
