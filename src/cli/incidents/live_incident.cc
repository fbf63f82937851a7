#include "cli/incidents/live_incident.h"

#include "changes/git_changes.h"
#include "git/history.h"
#include "telemetry/traces/jaeger_source.h"
#include "telemetry/traces/tempo_source.h"

namespace precedent {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr hours kBefore{6};
// After it ended: whether it did.
constexpr minutes kAfter{30};
constexpr int64_t kPoints = 720;
constexpr seconds kFinest{15};

}  // namespace

Result<LiveIncident> LiveIncident::open(const LiveOptions& options) {
  LiveIncident live;
  live.sources_ = TRY(OpenedSources::open(options));
  live.changes_ = TRY(configured_changes(options));
  const StoresConfig stores = TRY(configured_stores(options));
  live.client_ = std::make_unique<CurlHttpClient>();
  if (stores.loki) live.logs_ = std::make_unique<LokiSource>(*live.client_, *stores.loki);
  if (stores.tempo) live.traces_ = std::make_unique<TempoSource>(*live.client_, *stores.tempo);
  if (stores.jaeger) live.traces_ = std::make_unique<JaegerSource>(*live.client_, *stores.jaeger);
  return live;
}

bool LiveIncident::has_sources() const {
  const LiveSources live = sources_->live();
  return live.metrics != nullptr || live.alerts != nullptr || live.changes != nullptr ||
         logs_ != nullptr || traces_ != nullptr;
}

std::string LiveIncident::patch_of(const Change& change) const {
  for (const GitChangesOptions& repository : changes_.repositories) {
    if (GitChanges(repository).name() != change.source) continue;
    const auto history = git::History::open(repository.path);
    return history ? history->patch(change.id, kMaxPatchBytes) : "";
  }
  return "";
}

Result<Recording> LiveIncident::record(const Window& window, const IncidentBrief& incident,
                                       const std::filesystem::path& folder,
                                       const CancelToken& cancel) const {
  const LiveSources live = sources_->live();
  const RecordedSources sources{
      live.metrics, live.alerts,
      live.changes, [this](const Change& change) { return patch_of(change); },
      logs_.get(),  traces_.get(),
      incident};
  return record_incident(sources, window, folder, SourceContext{cancel});
}

Window window_of(const IncidentBrief& brief, const BriefOptions& given, TimePoint now) {
  const Instant present(now);
  Instant to = brief.ended_at ? std::min(*brief.ended_at + kAfter, present) : present;
  if (given.until) to = *given.until;
  const Instant from = std::min(given.since.value_or(begin_of(brief, to, kBefore)), to);
  const milliseconds exact = (to - from) / kPoints;
  const auto steps = (exact + kFinest - milliseconds(1)) / kFinest;
  return {from, to, std::max<int64_t>(steps, 1) * kFinest};
}

}  // namespace precedent
