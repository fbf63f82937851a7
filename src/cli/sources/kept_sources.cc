#include "cli/sources/kept_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "cli/terminal/render.h"

namespace precedent {
namespace {

// An ingest by hand may take long; what was fetched waits for it.
constexpr std::chrono::minutes kPatience{30};

}  // namespace

Result<std::unique_ptr<KeptSources>> KeptSources::open(const std::string& named,
                                                       const std::filesystem::path& data_dir,
                                                       Events events) {
  SourcesFile file = TRY(SourcesFile::open(named, data_dir));
  return std::unique_ptr<KeptSources>(
      new KeptSources(data_dir, std::move(file), std::move(events)));
}

KeptSources::KeptSources(std::filesystem::path data_dir, SourcesFile file, Events events)
    : data_dir_(std::move(data_dir)),
      events_(std::move(events)),
      surroundings_({.data_dir = data_dir_, .patience = kPatience}, cancel_),
      file_(std::move(file)),
      has_sources_(!file_.sources().empty()),
      keeper_({.sources = file_.sources(),
               .clock = clock_,
               .states = [this] { return read_source_states(data_dir_); },
               .sync =
                   [this](const SourceConfig& source, const SyncOptions& options,
                          const CancelToken& cancel) {
                     if (source.watch) watch(source);
                     return sync_and_remember(source, options, surroundings_.world(), cancel);
                   },
               .told = [this](const SourceConfig& source,
                              const Result<SyncReport>& report) { told(source, report); }}) {}

void KeptSources::watch(const SourceConfig& source) {
  const auto watcher = [this]() -> FolderWatch& {
    const MutexLock lock(mutex_);
    if (watch_ == nullptr)
      watch_ = std::make_unique<FolderWatch>(
          [this](const std::string& name) { static_cast<void>(keeper_.ask(name, {})); });
    return *watch_;
  };
  const auto watched = watcher().watch(source.name, source.path);
  const std::string why = watched ? "" : printable(watched.error().text());
  const MutexLock lock(mutex_);
  if (std::exchange(unwatched_[source.name], why) != why && !why.empty())
    events_.tell(fmt::format("source {}: {}; the schedule goes on", source.name, why));
}

void KeptSources::start() { keeper_.start(); }

void KeptSources::refresh() {
  const std::vector<SourceConfig> before = file_.sources();
  if (!file_.look()) return;
  const std::string problem = printable(file_.problem());
  {
    const MutexLock lock(mutex_);
    problem_ = problem;
  }
  if (!problem.empty()) {
    events_.tell(problem);
    return;
  }
  const std::vector<SourceConfig>& now = file_.sources();
  keeper_.replace(now);
  {
    const MutexLock lock(mutex_);
    has_sources_ = !now.empty();
    for (const SourceConfig& old : before) {
      const auto same = std::ranges::find(now, old.name, &SourceConfig::name);
      if (same != now.end() && same->watch) continue;
      if (watch_ != nullptr) watch_->leave(old.name);
      unwatched_.erase(old.name);
    }
  }
  tell_changes(before);
}

void KeptSources::tell_changes(const std::vector<SourceConfig>& before) const {
  const std::vector<SourceConfig>& now = file_.sources();
  std::vector<std::string> names;
  for (const SourceConfig& source : now) names.push_back(source.name);
  events_.tell(printable(fmt::format("{} was read again; its sources: {}", file_.path(),
                                     names.empty() ? "none" : join(names, ", "))));
  for (const SourceConfig& old : before) {
    const std::string scope = scope_of(old);
    if (std::ranges::find(now, scope, scope_of) != now.end()) continue;
    events_.tell(printable(fmt::format(
        "source {} is no longer synced; `precedent remove --source {}` takes its documents out",
        old.name, scope)));
  }
}

void KeptSources::told(const SourceConfig& source, const Result<SyncReport>& report) const {
  if (!report) {
    events_.tell(fmt::format("source {}: {}", source.name, printable(report.error().text())));
    return;
  }
  const IngestReport& ingest = report->ingest;
  if (ingest.added + ingest.changed + report->removed > 0) events_.changed();
}

Result<std::vector<SourceShown>> KeptSources::sources() {
  std::vector<SourceShown> all;
  for (const KeptSource& kept : TRY(keeper_.sources())) {
    SourceShown& shown = all.emplace_back();
    shown.name = kept.config.name;
    shown.type = name(kept.config.type);
    shown.activity = name(kept.activity);
    shown.documents = kept.state.documents;
    shown.synced_at = kept.state.synced_at;
    shown.swept_at = kept.state.swept_at;
    shown.failed_at = kept.state.failed_at;
    shown.next_at = kept.next_at;
    shown.every = std::chrono::duration_cast<std::chrono::seconds>(kept.config.every);
    shown.error = printable(kept.state.error);
    for (const std::string& note : kept.state.notes) shown.notes.push_back(printable(note));
    const MutexLock lock(mutex_);
    if (const auto why = unwatched_.find(shown.name);
        why != unwatched_.end() && !why->second.empty())
      shown.notes.push_back(why->second + "; the schedule goes on");
  }
  return all;
}

Result<void> KeptSources::sync(const std::string& name, const SyncWish& wish) {
  SyncOptions options;
  options.sweep = wish.full;
  options.yes = wish.yes;
  return keeper_.ask(name, options);
}

std::string KeptSources::problem() {
  const MutexLock lock(mutex_);
  return problem_;
}

bool KeptSources::empty() {
  const MutexLock lock(mutex_);
  return !has_sources_ && problem_.empty();
}

ReadinessPart KeptSources::readiness() {
  const auto all = sources();
  if (!all) return {"sources", true, printable(all.error().text())};
  std::vector<std::string> stale;
  if (std::string why = problem(); !why.empty()) stale.push_back(std::move(why));
  for (const SourceShown& source : *all)
    if (!source.error.empty())
      stale.push_back(fmt::format("{} {}: {}", source.name,
                                  source.synced_at
                                      ? "is stale since " + format_time(*source.synced_at)
                                      : "was never synced",
                                  source.error));
    else if (!source.synced_at)
      stale.push_back(fmt::format("{} was never synced", source.name));
  return {"sources", true,
          stale.empty() ? fmt::format("{} current", all->size()) : join(stale, "; ")};
}

bool KeptSources::stop(std::chrono::milliseconds time) {
  cancel_.cancel();
  return keeper_.stop(time);
}

}  // namespace precedent
