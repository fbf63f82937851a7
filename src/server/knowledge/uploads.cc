#include "server/knowledge/uploads.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <random>
#include <system_error>
#include <utility>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "server/http/multipart.h"
#include "server/knowledge/upload_shape.h"
#include "server/turns/progress_events.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// How often uploads that nobody asks for are looked through.
constexpr std::chrono::seconds kLookThrough{30};
constexpr size_t kMaxNameBytes = 120;
constexpr std::string_view kLock = "in-use.lock";

// Nobody guesses an id: 128 random bits.
std::string random_id() {
  std::random_device random;
  return fmt::format("up-{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

void remove_folder(const fs::path& folder) {
  std::error_code ignored;
  fs::remove_all(folder, ignored);  // what cannot be removed goes at the next start
}

// Folders of processes that are no more.
void remove_leftovers(const fs::path& above) {
  std::error_code error;
  for (fs::directory_iterator it(above, error), end; !error && it != end; it.increment(error))
    if (const auto lock = FileLock::acquire(it->path() / kLock)) remove_folder(it->path());
}

std::string complete(const UploadReport& report) {
  return dump_json({{"report", to_json(report)},
                    {"documents_added", report.added},
                    {"documents_changed", report.changed},
                    {"unchanged", report.unchanged}});
}

void apply(const UploadReading& reading, Upload& upload) {
  if (reading.map) upload.map = *reading.map;
  if (reading.kind) upload.kind = reading.kind;
  if (reading.source) upload.source = *reading.source;
}

}  // namespace

std::string_view name(UploadState state) {
  switch (state) {
    case UploadState::kChecked: return "checked";
    case UploadState::kIngesting: return "ingesting";
    case UploadState::kIngested: return "ingested";
    case UploadState::kFailed: return "failed";
  }
  return "checked";
}

std::string clean_file_name(std::string_view name) {
  std::string clean = squeeze(strip_controls(repair_utf8(last_component(name))));
  clean.erase(0, std::min(clean.size(), clean.find_first_not_of(". ")));
  if (clean.size() <= kMaxNameBytes) return clean;
  // The end has the extension.
  size_t cut = clean.size() - kMaxNameBytes;
  while (cut < clean.size() && (static_cast<unsigned char>(clean[cut]) & 0xC0) == 0x80) ++cut;
  return clean.substr(cut);
}

std::string_view upload_extension(std::string_view name) {
  static constexpr auto kExtensions = std::to_array<std::string_view>(
      {".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".md", ".markdown", ".txt"});
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return "";
  const std::string extension = ascii_lower(name.substr(dot));
  const auto found = std::ranges::find(kExtensions, extension);
  return found == kExtensions.end() ? "" : *found;
}

Uploads::Uploads(KnowledgeDesk& desk, const Clock& clock, const UploadLimits& limits)
    : desk_(desk), clock_(clock), limits_(limits), worker_([this] { work(); }) {
  remove_leftovers(desk_.upload_folder());
}

Uploads::~Uploads() {
  cancel_.cancel();
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }
  worker_.join();
  const MutexLock lock(mutex_);
  if (!folder_.empty()) remove_folder(folder_);
}

Result<fs::path> Uploads::own_folder() {
  if (!folder_.empty()) return folder_;
  fs::path folder = desk_.upload_folder() / random_id();
  TRY(make_directories(folder));
  folder_lock_ = TRY(FileLock::acquire(folder / kLock));
  folder_ = std::move(folder);
  return folder_;
}

void Uploads::forget_expired() {
  const TimePoint now = clock_.now();
  std::erase_if(entries_, [&](const auto& known) {
    const Entry& entry = *known.second;
    if (entry.busy || entry.shown.expires_at > now) return false;
    remove_folder(entry.folder);
    return true;
  });
}

Result<Uploads::EntryRef> Uploads::take(const std::string& id) {
  forget_expired();
  const auto found = entries_.find(id);
  if (found == entries_.end())
    return fail(ErrorCode::kNotFound,
                fmt::format("there is no upload '{}'; it may have been forgotten: send the files "
                            "again",
                            id));
  if (found->second->busy && found->second->shown.state != UploadState::kIngesting)
    return fail(ErrorCode::kConflict,
                fmt::format("upload '{}' is being checked; ask again in a moment", id));
  return found->second;
}

Result<UploadReport> Uploads::store_and_check(const std::vector<SentFile>& files, Entry& entry) {
  TRY(make_directories(entry.folder));
  for (size_t i = 0; i < files.size(); ++i) {
    const fs::path stored =
        entry.folder / fmt::format("{}{}", i + 1, upload_extension(files[i].name));
    TRY(write_file_atomically(stored, std::array{files[i].bytes}));
    entry.upload.files.push_back({files[i].name, stored});
  }
  return desk_.check(entry.upload, cancel_);
}

Result<UploadShown> Uploads::create(const std::vector<SentFile>& files,
                                    const UploadReading& reading) {
  auto entry = std::make_shared<Entry>();
  entry->shown.id = random_id();
  entry->busy = true;
  apply(reading, entry->upload);
  {
    const MutexLock lock(mutex_);
    forget_expired();
    if (entries_.size() >= limits_.open)
      return fail(
          ErrorCode::kResourceExhausted,
          fmt::format("{} uploads wait already; ingest or delete one of them", limits_.open));
    entry->folder = TRY(own_folder()) / entry->shown.id;
    entries_.emplace(entry->shown.id, entry);
  }
  auto report = store_and_check(files, *entry);
  const MutexLock lock(mutex_);
  entry->busy = false;
  if (!report) {
    remove_folder(entry->folder);
    entries_.erase(entry->shown.id);
    return std::unexpected(std::move(report).error());
  }
  entry->shown.report = std::move(*report);
  entry->shown.expires_at = clock_.now() + limits_.life;
  return entry->shown;
}

Result<UploadShown> Uploads::find(const std::string& id) {
  const MutexLock lock(mutex_);
  return TRY(take(id))->shown;
}

Result<UploadShown> Uploads::read_as(const std::string& id, const UploadReading& reading) {
  EntryRef entry;
  Upload upload;
  {
    const MutexLock lock(mutex_);
    entry = TRY(take(id));
    if (entry->shown.state == UploadState::kIngesting ||
        entry->shown.state == UploadState::kIngested)
      return fail(ErrorCode::kConflict,
                  fmt::format("upload '{}' is {} already; send the files again to read them "
                              "otherwise",
                              id, name(entry->shown.state)));
    upload = entry->upload;
    apply(reading, upload);
    entry->busy = true;
  }
  auto report = desk_.check(upload, cancel_);
  const MutexLock lock(mutex_);
  entry->busy = false;
  if (!report) return std::unexpected(std::move(report).error());
  entry->upload = std::move(upload);
  entry->shown.report = std::move(*report);
  entry->shown.state = UploadState::kChecked;
  return entry->shown;
}

Result<std::shared_ptr<ChatTurn>> Uploads::ingest(const std::string& id) {
  const MutexLock lock(mutex_);
  const EntryRef entry = TRY(take(id));
  if (entry->shown.state == UploadState::kIngesting || entry->shown.state == UploadState::kIngested)
    return entry->log;
  if (!entry->shown.report.ready)
    return fail(ErrorCode::kConflict,
                fmt::format("upload '{}' is not ready: map the fields under 'required_missing' to "
                            "columns, or mend what 'problems' names and send it again",
                            id));
  if (stopped_) return fail(ErrorCode::kUnavailable, "the server is stopping; try again later");
  if (running_ != nullptr)
    return fail(ErrorCode::kConflict, "another upload is being ingested; wait for it to end");
  entry->busy = true;
  const UploadState before = std::exchange(entry->shown.state, UploadState::kIngesting);
  entry->log = std::make_shared<ChatTurn>(id, id);
  entry->begun = false;
  running_ = entry;
  changed_.notify_all();
  // Whatever is in the way is told as the status of the response.
  while (running_ == entry && !entry->begun) changed_.wait(mutex_);
  if (!entry->refused) return entry->log;
  entry->shown.state = before;
  return std::unexpected(*std::exchange(entry->refused, std::nullopt));
}

Result<Upload> Uploads::files(const std::string& id) {
  const MutexLock lock(mutex_);
  return TRY(take(id))->upload;
}

Result<void> Uploads::remove(const std::string& id) {
  const MutexLock lock(mutex_);
  const EntryRef entry = TRY(take(id));
  if (entry->busy)
    return fail(ErrorCode::kConflict,
                fmt::format("upload '{}' is being ingested; wait for it to end", id));
  remove_folder(entry->folder);
  entries_.erase(id);
  return {};
}

void Uploads::work() {
  while (true) {
    EntryRef entry;
    {
      const MutexLock lock(mutex_);
      while (running_ == nullptr && !stopped_) {
        if (!changed_.wait_until(mutex_, std::chrono::steady_clock::now() + kLookThrough))
          forget_expired();
      }
      if (running_ == nullptr) return;
      entry = running_;
    }
    run(entry);
  }
}

void Uploads::run(const EntryRef& entry) {
  ProgressEvents events(*entry->log);
  const auto tell = [&](std::string_view stage, uint64_t done, uint64_t total) {
    if (!events.tell(stage, done, total)) return;
    const MutexLock lock(mutex_);
    entry->begun = true;
    changed_.notify_all();
  };
  auto outcome = desk_.ingest(entry->upload, tell, cancel_);
  const MutexLock lock(mutex_);
  entry->shown.state = outcome ? UploadState::kIngested : UploadState::kFailed;
  if (outcome) {
    remove_folder(entry->folder);
    entry->shown.report = std::move(*outcome);
  } else if (!entry->begun) {
    entry->refused = outcome.error();
  }
  entry->busy = false;
  entry->shown.expires_at = clock_.now() + limits_.life;
  running_ = nullptr;
  changed_.notify_all();
  if (outcome) {
    entry->log->say_last("complete", complete(entry->shown.report));
  } else {
    say_failed(*entry->log, outcome.error());
  }
}

}  // namespace precedent
