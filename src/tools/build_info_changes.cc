#include "tools/build_info_changes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"

namespace precedent {
namespace {

constexpr std::chrono::days kMostLooked{30};
constexpr std::chrono::hours kNow{24};
// Points of a window: what Prometheus gives in one answer is 11,000.
constexpr int64_t kMaxPoints = 2'000;
constexpr std::chrono::seconds kTimeout{5};
constexpr std::chrono::minutes kFinest{1};
// A gap of more steps between two samples ends a version's run.
constexpr int kMaxGap = 5;

// "*_build_info": a name, or how it ends.
bool fits(const std::string& metric, const std::string& pattern) {
  return pattern.starts_with('*') ? metric.ends_with(pattern.substr(1)) : metric == pattern;
}

// Whole minutes, on which all windows lie: when a version was first seen must not depend on the
// window.
std::chrono::minutes step_of(Instant from, Instant to) {
  return std::max(kFinest, std::chrono::ceil<std::chrono::minutes>((to - from) / kMaxPoints));
}

// A version while it ran without interruption.
struct Run {
  std::string version;
  Instant from, to;
};

// Of one service: in which order versions came, whatever the number of its instances.
std::vector<Run> runs_of(const std::map<std::string, std::set<Instant>>& seen,
                         std::chrono::milliseconds step) {
  std::vector<Run> runs;
  for (const auto& [version, times] : seen) {
    for (const Instant at : times) {
      const bool goes_on =
          !runs.empty() && runs.back().version == version && at - runs.back().to <= kMaxGap * step;
      if (goes_on)
        runs.back().to = at;
      else
        runs.push_back({version, at, at});
    }
  }
  std::ranges::sort(runs, {}, &Run::from);
  // That nothing was measured for a while is no change.
  const auto again = std::ranges::unique(runs, {}, &Run::version);
  runs.erase(again.begin(), again.end());
  return runs;
}

}  // namespace

std::string BuildInfoChanges::service_of(const LabelSet& labels) const {
  for (const std::string& label : options_.service_labels)
    if (const auto found = labels.find(label); found != labels.end()) return found->second;
  return {};
}

Result<std::vector<std::string>> BuildInfoChanges::metrics() const {
  const std::lock_guard lock(mutex_);
  if (names_) return *names_;
  const CancelToken never;
  std::vector<std::string> names;
  for (MetricInfo& metric :
       TRY(metrics_.catalogue({never, std::chrono::steady_clock::now() + kTimeout}))) {
    const bool wanted = std::ranges::any_of(
        options_.metrics, [&](const std::string& pattern) { return fits(metric.name, pattern); });
    if (wanted) names.push_back(std::move(metric.name));
  }
  names_ = names;
  return names;
}

Result<BuildInfoChanges::Seen> BuildInfoChanges::read(const std::vector<std::string>& metrics,
                                                      Window window) const {
  const CancelToken never;
  const SourceContext context{never, std::chrono::steady_clock::now() + kTimeout};
  std::vector<std::string> by = options_.service_labels;
  by.push_back(options_.version_label);
  window.from = std::chrono::floor<std::chrono::minutes>(window.from);
  Seen seen;
  for (const std::string& metric : metrics) {
    const MetricQuery query{.of = {metric}, .aggregation = Aggregation::kMax, .by = by};
    const SeriesSet set = TRY(metrics_.range(query, window, context));
    for (const Series& series : set.series) {
      const auto version = series.labels.find(options_.version_label);
      if (version == series.labels.end()) continue;
      auto& times = seen[service_of(series.labels)][version->second];
      for (const Sample& sample : series.samples)
        if (!is_stale(sample.value) && sample.value > 0) times.insert(sample.at);
    }
  }
  return seen;
}

Result<ChangeList> BuildInfoChanges::changes(const ChangeQuery& query) const {
  ChangeList list;
  if (!wants(query, ChangeKind::kVersionSeen) || !query.commit.empty()) return list;
  const Instant now = metrics_.frozen_at().value_or(
      std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()));
  const Instant to = query.range.to ? std::min<Instant>(*query.range.to, now) : now;
  const Instant earliest = to - kMostLooked;
  const Instant from = query.range.from ? std::max<Instant>(*query.range.from, earliest) : earliest;
  if (to <= from) return list;
  const std::vector<std::string> names = TRY(metrics());
  if (names.empty()) return list;
  // What ran before the window began shows what the first version in it replaced.
  const auto step = step_of(from, to);
  const Seen seen = TRY(read(names, {from - kMaxGap * step, to, step}));
  std::vector<Change> changes;
  for (const auto& [service, versions] : seen) {
    if (!query.service.empty() && !iequals(service, query.service)) continue;
    const std::vector<Run> runs = runs_of(versions, step);
    for (size_t i = 1; i < runs.size(); ++i) {
      const std::string& version = runs[i].version;
      Change change;
      Instant first = runs[i].from;
      // A long window has far steps: when it was between two of them is looked up.
      if (step > kFinest) {
        Seen closely = TRY(read(names, {first - step, first, kFinest}));
        if (const auto& times = closely[service][version]; !times.empty()) first = *times.begin();
      }
      change.at = std::chrono::floor<std::chrono::seconds>(first);
      change.kind = ChangeKind::kVersionSeen;
      if (!service.empty()) change.services = {service};
      change.version = change.to = version;
      change.from = runs[i - 1].version;
      // A version that comes back is another change.
      const auto before = std::ranges::count(runs.begin(), runs.begin() + static_cast<ptrdiff_t>(i),
                                             version, &Run::version);
      change.id = fmt::format("{}@{}{}", service, version,
                              before == 0 ? "" : fmt::format("#{}", before + 1));
      change.title =
          fmt::format("{} reports version {}", service.empty() ? "A service" : service, version);
      change.source = name_;
      changes.push_back(std::move(change));
    }
  }
  return select(std::move(changes), query, name_, "");
}

std::vector<std::string> BuildInfoChanges::services() const {
  const Instant to = metrics_.frozen_at().value_or(
      std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()));
  std::vector<std::string> services;
  const auto names = metrics();
  const auto seen =
      names ? read(*names, {to - kNow, to, step_of(to - kNow, to)}) : Result<Seen>(Seen{});
  for (const auto& [service, versions] : seen ? *seen : Seen{})
    if (!service.empty()) services.push_back(service);
  return services;
}

}  // namespace precedent
