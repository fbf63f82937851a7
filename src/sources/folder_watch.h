// FolderWatch: tells when something below a folder has changed, and has come to rest (inotify).
//
// A change is told once nothing followed it for a moment, or at the latest after a few seconds, so
// that a checkout of a thousand files is one change. New folders are watched as they appear;
// hidden ones, which are not read, are not. What happens on another machine's side of a network
// file system is not seen: a schedule goes on beside it.
//
// Errors: kUnavailable with the reason and the remedy where the system watches no more;
// kResourceExhausted above kMaxWatchedFolders. Thread safety: all members. Ownership: one thread of
// its own, from which the callbacks come.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <thread>

#include "base/error.h"
#include "base/mutex.h"

namespace precedent {

// Of one source: each costs the kernel a kilobyte.
inline constexpr size_t kMaxWatchedFolders = 20'000;

class FolderWatch {
 public:
  struct Pace {
    std::chrono::milliseconds quiet{500};      // nothing follows for so long
    std::chrono::milliseconds longest{5'000};  // and something always does
  };
  // `changed` gets the name of the folder.
  explicit FolderWatch(std::function<void(const std::string& name)> changed)
      : FolderWatch(std::move(changed), Pace()) {}
  FolderWatch(std::function<void(const std::string& name)> changed, Pace pace);
  ~FolderWatch();
  FolderWatch(const FolderWatch&) = delete;

  // Watches the folder, unless it does already; another one of the same name no longer. After an
  // error, and where a folder vanished, it is not watched, and this may be called again.
  Result<void> watch(const std::string& name, const std::filesystem::path& folder);
  // Watches it no longer. What changed before may still be told.
  void leave(const std::string& name);

 private:
  using Time = std::chrono::steady_clock::time_point;
  struct Watched {
    std::string name;
    std::filesystem::path folder;
    bool is_root = false;
  };
  struct Change {
    Time first, last;
  };

  void run();
  // All events that wait.
  void read_events();
  void take(const Watched& at, uint32_t mask, const std::string& file) REQUIRES_LOCK(mutex_);
  Result<void> add(const std::string& name, const std::filesystem::path& folder, bool is_root)
      REQUIRES_LOCK(mutex_);
  void forget(const std::string& name) REQUIRES_LOCK(mutex_);
  void note(const std::string& name) REQUIRES_LOCK(mutex_);
  // Tells what is due; how long nothing is.
  std::chrono::milliseconds tell();

  const std::function<void(const std::string&)> changed_;
  const Pace pace_;
  int events_ = -1;  // of inotify
  int wake_ = -1;
  Mutex mutex_;
  bool stopped_ GUARDED_BY(mutex_) = false;
  std::map<int, Watched> watched_ GUARDED_BY(mutex_);         // by the kernel's number
  std::map<std::string, size_t> folders_ GUARDED_BY(mutex_);  // by name
  std::map<std::string, std::filesystem::path> roots_ GUARDED_BY(mutex_);
  std::map<std::string, Change> changes_ GUARDED_BY(mutex_);
  std::jthread thread_;
};

}  // namespace precedent
