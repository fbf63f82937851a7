// Uploads: files that clients sent, from the moment they arrive to that at which they are ingested,
// given up or forgotten.
//
// Nothing of them is known to anybody before ingest(). They wait in a private folder of this
// process, below the desk's and under names of ours; it goes with the object, and what a killed
// process left goes when the next one begins. One upload is ingested at a time, by a thread of this
// class: clients read its log (turns.h), and may leave.
//
// Errors: kNotFound for unknown and forgotten ids; kConflict for what is in the way, with what to
// do; kResourceExhausted for too many; those of the desk. Thread safety: all members. Ownership:
// borrows desk and clock.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "files/files.h"
#include "server/knowledge/knowledge_desk.h"
#include "server/turns/turns.h"

namespace precedent {

struct UploadLimits {
  size_t files = 20;                // of one upload
  size_t bytes = 16 * 1024 * 1024;  // of its files together
  size_t open = 32;                 // uploads that wait at once
  std::chrono::seconds life{3600};  // after which one is forgotten
};

// Of a file that a client sends.
struct SentFile {
  std::string name;
  std::string_view bytes;
};

enum class UploadState : uint8_t { kChecked, kIngesting, kIngested, kFailed };
std::string_view name(UploadState state);

struct UploadShown {
  std::string id;
  TimePoint expires_at{};
  UploadState state = UploadState::kChecked;
  UploadReport report;
};

// What the client changes of how an upload is read.
struct UploadReading {
  std::optional<std::map<std::string, std::string>> map;
  std::optional<Kind> kind;
  std::optional<std::string> source;
};

// "incidents.csv" of what a client calls a file: the last component without control characters and
// leading dots, cut at its front. "" where nothing is left.
std::string clean_file_name(std::string_view name);
// ".csv" where files of this name can be read; "" where not.
std::string_view upload_extension(std::string_view name);

class Uploads {
 public:
  Uploads(KnowledgeDesk& desk, const Clock& clock, const UploadLimits& limits = {});
  // Cancels what is being ingested, and waits for it.
  ~Uploads();

  const UploadLimits& limits() const { return limits_; }

  // REQUIRES: names that are clean and have an extension, within the limits.
  Result<UploadShown> create(const std::vector<SentFile>& files, const UploadReading& reading);
  Result<UploadShown> find(const std::string& id);
  Result<UploadShown> read_as(const std::string& id, const UploadReading& reading);
  // The log of its ingest, which begins unless it has begun: `progress` …, then `complete` or
  // `error`. An ingest that failed begins again.
  Result<std::shared_ptr<ChatTurn>> ingest(const std::string& id);
  Result<void> remove(const std::string& id);
  // Its files, which stay where they are at least until the upload is removed or forgotten.
  Result<Upload> files(const std::string& id);

 private:
  struct Entry {
    UploadShown shown;
    Upload upload;
    std::filesystem::path folder;
    bool busy = false;  // somebody works on it without the lock
    std::shared_ptr<ChatTurn> log;
    bool begun = false;            // its ingest has all that it needs
    std::optional<Error> refused;  // why it did not begin
  };
  using EntryRef = std::shared_ptr<Entry>;

  Result<EntryRef> take(const std::string& id) REQUIRES_LOCK(mutex_);
  Result<std::filesystem::path> own_folder() REQUIRES_LOCK(mutex_);
  Result<UploadReport> store_and_check(const std::vector<SentFile>& files, Entry& entry);
  void forget_expired() REQUIRES_LOCK(mutex_);
  void work();
  void run(const EntryRef& entry);

  KnowledgeDesk& desk_;
  const Clock& clock_;
  const UploadLimits limits_;
  CancelToken cancel_;
  Mutex mutex_;
  ConditionVariable changed_;
  std::filesystem::path folder_ GUARDED_BY(mutex_);
  std::optional<FileLock> folder_lock_ GUARDED_BY(mutex_);
  std::map<std::string, EntryRef, std::less<>> entries_ GUARDED_BY(mutex_);
  EntryRef running_ GUARDED_BY(mutex_);
  bool stopped_ GUARDED_BY(mutex_) = false;
  std::jthread worker_;
};

}  // namespace precedent
