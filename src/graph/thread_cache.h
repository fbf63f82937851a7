// Where threads stood when a run left them, with their states; the least recently used go.
//
// A position is right as long as the thread's head is its checkpoint: ids are never given out
// twice. Thread safety: all members.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "graph/any_state.h"
#include "graph/checkpoint.h"

namespace precedent {

struct Position {
  std::optional<CheckpointId> checkpoint = {};  // nothing: a thread that does not exist yet
  int step = -1;                                // of that checkpoint
  std::vector<Task> next = {};
  std::unique_ptr<AnyState> state = {};
};

class ThreadCache {
 public:
  // Takes it out, if there is one.
  std::optional<Position> take(std::string_view thread) {
    const MutexLock lock(mutex_);
    for (auto it = entries_.begin(); it != entries_.end(); ++it) {
      if (it->thread != thread) continue;
      Position position = std::move(it->position);
      entries_.erase(it);
      return position;
    }
    return std::nullopt;
  }

  void put(std::string_view thread, Position position) {
    const MutexLock lock(mutex_);
    std::erase_if(entries_, [&](const Entry& entry) { return entry.thread == thread; });
    entries_.push_front({std::string(thread), std::move(position)});
    if (entries_.size() > kMaxEntries) entries_.pop_back();
  }

 private:
  // A conversation of 200 turns takes about 0.5 MB: as many as a small server may keep at hand.
  static constexpr size_t kMaxEntries = 32;
  struct Entry {
    std::string thread;
    Position position;
  };

  Mutex mutex_;
  std::list<Entry> entries_ GUARDED_BY(mutex_);  // the last used first
};

}  // namespace precedent
