// SourceKeeper: syncs sources while a server runs, one at a time: those that are due, and before
// them those that somebody asked for.
//
// What is due is told by what is remembered (sync_schedule.h), which is read again before each
// sync, as another process may have done it. Errors of a sync are remembered and told; they end
// nothing. The sources may be replaced at any time. Thread safety: all members. Ownership: one
// thread of its own; borrows its parts' clock.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "sources/sources_config.h"
#include "sources/sync.h"
#include "sources/sync_state.h"

namespace precedent {

struct KeeperParts {
  std::vector<SourceConfig> sources;  // at first
  const Clock& clock;
  std::function<Result<SourceStates>()> states;
  // Syncs one and remembers how that went.
  std::function<Result<SyncReport>(const SourceConfig&, const SyncOptions&, const CancelToken&)>
      sync;
  // Told of each sync that failed or changed something, from the keeper's thread.
  std::function<void(const SourceConfig&, const Result<SyncReport>&)> told;
};

enum class SourceActivity : uint8_t { kIdle, kWaiting, kSyncing };
std::string_view name(SourceActivity activity);

struct KeptSource {
  SourceConfig config;
  SourceState state;
  SourceActivity activity = SourceActivity::kIdle;
  std::optional<TimePoint> next_at;  // of the schedule
};

class SourceKeeper {
 public:
  explicit SourceKeeper(KeeperParts parts);
  // Waits for a sync that goes on; see stop().
  ~SourceKeeper();
  // Begins to sync. REQUIRES: it was not called before.
  void start();

  // Another configuration from now on. What goes on of a source that is gone, or is now described
  // otherwise, is cancelled, which loses nothing. A source described otherwise is synced at once,
  // unless it is only synced when asked.
  void replace(std::vector<SourceConfig> sources);
  // In the order of the configuration. Errors: of what is remembered.
  Result<std::vector<KeptSource>> sources();
  // Syncs it as soon as the one that goes on has ended. Asking for one that waits already adds what
  // is asked. Errors: kNotFound naming those there are.
  Result<void> ask(const std::string& name, const SyncOptions& options);
  // Cancels what goes on, and begins nothing new. False if that has not ended when the time is up:
  // a server that answers nothing cannot be left (libgit2 waits without a limit), and then the
  // process can only go, which loses nothing.
  bool stop(std::chrono::milliseconds time);

 private:
  struct Turn {
    SourceConfig source;
    SyncOptions options;
  };
  using SteadyTime = std::chrono::steady_clock::time_point;

  void run();
  void sync_one(const Turn& turn);
  // Whose turn it is; else nothing, and how long nobody's is.
  std::optional<Turn> next_turn(const SourceStates& states, SteadyTime& until)
      REQUIRES_LOCK(mutex_);

  const KeeperParts parts_;
  CancelToken cancel_;  // of the sync that goes on
  Mutex mutex_;
  std::vector<SourceConfig> sources_ GUARDED_BY(mutex_);
  ConditionVariable changed_;
  bool stopped_ GUARDED_BY(mutex_) = false;
  bool ended_ GUARDED_BY(mutex_) = true;
  std::string running_ GUARDED_BY(mutex_);
  std::map<std::string, SyncOptions> asked_ GUARDED_BY(mutex_);
  std::map<std::string, SteadyTime> not_before_ GUARDED_BY(mutex_);
  std::jthread thread_;
};

}  // namespace precedent
