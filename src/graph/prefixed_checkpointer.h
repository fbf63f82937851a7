// PrefixedCheckpointer: the threads whose names begin with a prefix, under their names without it.
//
// Whoever has one reaches no other threads: their ids are not there. Errors name threads without
// the prefix, too. Thread safety: as the checkpointer behind. Lifetime: that one outlives it.
#pragma once

#include <string>

#include "graph/checkpointer.h"

namespace precedent {

class PrefixedCheckpointer final : public Checkpointer {
 public:
  PrefixedCheckpointer(Checkpointer& behind, std::string prefix)
      : behind_(behind), prefix_(std::move(prefix)) {}

  Result<ThreadLease> lease(std::string_view thread) override {
    return named(behind_.lease(whole(thread)));
  }
  Result<std::optional<Head>> head(std::string_view thread) override {
    return named(behind_.head(whole(thread)));
  }
  Result<std::vector<Checkpoint>> path(std::string_view thread, CheckpointId last,
                                       std::optional<CheckpointId> after) override {
    return mine(behind_.path(whole(thread), last, after));
  }
  Result<CheckpointId> put(std::string_view thread, std::optional<CheckpointId> parent,
                           std::span<const Step> steps) override {
    return named(behind_.put(whole(thread), parent, steps));
  }
  Result<void> put_pending(std::string_view thread, CheckpointId head,
                           const Pending& pending) override {
    return named(behind_.put_pending(whole(thread), head, pending));
  }
  Result<Checkpoint> checkpoint(std::string_view thread, CheckpointId id) override {
    Checkpoint found = TRY(named(behind_.checkpoint(whole(thread), id)));
    strip(found.thread);
    return found;
  }
  Result<std::vector<Checkpoint>> history(std::string_view thread,
                                          std::optional<CheckpointId> before,
                                          size_t limit) override {
    return mine(behind_.history(whole(thread), before, limit));
  }
  Result<void> fork(std::string_view thread, CheckpointId checkpoint, std::string_view new_thread,
                    TimePoint at) override {
    return named(behind_.fork(whole(thread), checkpoint, whole(new_thread), at));
  }
  Result<void> copy(std::string_view thread, std::string_view new_thread, TimePoint at) override {
    return named(behind_.copy(whole(thread), whole(new_thread), at));
  }
  Result<void> rewind(std::string_view thread, CheckpointId checkpoint, std::string_view left,
                      TimePoint at) override {
    return named(behind_.rewind(whole(thread), checkpoint, whole(left), at));
  }
  Result<void> remove(std::string_view thread) override {
    return named(behind_.remove(whole(thread)));
  }
  Result<size_t> fold(std::string_view thread, CheckpointId first_kept, const Step& base) override {
    return named(behind_.fold(whole(thread), first_kept, base));
  }
  Result<std::vector<ThreadInfo>> threads(size_t limit, size_t offset,
                                          std::string_view prefix) override;

 private:
  std::string whole(std::string_view thread) const { return prefix_ + std::string(thread); }
  void strip(std::string& thread) const {
    if (thread.starts_with(prefix_)) thread.erase(0, prefix_.size());
  }
  Result<std::vector<Checkpoint>> mine(Result<std::vector<Checkpoint>> found) const;
  void take_prefix_out(std::string& message) const;
  template <typename T>
  Result<T> named(Result<T> result) const {
    if (!result) take_prefix_out(result.error().message);
    return result;
  }

  Checkpointer& behind_;
  const std::string prefix_;
};

}  // namespace precedent
