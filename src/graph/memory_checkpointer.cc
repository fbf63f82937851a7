#include "graph/memory_checkpointer.h"

#include <algorithm>
#include <set>
#include <utility>

#include "graph/checkpoint_errors.h"

namespace precedent {

namespace errors = checkpoint_errors;

std::vector<CheckpointId> MemoryCheckpointer::ids_to(CheckpointId last) const {
  std::vector<CheckpointId> ids;
  for (std::optional<CheckpointId> id = last; id; id = checkpoints_.at(*id).parent)
    ids.push_back(*id);
  return ids;
}

Result<std::vector<CheckpointId>> MemoryCheckpointer::ids_of(std::string_view thread) const {
  const auto found = threads_.find(thread);
  if (found == threads_.end()) return errors::no_thread(thread);
  return ids_to(found->second.head.checkpoint);
}

Result<ThreadLease> MemoryCheckpointer::lease(std::string_view thread) {
  const MutexLock lock(mutex_);
  if (!leased_.emplace(thread).second) return errors::busy(thread);
  return ThreadLease(nullptr, [this, name = std::string(thread)](void*) {
    const MutexLock giving_up(mutex_);
    leased_.erase(name);
  });
}

Result<std::optional<Head>> MemoryCheckpointer::head(std::string_view thread) {
  const MutexLock lock(mutex_);
  const auto found = threads_.find(thread);
  if (found == threads_.end()) return std::nullopt;
  return found->second.head;
}

Result<std::vector<Checkpoint>> MemoryCheckpointer::path(std::string_view thread, CheckpointId last,
                                                         std::optional<CheckpointId> after) {
  const MutexLock lock(mutex_);
  if (!checkpoints_.contains(last)) return errors::missing(thread, last);
  std::vector<Checkpoint> path;
  for (const CheckpointId id : ids_to(last)) {
    if (id == after) break;
    path.push_back(checkpoints_.at(id));
  }
  std::ranges::reverse(path);
  return path;
}

Result<CheckpointId> MemoryCheckpointer::put(std::string_view thread,
                                             std::optional<CheckpointId> parent,
                                             std::span<const Step> steps) {
  const MutexLock lock(mutex_);
  const auto found = threads_.find(thread);
  const bool fresh = found == threads_.end();
  if (fresh != !parent || (parent && found->second.head.checkpoint != *parent))
    return errors::moved(thread, parent);
  for (const Step& step : steps) {
    const CheckpointId id = next_id_++;
    checkpoints_[id] = {id, parent, std::string(thread), step};
    parent = id;
  }
  if (fresh) {
    threads_[std::string(thread)] = {{*parent, {}}, steps.front().at};
  } else {
    found->second.head = {*parent, {}};
  }
  return *parent;
}

Result<void> MemoryCheckpointer::put_pending(std::string_view thread, CheckpointId head,
                                             const Pending& pending) {
  const MutexLock lock(mutex_);
  const auto found = threads_.find(thread);
  if (found == threads_.end() || found->second.head.checkpoint != head)
    return errors::moved(thread, head);
  auto& all = found->second.head.pending;
  std::erase_if(all, [&](const Pending& old) { return old.task == pending.task; });
  all.insert(std::ranges::upper_bound(all, pending.task, {}, &Pending::task), pending);
  return {};
}

Result<Checkpoint> MemoryCheckpointer::checkpoint(std::string_view thread, CheckpointId id) {
  const MutexLock lock(mutex_);
  const auto ids = TRY(ids_of(thread));
  if (std::ranges::find(ids, id) == ids.end()) return errors::not_on_path(thread, id);
  return checkpoints_.at(id);
}

Result<std::vector<Checkpoint>> MemoryCheckpointer::history(std::string_view thread,
                                                            std::optional<CheckpointId> before,
                                                            size_t limit) {
  const MutexLock lock(mutex_);
  const auto ids = TRY(ids_of(thread));
  auto at = ids.begin();
  if (before) {
    at = std::ranges::find(ids, *before);
    if (at == ids.end()) return errors::not_on_path(thread, *before);
    ++at;
  }
  std::vector<Checkpoint> found;
  for (; at != ids.end() && found.size() < limit; ++at) found.push_back(checkpoints_.at(*at));
  return found;
}

Result<void> MemoryCheckpointer::fork(std::string_view thread, CheckpointId checkpoint,
                                      std::string_view new_thread, TimePoint at) {
  const MutexLock lock(mutex_);
  const auto ids = TRY(ids_of(thread));
  if (std::ranges::find(ids, checkpoint) == ids.end())
    return errors::not_on_path(thread, checkpoint);
  if (threads_.contains(new_thread)) return errors::taken(new_thread);
  threads_[std::string(new_thread)] = {{checkpoint, {}}, at};
  return {};
}

Result<void> MemoryCheckpointer::copy(std::string_view thread, std::string_view new_thread,
                                      TimePoint at) {
  const MutexLock lock(mutex_);
  const auto found = threads_.find(thread);
  if (found == threads_.end()) return errors::no_thread(thread);
  if (threads_.contains(new_thread)) return errors::taken(new_thread);
  threads_[std::string(new_thread)] = {found->second.head, at};
  return {};
}

Result<void> MemoryCheckpointer::rewind(std::string_view thread, CheckpointId checkpoint,
                                        std::string_view left, TimePoint at) {
  const MutexLock lock(mutex_);
  const auto ids = TRY(ids_of(thread));
  if (std::ranges::find(ids, checkpoint) == ids.end())
    return errors::not_on_path(thread, checkpoint);
  if (threads_.contains(left)) return errors::taken(left);
  Head& head = threads_.find(thread)->second.head;
  Head stood = std::exchange(head, {checkpoint, {}});
  threads_[std::string(left)] = {std::move(stood), at};
  return {};
}

Result<void> MemoryCheckpointer::remove(std::string_view thread) {
  const MutexLock lock(mutex_);
  const auto found = threads_.find(thread);
  if (found == threads_.end()) return errors::no_thread(thread);
  threads_.erase(found);
  sweep();
  return {};
}

Result<size_t> MemoryCheckpointer::fold(std::string_view thread, CheckpointId first_kept,
                                        const Step& base) {
  const MutexLock lock(mutex_);
  const auto ids = TRY(ids_of(thread));
  if (std::ranges::find(ids, first_kept) == ids.end())
    return errors::not_on_path(thread, first_kept);
  for (const auto& [name, other] : threads_) {
    if (name == thread) continue;
    const auto theirs = ids_to(other.head.checkpoint);
    if (std::ranges::find(theirs, first_kept) != theirs.end()) return 0;
  }
  Checkpoint& kept = checkpoints_.at(first_kept);
  if (!kept.parent) return 0;
  const CheckpointId id = next_id_++;
  checkpoints_[id] = {id, std::nullopt, std::string(thread), base};
  kept.parent = id;
  return sweep();
}

size_t MemoryCheckpointer::sweep() {
  std::set<CheckpointId> reached;
  for (const auto& [name, thread] : threads_) {
    for (const CheckpointId id : ids_to(thread.head.checkpoint)) reached.insert(id);
  }
  return std::erase_if(checkpoints_,
                       [&](const auto& entry) { return !reached.contains(entry.first); });
}

Result<std::vector<ThreadInfo>> MemoryCheckpointer::threads(size_t limit, size_t offset,
                                                            std::string_view prefix) {
  const MutexLock lock(mutex_);
  std::vector<ThreadInfo> all;
  for (const auto& [name, thread] : threads_) {
    if (!name.starts_with(prefix)) continue;
    const Step& step = checkpoints_.at(thread.head.checkpoint).step;
    all.push_back({name, thread.head.checkpoint, thread.created, step.at, step.step});
  }
  // By head, newest first; forks that stand at the same checkpoint by name.
  std::ranges::stable_sort(all, std::ranges::greater(), &ThreadInfo::head);
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(offset, all.size())));
  all.resize(std::min(limit, all.size()));
  return all;
}

}  // namespace precedent
