#include "telemetry/report/fitting_alerts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/strings.h"
#include "telemetry/query/resolve_metric.h"

namespace precedent {
namespace {

constexpr size_t kMaxAlerts = 10;

// Whether an alert is of what the filter selects; nothing if its labels do not say.
std::optional<bool> agrees(const LabelFilter& filter, const Alert& alert,
                           const MetricsConfig& config) {
  const auto value = label_called(filter.label, alert.labels, config);
  if (!value || filter.op != LabelFilter::Op::kEqual) return std::nullopt;
  return iequals(*value, filter.value);
}

// How many filters hold for the alert; nothing if one of them does not, or if it is of another
// service or endpoint than the series are.
std::optional<int> agreement(const Alert& alert, const AlertScope& scope,
                             const MetricsConfig& config) {
  int agreeing = 0;
  for (size_t i = 0; i < scope.asked.size(); ++i) {
    auto holds = agrees(scope.asked[i], alert, config);
    // An alert may have the label as the question names it, or as the series do.
    if (!holds && i < scope.taken.size()) holds = agrees(scope.taken[i], alert, config);
    if (holds == false) return std::nullopt;
    agreeing += holds == true ? 1 : 0;
  }
  for (const auto& [label, own] : scope.own)
    if (const auto value = label_called(label, alert.labels, config);
        value && !iequals(*value, own))
      return std::nullopt;
  return agreeing;
}

}  // namespace

AlertScope scope_of(const MetricsQuestion& question, const std::vector<LabelFilter>& taken,
                    std::span<const LabelSet> series, const MetricsConfig& config) {
  AlertScope scope{question.filters, taken};
  for (const auto& [label, names] : config.labels) {
    std::set<std::string> values;
    for (const LabelSet& labels : series)
      if (any_fits(taken, std::span(&labels, 1)))
        values.insert(label_called(label, labels, config).value_or(""));
    if (values.size() == 1 && !values.begin()->empty()) scope.own[label] = *values.begin();
  }
  return scope;
}

Result<void> add_alerts(const MetricsQuestion& question, const MetricSources& sources,
                        const AlertScope& scope, std::string_view name,
                        const SourceContext& context, MetricsResult& out) {
  if (sources.alerts == nullptr) return {};
  out.alert_source = sources.alerts->describe();
  auto active = sources.alerts->active(out.to, context);
  if (!active) {
    out.alert_problem = active.error().text();
    out.notes.push_back(fmt::format("Alerts could not be read: {}", out.alert_problem));
    return std::unexpected(active.error());
  }
  std::vector<std::pair<int, Alert>> fitting;
  for (Alert& alert : *active) {
    // A source that knows only the present tells of what began since.
    if (alert.starts_at > out.to) continue;
    if (!name.empty() && !iequals(alert.name, name)) continue;
    if (const auto agreeing = agreement(alert, scope, sources.config))
      fitting.emplace_back(-*agreeing, std::move(alert));
  }
  std::ranges::stable_sort(fitting, {}, &std::pair<int, Alert>::first);
  out.alerts_total = fitting.size();
  if (fitting.size() > kMaxAlerts) fitting.resize(kMaxAlerts);
  for (auto& [rank, alert] : fitting) out.alerts.push_back(std::move(alert));
  const bool any_time =
      !question.window && question.since == TimeSpec() && question.until == TimeSpec();
  if (!question.alert.empty() && name.empty() && any_time) return {};  // which are active is asked
  const auto past = sources.alerts->past(out.from, out.to, context);
  for (const PastAlert& over : past ? *past : std::vector<PastAlert>()) {
    if (out.past_alerts.size() >= kMaxAlerts) break;
    if (!name.empty() && !iequals(over.alert.name, name)) continue;
    if (agreement(over.alert, scope, sources.config)) out.past_alerts.push_back(over);
  }
  return {};
}

}  // namespace precedent
