#include "telemetry/query/resolve_metric.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "base/strings.h"
#include "telemetry/metrics/catalogue.h"
#include "telemetry/metrics/evaluate.h"

namespace precedent {
namespace {

const MetricInfo* first_of(const std::vector<std::string>& names,
                           std::span<const MetricInfo> catalogue) {
  for (const std::string& name : names) {
    if (const MetricInfo* info = find_metric(catalogue, name)) return info;
    // The parts of a histogram are no entries of their own, and can be asked for all the same.
    for (const std::string_view part : {"_count", "_sum", "_bucket"}) {
      if (!name.ends_with(part)) continue;
      const MetricInfo* family =
          find_metric(catalogue, std::string_view(name).substr(0, name.size() - part.size()));
      if (family != nullptr && family->type == MetricType::kHistogram) return family;
    }
  }
  return nullptr;
}

// The name among `names` that is meant by what first_of found.
std::string name_of(const std::vector<std::string>& names, const MetricInfo& info) {
  for (const std::string& name : names)
    if (name == info.name || name.starts_with(info.name + "_")) return name;
  return info.name;
}

Statistic usual_statistic(const MetricInfo& info, const std::string& name) {
  if (info.type == MetricType::kHistogram && name == info.name) return Statistic::kQuantile;
  if (info.type == MetricType::kHistogram || info.type == MetricType::kCounter)
    return Statistic::kRate;
  return Statistic::kValue;
}

// Of gauges the mean is the one that is true of temperatures, ratios and queues alike.
Aggregation usual_aggregation(Statistic statistic) {
  return statistic == Statistic::kValue ? Aggregation::kAvg : Aggregation::kSum;
}

std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string unit_of(const MetricQuery& query, const MetricInfo& info) {
  switch (query.statistic) {
    case Statistic::kRate:
      return info.unit.empty() || info.type == MetricType::kHistogram ? "1/s" : info.unit + "/s";
    case Statistic::kRatio: return "ratio";
    default: return query.aggregation == Aggregation::kCount ? "" : info.unit;
  }
}

Result<ResolvedMetric> not_found(const std::vector<std::string>& names) {
  return fail(ErrorCode::kNotFound,
              names.size() == 1
                  ? fmt::format("there is no metric {}", names[0])
                  : fmt::format("there is none of the metrics {}", join(names, ", ")));
}

bool has_label(std::span<const LabelSet> series, std::string_view label) {
  return std::ranges::any_of(series,
                             [&](const LabelSet& labels) { return labels.contains(label); });
}

std::set<std::string> values_of(std::span<const LabelSet> series, std::string_view label) {
  std::set<std::string> values;
  for (const LabelSet& labels : series)
    if (const auto found = labels.find(label); found != labels.end()) values.insert(found->second);
  return values;
}

// Without case and a slash at the end.
std::string folded(std::string_view value) {
  while (value.size() > 1 && value.ends_with('/')) value.remove_suffix(1);
  return ascii_lower(value);
}

bool fits_some(const LabelFilter& filter, std::span<const LabelSet> series) {
  return any_fits({filter}, series);
}

std::set<std::string> labels_in(std::span<const LabelSet> series) {
  std::set<std::string> labels;
  for (const LabelSet& all : series)
    for (const auto& [label, value] : all) labels.insert(label);
  return labels;
}

// What a label that no series has is called here, by the configuration.
std::optional<std::string> other_name(const std::string& label, const MetricsConfig& config,
                                      std::span<const LabelSet> series) {
  const auto known = config.labels.find(label);
  if (known == config.labels.end()) return std::nullopt;
  const auto other = std::ranges::find_if(
      known->second, [&](const std::string& name) { return has_label(series, name); });
  return other == known->second.end() ? std::nullopt : std::optional(*other);
}

class FilterResolver {
 public:
  FilterResolver(const MetricsConfig& config, std::span<const LabelSet> series)
      : config_(config), series_(series) {}

  ResolvedFilters out;

  void resolve(LabelFilter filter) {
    const std::string asked = to_text(filter);
    if (!has_label(series_, filter.label)) rename_label(filter);
    if (!fits_some(filter, series_)) respell_value(filter);
    if (to_text(filter) != asked)
      out.notes.push_back(fmt::format("{} was taken as {}.", asked, to_text(filter)));
    if (!fits_some(filter, series_)) {
      out.missing.push_back(explain(filter, asked));
      if (!has_label(series_, filter.label)) out.unlabelled.push_back(out.missing.back());
    }
    out.filters.push_back(std::move(filter));
  }

 private:
  void rename_label(LabelFilter& filter) const {
    if (auto other = other_name(filter.label, config_, series_)) {
      filter.label = std::move(*other);
      return;
    }
    if (filter.op != LabelFilter::Op::kEqual) return;
    std::set<std::string> holders;
    for (const LabelSet& labels : series_)
      for (const auto& [label, value] : labels)
        if (folded(value) == folded(filter.value)) holders.insert(label);
    if (holders.size() == 1) filter.label = *holders.begin();
  }

