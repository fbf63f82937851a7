// A `Checkpointer` in memory: for tests, and for conversations that need not outlive the process.
// The plain one that the others are compared with.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>

#include "base/mutex.h"
#include "graph/checkpointer.h"

namespace precedent {

class MemoryCheckpointer : public Checkpointer {
 public:
  // Lifetime: the lease must not outlive this.
  Result<ThreadLease> lease(std::string_view thread) override;
  Result<std::optional<Head>> head(std::string_view thread) override;
  Result<std::vector<Checkpoint>> path(std::string_view thread, CheckpointId last,
                                       std::optional<CheckpointId> after) override;
  Result<CheckpointId> put(std::string_view thread, std::optional<CheckpointId> parent,
                           std::span<const Step> steps) override;
  Result<void> put_pending(std::string_view thread, CheckpointId head,
                           const Pending& pending) override;
  Result<Checkpoint> checkpoint(std::string_view thread, CheckpointId id) override;
  Result<std::vector<Checkpoint>> history(std::string_view thread,
                                          std::optional<CheckpointId> before,
                                          size_t limit) override;
  Result<void> fork(std::string_view thread, CheckpointId checkpoint, std::string_view new_thread,
                    TimePoint at) override;
  Result<void> copy(std::string_view thread, std::string_view new_thread, TimePoint at) override;
  Result<void> rewind(std::string_view thread, CheckpointId checkpoint, std::string_view left,
                      TimePoint at) override;
  Result<void> remove(std::string_view thread) override;
  Result<size_t> fold(std::string_view thread, CheckpointId first_kept, const Step& base) override;
  Result<std::vector<ThreadInfo>> threads(size_t limit, size_t offset,
                                          std::string_view prefix) override;

 private:
  struct Thread {
    Head head;
    TimePoint created;
  };

  // Newest first.
  std::vector<CheckpointId> ids_to(CheckpointId last) const REQUIRES_LOCK(mutex_);
  Result<std::vector<CheckpointId>> ids_of(std::string_view thread) const REQUIRES_LOCK(mutex_);
  // Drops what no thread reaches, and returns how many went.
  size_t sweep() REQUIRES_LOCK(mutex_);

  Mutex mutex_;
  std::map<CheckpointId, Checkpoint> checkpoints_ GUARDED_BY(mutex_);
  std::map<std::string, Thread, std::less<>> threads_ GUARDED_BY(mutex_);
  std::set<std::string, std::less<>> leased_ GUARDED_BY(mutex_);
  CheckpointId next_id_ GUARDED_BY(mutex_) = 1;
};

}  // namespace precedent
