#include "investigate/metrics/service_ranking.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "investigate/metrics/service_labels.h"
#include "investigate/symptoms/words.h"
#include "telemetry/statistics/summary.h"

namespace precedent {
namespace {

// Of a series: what counts as before the failure, and as after.
constexpr size_t kBefore = 10;
constexpr size_t kAfter = 10;
// Ten percent is noise in anything.
constexpr double kLeastSpread = 0.1;

// The names that meshes and tracers give to both ends of a call: OpenTelemetry's service graph,
// Istio, Linkerd.
using Ends = std::pair<std::string_view, std::string_view>;
constexpr std::array<Ends, 4> kEnds = {{{"client", "server"},
                                        {"source_workload", "destination_workload"},
                                        {"source_service", "destination_service"},
                                        {"deployment", "dst_deployment"}}};

struct Shift {
  double size = 0;  // in spreads, above 0
  double before = 0, after = 0;
  std::string metric;
};

// How far it rose, by what two samples reach.
Shift shift_of(const ServiceSeries& series, Instant began) {
  std::vector<double> before, after;
  for (const Sample& sample : series.samples) {
    if (!std::isfinite(sample.value)) continue;
    if (sample.at < began)
      before.push_back(sample.value);
    else if (after.size() < kAfter)
      after.push_back(sample.value);
  }
  if (before.size() > kBefore)
    before.erase(before.begin(), before.end() - static_cast<std::ptrdiff_t>(kBefore));
  Shift out{.metric = series.metric};
  if (before.size() < 2 || after.size() < 2) return out;
  const auto positive = [](double value) { return value > 0; };
  const bool logarithm =
      std::ranges::all_of(before, positive) && std::ranges::all_of(after, positive);
  std::ranges::sort(after, std::greater<>());
  out.before = quantile_of(before, 0.5);
  out.after = after[1];
  const auto scaled = [&](double value) { return logarithm ? std::log(value) : value; };
  const double level = scaled(out.before);
  std::ranges::transform(before, before.begin(), scaled);
  const double unit = logarithm ? 1 : std::max(std::abs(level), std::abs(out.after));
  const double spread = std::max(robust_deviation(std::move(before), level), kLeastSpread * unit);
  if (spread > 0) out.size = std::max(0.0, (scaled(out.after) - level) / spread);
  return out;
}

void keep_larger(Shift& kept, Shift other) {
  if (other.size > kept.size) kept = std::move(other);
}

// Ten times as far is not ten times as telling.
double weight(const Shift& shift) { return std::log1p(shift.size); }

std::string told(const Shift& shift) {
  return fmt::format("{} rose from {:.3g} to {:.3g}", shift.metric, shift.before, shift.after);
}

}  // namespace

std::optional<ServiceSeries> service_series(const std::string& metric, const Series& series) {
  const auto meaning = meaning_of_metric(metric);
  if (!meaning || !meaning->bad_up) return std::nullopt;
  const Symptom symptom = meaning->symptom;
  if (symptom != Symptom::kCpu && symptom != Symptom::kMemory && symptom != Symptom::kLatency)
    return std::nullopt;
  const std::vector<std::string> parts = parts_of(metric);
  const auto has = [&](std::string_view part) {
    return std::ranges::find(parts, part) != parts.end();
  };
  ServiceSeries out{.metric = metric, .symptom = symptom, .samples = series.samples};
  for (const auto& [from, to] : kEnds) {
    const auto caller = series.labels.find(from), callee = series.labels.find(to);
    if (caller == series.labels.end() || callee == series.labels.end()) continue;
    out.service = callee->second;
    if (!has("server")) out.caller = caller->second;
    return out.service.empty() ? std::nullopt : std::optional(std::move(out));
  }
  // How long its calls take tells of whom it calls, and does not say who that is.
  if (symptom == Symptom::kLatency && has("client")) return std::nullopt;
  out.service = service_of(series.labels);
  return out.service.empty() ? std::nullopt : std::optional(std::move(out));
}

std::vector<RankedService> rank_services(const std::vector<ServiceSeries>& all,
                                         const ServiceGraph& graph, Instant began) {
  std::map<std::string, Shift> uses, slow;
  std::map<std::pair<std::string, std::string>, Shift> calls;
  for (const ServiceSeries& series : all) {
    const Shift shift = shift_of(series, began);
    keep_larger((series.symptom == Symptom::kLatency ? slow : uses)[series.service], shift);
    if (!series.caller.empty()) keep_larger(calls[{series.caller, series.service}], shift);
  }
  // Where no call is measured, the callee's own word stands for it.
  for (const CallEdge& edge : graph.edges())
    if (const auto callee = slow.find(edge.callee); callee != slow.end())
      calls.try_emplace({edge.caller, edge.callee}, callee->second);
  std::vector<RankedService> out;
  std::map<std::string, std::pair<Shift, Shift>> services;
  for (const auto& [service, shift] : uses) services[service].first = shift;
  for (const auto& [service, shift] : slow) services[service].second = shift;
  for (const auto& [service, shifts] : services) {
    Shift below;
    for (const auto& [ends, shift] : calls)
      if (ends.first == service) keep_larger(below, shift);
    const double own = weight(shifts.first);
    const double waits = std::max(0.0, weight(shifts.second) - weight(below));
    if (own + waits <= 0) continue;
    out.push_back({service, own + waits, told(own >= waits ? shifts.first : shifts.second)});
  }
  std::ranges::stable_sort(out, std::greater<>(), &RankedService::score);
  return out;
}

}  // namespace precedent
