#include "telemetry/report/metric_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "telemetry/metrics/catalogue.h"
#include "telemetry/query/resolve_metric.h"

namespace precedent {
namespace {

constexpr size_t kMaxNearest = 5;
// Of a list of metrics; more are narrowed down by how they begin.
constexpr size_t kMaxListed = 200;

// A source names what of it could not be read: what is missing may stand there.
void tell_unread(const MetricsSource& source, MetricsResult& out) {
  const std::vector<std::string> unread = source.unread();
  out.notes.insert(out.notes.end(), unread.begin(), unread.end());
}

}  // namespace

void list_metrics(const MetricsSource& source, std::span<const MetricInfo> catalogue,
                  MetricsResult& out) {
  const std::string_view all = out.metric;
  const std::string_view beginning = all.substr(0, all.size() - 1);
  std::vector<std::string> names;
  size_t more = 0;
  for (const MetricInfo& info : catalogue) {
    if (!info.name.starts_with(beginning)) continue;
    if (names.size() == kMaxListed)
      ++more;
    else
      names.push_back(info.type == MetricType::kUnknown
                          ? info.name
                          : fmt::format("{} ({})", info.name, name(info.type)));
  }
  out.notes.push_back(fmt::format(
      "{} has {} metric{}{}{}{}.", out.source, names.size() + more, names.size() == 1 ? "" : "s",
      beginning.empty() ? "" : fmt::format(" whose names begin with {}", beginning),
      names.empty() ? "" : ": " + join(names, ", "),
      more == 0 ? "" : fmt::format(", and {} more; metric=http* lists those that begin so", more)));
  tell_unread(source, out);
}

void tell_unknown(const std::string& asked, const Error& error, const MetricsSource& source,
                  const MetricsConfig& config, std::span<const MetricInfo> catalogue,
                  MetricsResult& out) {
  tell_unread(source, out);
  std::vector<std::string> names;
  for (const MetricInfo& info : catalogue) names.push_back(info.name);
  // A friendly name whose metrics are not here either would be no help.
  for (const MetricTemplate& other : config.names)
    if (resolve_metric({.metric = other.name}, config, catalogue)) names.push_back(other.name);
  const MetricTemplate* known = config.find(asked);
  out.nearest = suggest(asked, names, kMaxNearest);
  // A name of the configuration may have nothing of the metrics that it stands for.
  for (const std::string& metric : known == nullptr ? std::vector<std::string>() : known->metrics)
    for (std::string& name : suggest(metric, names, kMaxNearest))
      if (out.nearest.size() < kMaxNearest &&
          std::ranges::find(out.nearest, name) == out.nearest.end())
        out.nearest.push_back(std::move(name));
  out.notes.push_back(fmt::format(
      "{} was not found: {} has {} metrics, and {}{}.", asked, out.source, catalogue.size(),
      error.message, known == nullptr ? "" : "; name the right one in config/tools.yaml"));
  out.notes.push_back(nearest_names(out.nearest));
}

}  // namespace precedent
