#include "telemetry/snapshot/embedded_metrics.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "telemetry/metrics/catalogue.h"
#include "telemetry/metrics/evaluate.h"
#include "telemetry/promql/promql_eval.h"
#include "telemetry/promql/promql_parser.h"

namespace precedent {
namespace {

// Those with the same labels become one.
std::vector<Series> merged(std::vector<Series> all) {
  std::map<LabelSet, std::vector<Sample>> by_labels;
  for (Series& series : all) {
    std::vector<Sample>& samples = by_labels[std::move(series.labels)];
    samples.insert(samples.end(), series.samples.begin(), series.samples.end());
  }
  std::vector<Series> out;
  for (auto& [labels, samples] : by_labels) {
    normalize(samples);
    out.push_back({labels, std::move(samples)});
  }
  return out;
}

Result<void> check(const SourceContext& context) {
  TRY(context.cancel.check());
  if (context.deadline && std::chrono::steady_clock::now() >= *context.deadline)
    return fail(ErrorCode::kTimeout, "the deadline passed before the metrics were read");
  return {};
}

}  // namespace

EmbeddedMetrics::EmbeddedMetrics(std::string description, MetricData data)
    : description_(std::move(description)), data_(std::move(data)) {
  std::vector<std::string> names;
  for (auto& [name, all] : data_.series) {
    all = merged(std::move(all));
    names.push_back(name);
    for (const Series& series : all)
      if (!series.samples.empty())
        newest_ = std::max(newest_.value_or(Instant::min()), series.samples.back().at);
  }
  catalogue_ = build_catalogue(std::move(names), data_.info);
}

std::span<const Series> EmbeddedMetrics::series_of(std::string_view metric) const {
  const auto found = data_.series.find(metric);
  if (found == data_.series.end()) return {};
  return found->second;
}

Result<SeriesSet> EmbeddedMetrics::range(const MetricQuery& query, const Window& window,
                                         const SourceContext& context) const {
  TRY(check(context));
  return SeriesSet{
      TRY(evaluate(query, window, [&](std::string_view metric) { return series_of(metric); }))};
}

Result<SeriesSet> EmbeddedMetrics::range(const PromQl& query, const Window& window,
                                         const SourceContext& context) const {
  TRY(check(context));
  const PromNodePtr root = TRY(parse_promql(query.text));
  SeriesSet out{TRY(evaluate_promql(query.text, *root, window, data_.series, context))};
  // A metric that is not there is nothing to PromQL; mostly it is a slip.
  std::vector<std::string> names;
  for (const auto& [name, all] : data_.series) names.push_back(name);
  for (const std::string& name : metrics_named_in(*root)) {
    if (data_.series.contains(name)) continue;
    out.warnings.push_back(fmt::format("There is no metric {} in {}. {}", name, description_,
                                       nearest_names(suggest(name, names))));
  }
  return out;
}

Result<std::vector<MetricInfo>> EmbeddedMetrics::catalogue(const SourceContext& context) const {
  TRY(check(context));
  return catalogue_;
}

Result<std::vector<LabelSet>> EmbeddedMetrics::series(const Selector& selector, Instant from,
                                                      Instant to,
                                                      const SourceContext& context) const {
  TRY(check(context));
  const LabelMatcher matcher = TRY(LabelMatcher::create(selector.filters));
  std::vector<LabelSet> out;
  for (const Series& series : series_of(selector.metric)) {
    const auto first = std::ranges::lower_bound(series.samples, from, {}, &Sample::at);
    if (first != series.samples.end() && first->at <= to && matcher.matches(series.labels))
      out.push_back(series.labels);
  }
  return out;
}

}  // namespace precedent
