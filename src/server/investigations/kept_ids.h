// KeptIds: ids that were seen, each with a short text, also by an earlier run of the program.
//
// For messages that are sent again and keys that are used again. Ids are kept as hashes, in a file
// of JSON lines to which each new one is appended, and which is written anew (atomically) once most
// of it is out of date. The oldest go first. Lines that cannot be read are left out, with a
// warning; a file that cannot be written costs only what a restart would have remembered.
// Format: docs/format/investigations.md.
//
// Thread safety: all members. Ownership: borrows the clock.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/mutex.h"

namespace precedent {

using WarnOf = std::function<void(const std::string& warning)>;

class KeptIds {
 public:
  struct Limits {
    // Longer than any vendor sends a message again: PagerDuty does for two days.
    std::chrono::hours age{72};
    size_t number = 20'000;
  };
  // `file` is made with the first id; "": ids are kept in memory alone.
  KeptIds(std::filesystem::path file, const Clock& clock, const Limits& limits, WarnOf warn);

  // What was added with it; nothing: it is not known, or no longer.
  std::optional<std::string> find(std::string_view id) const;
  // A second time: the new text counts.
  void add(std::string_view id, std::string_view text);

 private:
  struct Kept {
    TimePoint at;
    std::string hash, text;
  };
  using Order = std::list<Kept>;

  void load() REQUIRES_LOCK(mutex_);
  void insert(Kept kept) REQUIRES_LOCK(mutex_);
  void forget_old() REQUIRES_LOCK(mutex_);
  void rewrite() REQUIRES_LOCK(mutex_);
  void warn_once(const std::string& warning) REQUIRES_LOCK(mutex_);

  const std::filesystem::path file_;
  const Clock& clock_;
  const Limits limits_;
  const WarnOf warn_;
  mutable Mutex mutex_;
  Order order_ GUARDED_BY(mutex_);  // the oldest first
  std::map<std::string, Order::iterator, std::less<>> by_hash_ GUARDED_BY(mutex_);
  size_t lines_ GUARDED_BY(mutex_) = 0;  // of the file
  bool warned_ GUARDED_BY(mutex_) = false;
};

}  // namespace precedent
