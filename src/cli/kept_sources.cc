#include "cli/kept_sources.h"

#include <fmt/format.h>

#include <utility>

#include "base/strings.h"
#include "cli/render.h"

namespace precedent {
namespace {

// An ingest by hand may take long; what was fetched waits for it.
constexpr std::chrono::minutes kPatience{30};

}  // namespace

Result<std::unique_ptr<KeptSources>> KeptSources::open(const std::string& named,
                                                       const std::filesystem::path& data_dir,
                                                       Events events) {
  ConfiguredSources configured = TRY(find_sources(named, data_dir));
  return std::unique_ptr<KeptSources>(
      new KeptSources(data_dir, std::move(configured.sources), std::move(events)));
}

KeptSources::KeptSources(std::filesystem::path data_dir, std::vector<SourceConfig> sources,
                         Events events)
    : data_dir_(std::move(data_dir)),
      events_(std::move(events)),
      count_(sources.size()),
      surroundings_({.data_dir = data_dir_, .patience = kPatience}, cancel_) {
  if (sources.empty()) return;
  keeper_ = std::make_unique<SourceKeeper>(
      KeeperParts{.sources = std::move(sources),
                  .clock = clock_,
                  .states = [this] { return read_source_states(data_dir_); },
                  .sync =
                      [this](const SourceConfig& source, const SyncOptions& options,
                             const CancelToken& cancel) {
                        if (source.watch) watch(source);
                        return sync_and_remember(source, options, surroundings_.world(), cancel);
                      },
                  .told = [this](const SourceConfig& source,
                                 const Result<SyncReport>& report) { told(source, report); }});
  watch_ = std::make_unique<FolderWatch>(
      [this](const std::string& name) { static_cast<void>(keeper_->ask(name, {})); });
}

void KeptSources::watch(const SourceConfig& source) {
  const auto watched = watch_->watch(source.name, source.path);
  const std::string why = watched ? "" : printable(watched.error().text());
  const MutexLock lock(mutex_);
  if (std::exchange(unwatched_[source.name], why) != why && !why.empty())
    events_.tell(fmt::format("source {}: {}; the schedule goes on", source.name, why));
}

void KeptSources::start() {
  if (keeper_ != nullptr) keeper_->start();
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
  if (keeper_ == nullptr) return all;
  for (const KeptSource& kept : TRY(keeper_->sources())) {
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
  if (keeper_ == nullptr) return fail(ErrorCode::kNotFound, "sources.yaml names no source");
  return keeper_->ask(name, options);
}

ReadinessPart KeptSources::readiness() {
  const auto all = sources();
  if (!all) return {"sources", true, printable(all.error().text())};
  std::vector<std::string> stale;
  for (const SourceShown& source : *all)
    if (!source.error.empty())
      stale.push_back(fmt::format("{} is stale since {}: {}", source.name,
                                  source.synced_at ? format_time(*source.synced_at) : "ever",
                                  source.error));
    else if (!source.synced_at)
      stale.push_back(fmt::format("{} was never synced", source.name));
  return {"sources", true,
          stale.empty() ? fmt::format("{} current", all->size()) : join(stale, "; ")};
}

bool KeptSources::stop(std::chrono::milliseconds time) {
  cancel_.cancel();
  return keeper_ == nullptr || keeper_->stop(time);
}

}  // namespace precedent
