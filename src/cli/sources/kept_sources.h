// KeptSources: the sources of sources.yaml, kept current while a server runs, and its SourceDesk.
//
// Thread safety: all members; refresh() from one thread at a time. Ownership: owns its keeper and
// what that works with.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/mutex.h"
#include "cli/sources/source_world.h"
#include "cli/sources/sources_file.h"
#include "server/knowledge/source_desk.h"
#include "server/server.h"
#include "sources/folder_watch.h"
#include "sources/source_keeper.h"

namespace precedent {

class KeptSources final : public SourceDesk {
 public:
  struct Events {
    std::function<void()> changed;                      // what is known has changed
    std::function<void(const std::string& line)> tell;  // what went wrong, for who runs the server
  };
  // `named`: as for find_config_file(). Errors: those of SourcesFile::open().
  static Result<std::unique_ptr<KeptSources>> open(const std::string& named,
                                                   const std::filesystem::path& data_dir,
                                                   Events events);

  // Waits for a sync that goes on; see stop().
  ~KeptSources() override { stop(std::chrono::hours(24)); }
  KeptSources(const KeptSources&) = delete;
  // Begins to sync what is due.
  void start();
  // Follows sources.yaml: to be called every second or so (SourcesFile).
  void refresh();

  Result<std::vector<SourceShown>> sources() override;
  std::string problem() override;
  Result<void> sync(const std::string& name, const SyncWish& wish) override;

  // There is no source, and nothing is wrong.
  bool empty();
  // Never unready: a server with old documents answers all the same.
  ReadinessPart readiness();
  // As SourceKeeper::stop().
  bool stop(std::chrono::milliseconds time);

 private:
  KeptSources(std::filesystem::path data_dir, SourcesFile file, Events events);
  void told(const SourceConfig& source, const Result<SyncReport>& report) const;
  // Before each sync, so that no change falls between.
  void watch(const SourceConfig& source);
  // What replaced `before`, to who runs the server.
  void tell_changes(const std::vector<SourceConfig>& before) const;

  const std::filesystem::path data_dir_;
  const Events events_;
  const SystemClock clock_;
  CancelToken cancel_;
  SourceSurroundings surroundings_;  // of the keeper's thread
  SourcesFile file_;                 // of who calls refresh()
  Mutex mutex_;
  std::map<std::string, std::string> unwatched_ GUARDED_BY(mutex_);  // name → why
  std::string problem_ GUARDED_BY(mutex_);
  bool has_sources_ GUARDED_BY(mutex_) = false;
  SourceKeeper keeper_;
  // Asks the keeper. Made for the first folder that is watched, and then there to stay.
  std::unique_ptr<FolderWatch> watch_ GUARDED_BY(mutex_);
};

}  // namespace precedent