  void respell_value(LabelFilter& filter) const {
    if (filter.op != LabelFilter::Op::kEqual) return;
    std::vector<std::string> same;
    for (const std::string& value : values_of(series_, filter.label))
      if (folded(value) == folded(filter.value)) same.push_back(value);
    if (same.size() == 1) filter.value = same[0];
  }

  std::string explain(const LabelFilter& filter, const std::string& asked) const {
    // As many as fit a line.
    constexpr size_t kShown = 5;
    const std::set<std::string> values = values_of(series_, filter.label);
    if (values.empty()) {
      const std::set<std::string> labels = labels_in(series_);
      return fmt::format("No series has the label of {}; the labels are: {}.", asked,
                         join({labels.begin(), labels.end()}, ", "));
    }
    const std::vector<std::string> all(values.begin(), values.end());
    std::vector<std::string> shown = suggest(filter.value, all, kShown);
    if (shown.empty()) shown.assign(all.begin(), all.begin() + std::min(kShown, all.size()));
    return fmt::format("No series fits {}; {} is for example: {}.", asked, filter.label,
                       join(shown, ", "));
  }

  const MetricsConfig& config_;
  std::span<const LabelSet> series_;
};

}  // namespace

Result<ResolvedMetric> resolve_metric(const MetricsQuestion& question, const MetricsConfig& config,
                                      std::span<const MetricInfo> catalogue) {
  ResolvedMetric out;
  const MetricTemplate* known = config.find(question.metric);
  const bool is_metric = first_of({question.metric}, catalogue) != nullptr;
  const MetricInfo* info = nullptr;
  // What exists under this very name is meant, whatever the file says.
  if (known != nullptr && !is_metric) {
    if (!known->promql.empty()) {
      out.promql = known->promql;
      out.unit = known->unit;
      out.query.range = known->range;
      return out;
    }
    info = first_of(known->metrics, catalogue);
    if (info == nullptr) return not_found(known->metrics);
    out.query.of = {name_of(known->metrics, *info), known->where};
    out.query.statistic = known->statistic.value_or(usual_statistic(*info, out.query.of.metric));
    out.query.aggregation = known->aggregation.value_or(usual_aggregation(out.query.statistic));
    out.query.quantile = known->quantile;
    out.query.range = known->range;
    if (out.query.statistic == Statistic::kRatio) {
      const MetricInfo* over = known->over.empty() ? info : first_of(known->over, catalogue);
      if (over == nullptr) return not_found(known->over);
      out.query.over = {known->over.empty() ? out.query.of.metric : name_of(known->over, *over)};
    }
    out.unit = known->unit.empty() ? unit_of(out.query, *info) : known->unit;
  } else {
    info = first_of({question.metric}, catalogue);
    if (info == nullptr) return not_found({question.metric});
    out.query.of.metric = question.metric;
    out.query.statistic = usual_statistic(*info, question.metric);
    out.query.aggregation = usual_aggregation(out.query.statistic);
    if (question.statistic) out.query.statistic = *question.statistic;
    out.unit = unit_of(out.query, *info);
  }
  if (question.statistic == Statistic::kQuantile) {
    out.query.statistic = Statistic::kQuantile;
    out.query.quantile = question.quantile;
  }
  if (out.query.statistic == Statistic::kQuantile && info->type == MetricType::kSummary)
    out.query.statistic = Statistic::kValue;
  if (question.aggregation) out.query.aggregation = *question.aggregation;
  if (out.query.statistic == Statistic::kValue && out.query.aggregation == Aggregation::kSum &&
      adds_up_to_nothing(out.unit)) {
    out.query.aggregation = Aggregation::kAvg;
    out.notes.push_back(
        fmt::format("{} is in {}, which do not add up: the series are averaged instead.",
                    question.metric, out.unit == "ratio" ? "shares" : out.unit));
  }
  out.labels_of.metric = out.query.statistic == Statistic::kRatio ? out.query.over.metric
                         : out.query.statistic == Statistic::kQuantile
                             ? out.query.of.metric + "_count"
                             : out.query.of.metric;
  return out;
}

ResolvedFilters resolve_filters(const std::vector<LabelFilter>& filters,
                                const MetricsConfig& config, std::span<const LabelSet> series) {
  FilterResolver resolver(config, series);
  for (const LabelFilter& filter : filters) resolver.resolve(filter);
  return std::move(resolver.out);
}

bool adds_up_to_nothing(std::string_view unit) {
  constexpr std::array<std::string_view, 5> kLevels = {"seconds", "milliseconds", "ratio",
                                                       "percent", "celsius"};
  return std::ranges::find(kLevels, unit) != kLevels.end();
}

ResolvedFilters narrow_ratio(std::string_view metric, const LabelFilter& filter,
                             const std::vector<LabelFilter>& own, const MetricsConfig& config,
                             std::span<const LabelSet> counted) {
  std::vector<LabelFilter> same_label;
  for (const LabelFilter& other : own)
    if (other.label == filter.label) same_label.push_back(other);
  if (same_label.empty()) {
    ResolvedFilters left{.filters = {filter}};
    if (!counted.empty()) left.missing = resolve_filters({filter}, config, counted).unlabelled;
    return left;
  }
  const std::string counts = fmt::format("{} counts only {}", metric, to_text(same_label[0]));
  const bool some = any_fits(same_label, counted);
  same_label.push_back(filter);
  if (some && !any_fits(same_label, counted))
    return {.missing = {fmt::format(
                "{}, and none of it is {}; leave the filter out, or ask for the throughput of it.",
                counts, to_text(filter))}};
  return {
      .notes = {fmt::format("{}; {} narrows down what is counted, and not what it is divided by.",
                            counts, to_text(filter))}};
}

std::optional<std::string> label_called(const std::string& label, const LabelSet& labels,
                                        const MetricsConfig& config) {
  if (const auto found = labels.find(label); found != labels.end()) return found->second;
  const auto known = config.labels.find(label);
  if (known == config.labels.end()) return std::nullopt;
  for (const std::string& name : known->second)
    if (const auto found = labels.find(name); found != labels.end()) return found->second;
  return std::nullopt;
}

bool any_fits(const std::vector<LabelFilter>& filters, std::span<const LabelSet> series) {
  const auto matcher = LabelMatcher::create(filters);
  // A bad pattern is the source's to refuse.
  if (!matcher) return true;
  return std::ranges::any_of(series,
                             [&](const LabelSet& labels) { return matcher->matches(labels); });
}

std::optional<LabelFilter> quantile_of_summary(double wanted, std::span<const LabelSet> series) {
  std::optional<LabelFilter> nearest;
  double distance = 0;
  for (const LabelSet& labels : series) {
    const auto label = labels.find("quantile");
    const auto value = label == labels.end() ? std::nullopt : number_of(label->second);
    if (!value) return std::nullopt;
    const double its = std::abs(*value - wanted);
    if (nearest && its >= distance) continue;
    nearest = {"quantile", LabelFilter::Op::kEqual, label->second};
    distance = its;
  }
  return nearest;
}

ResolvedLabels resolve_labels(const std::vector<std::string>& by, const MetricsConfig& config,
                              std::span<const LabelSet> series) {
  ResolvedLabels out;
  for (const std::string& label : by) {
    if (has_label(series, label)) {
      out.labels.push_back(label);
    } else if (auto other = other_name(label, config, series)) {
      out.notes.push_back(fmt::format("by={} was taken as by={}.", label, *other));
      out.labels.push_back(std::move(*other));
    } else {
      const std::set<std::string> labels = labels_in(series);
      out.notes.push_back(
          fmt::format("No series has the label of by={}, which is left out; the "
                      "labels are: {}.",
                      label, join({labels.begin(), labels.end()}, ", ")));
    }
  }
  return out;
}

std::vector<std::string> labels_of_layouts(std::span<const LabelSet> buckets) {
  using Bounds = std::set<double>;
  std::map<LabelSet, Bounds> layouts;
  for (const LabelSet& bucket : buckets) {
    // "1" and "1.0" are one bound.
    const double bound = bucket_bound(bucket);
    LabelSet labels = bucket;
    labels.erase("le");
    if (!std::isnan(bound)) layouts[std::move(labels)].insert(bound);
  }
  std::vector<LabelSet> histograms;
  std::set<Bounds> different;
  for (const auto& [labels, bounds] : layouts) {
    histograms.push_back(labels);
    different.insert(bounds);
  }
  if (different.size() < 2) return {};
  const std::vector<std::string> telling = telling_labels(histograms, {});
  const auto keeps_apart = [&](const std::string& label) {
    std::map<std::string, const Bounds*> first;
    return std::ranges::all_of(layouts, [&](const auto& layout) {
      const auto value = layout.first.find(label);
      const auto [entry, fresh] = first.try_emplace(
          value == layout.first.end() ? std::string() : value->second, &layout.second);
      return *entry->second == layout.second;
    });
  };
  const auto one = std::ranges::find_if(telling, keeps_apart);
  return one == telling.end() ? telling : std::vector{*one};
}

std::vector<std::string> telling_labels(std::span<const LabelSet> series,
                                        const std::vector<std::string>& but) {
  std::map<std::string, std::set<std::string>> values;
  for (const LabelSet& labels : series)
    for (const auto& [label, value] : labels) values[label].insert(value);
  std::vector<std::string> out;
  for (const auto& [label, all] : values) {
    const bool everywhere =
        std::ranges::all_of(series, [&](const LabelSet& labels) { return labels.contains(label); });
    const bool tells = all.size() > 1 || !everywhere;
    if (tells && label != "le" && std::ranges::find(but, label) == but.end()) out.push_back(label);
  }
  return out;
}

}  // namespace precedent
