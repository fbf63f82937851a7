// The `SourceDesk` seam: where documents keep coming from, and who asks for a sync. The command
// line's KeptSources is one; a server without sources has none.
//
// Thread safety: all members. Ownership: outlives the server.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/time.h"

namespace precedent {

struct SourceShown {
  std::string name;
  std::string type;      // "folder", "git" …
  std::string activity;  // "idle", "waiting", "syncing"
  size_t documents = 0;
  std::optional<TimePoint> synced_at, swept_at, failed_at;
  std::optional<TimePoint> next_at;  // of the schedule; nothing: only when asked
  std::chrono::seconds every{0};     // 0: only when asked
  // Why the last sync failed; "" if it did not. With `notes` for who may change sources.
  std::string error;
  std::vector<std::string> notes;

  bool stale() const { return !error.empty() || !synced_at; }
};

struct SyncWish {
  bool full = false;  // look at everything again
  bool yes = false;   // remove however much vanished
};

class SourceDesk {
 public:
  virtual ~SourceDesk() = default;
  virtual Result<std::vector<SourceShown>> sources() = 0;
  // Why the configuration as it is now is not in force; "" if it is. For who may change sources.
  virtual std::string problem() = 0;
  // As soon as the sync that goes on has ended. Errors: kNotFound naming those there are.
  virtual Result<void> sync(const std::string& name, const SyncWish& wish) = 0;
};

}  // namespace precedent
