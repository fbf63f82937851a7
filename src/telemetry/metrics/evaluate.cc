#include "telemetry/metrics/evaluate.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/utf8.h"

namespace precedent {
namespace {

using std::chrono::milliseconds;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A value for each point of the window; NaN with `has` false is no value.
struct Column {
  LabelSet labels;
  std::vector<double> values;
  std::vector<bool> has;

  Column(LabelSet with_labels, size_t points)
      : labels(std::move(with_labels)), values(points), has(points) {}
  void set(size_t point, double value) {
    values[point] = value;
    has[point] = true;
  }
};

void instant_values(const Series& series, const Window& window, Column& out) {
  size_t next = 0;
  for (size_t point = 0; point < out.values.size(); ++point) {
    const Instant at = window.from + window.step * point;
    while (next < series.samples.size() && series.samples[next].at <= at) ++next;
    if (next == 0) continue;
    const Sample& last = series.samples[next - 1];
    if (last.at >= at - kLookback && !is_stale(last.value)) out.set(point, last.value);
  }
}

void increases(std::span<const Sample> samples, const Window& window, milliseconds range,
               double scale, Column& out) {
  size_t begin = 0, end = 0;
  for (size_t point = 0; point < out.values.size(); ++point) {
    const Instant at = window.from + window.step * point;
    while (end < samples.size() && samples[end].at <= at) ++end;
    while (begin < end && samples[begin].at < at - range) ++begin;
    const auto value = increase_within(samples.subspan(begin, end - begin), at, range);
    if (value) out.set(point, *value * scale);
  }
}

LabelSet kept(const LabelSet& labels, const std::vector<std::string>& by) {
  LabelSet out;
  for (const std::string& label : by)
    if (const auto found = labels.find(label); found != labels.end() && !found->second.empty())
      out.insert(*found);
  return out;
}

// Adds a value to what a group has at a point. NaN spreads, but for min and max, as in Prometheus.
void accumulate(Aggregation aggregation, Column& group, std::vector<double>& counts, size_t point,
                double value) {
  double& sum = group.values[point];
  if (!group.has[point]) {
    group.set(point, aggregation == Aggregation::kCount ? 1 : value);
    counts[point] = 1;
    return;
  }
  counts[point] += 1;
  switch (aggregation) {
    case Aggregation::kSum:
    case Aggregation::kAvg: sum += value; break;
    case Aggregation::kMin: sum = std::isnan(sum) || value < sum ? value : sum; break;
    case Aggregation::kMax: sum = std::isnan(sum) || value > sum ? value : sum; break;
    case Aggregation::kCount: sum += 1; break;
  }
}

std::vector<Column> aggregate(const std::vector<Column>& columns, Aggregation aggregation,
                              const std::vector<std::string>& by) {
  std::map<LabelSet, size_t> place;
  std::vector<Column> groups;
  std::vector<std::vector<double>> counts;
  for (const Column& column : columns) {
    LabelSet labels = kept(column.labels, by);
    const auto [entry, fresh] = place.try_emplace(labels, groups.size());
    if (fresh) {
      groups.emplace_back(std::move(labels), column.values.size());
      counts.emplace_back(column.values.size());
    }
    for (size_t point = 0; point < column.values.size(); ++point)
      if (column.has[point])
        accumulate(aggregation, groups[entry->second], counts[entry->second], point,
                   column.values[point]);
  }
  if (aggregation == Aggregation::kAvg)
    for (size_t group = 0; group < groups.size(); ++group)
      for (size_t point = 0; point < counts[group].size(); ++point)
        if (groups[group].has[point]) groups[group].values[point] /= counts[group][point];
  return groups;
}

std::vector<Column> quantiles(const std::vector<Column>& buckets, double quantile) {
  struct Group {
    std::vector<const Column*> columns;
    std::vector<double> bounds;
  };
  std::map<LabelSet, Group> groups;
  for (const Column& column : buckets) {
    const double bound = bucket_bound(column.labels);
    if (std::isnan(bound)) continue;
    LabelSet labels = column.labels;
    labels.erase("le");
    Group& group = groups[std::move(labels)];
    group.columns.push_back(&column);
    group.bounds.push_back(bound);
  }
  std::vector<Column> out;
  for (const auto& [labels, group] : groups) {
    Column column(labels, group.columns.front()->values.size());
    for (size_t point = 0; point < column.values.size(); ++point) {
      std::vector<Bucket> at_point;
      for (size_t i = 0; i < group.columns.size(); ++i)
        if (group.columns[i]->has[point])
          at_point.push_back({group.bounds[i], group.columns[i]->values[point]});
      if (!at_point.empty()) column.set(point, bucket_quantile(quantile, std::move(at_point)));
    }
    out.push_back(std::move(column));
  }
  return out;
}

// 0 where the numerator has no value and the denominator has one.
std::vector<Column> ratios(const std::vector<Column>& of, const std::vector<Column>& over) {
  std::map<LabelSet, const Column*> numerators;
  for (const Column& column : of) numerators.emplace(column.labels, &column);
  std::vector<Column> out;
  for (const Column& below : over) {
    const auto found = numerators.find(below.labels);
    Column column(below.labels, below.values.size());
    for (size_t point = 0; point < below.values.size(); ++point) {
      if (!below.has[point]) continue;
      const bool above = found != numerators.end() && found->second->has[point];
      const double value = above ? found->second->values[point] : 0 * below.values[point];
      column.set(point, value / below.values[point]);
    }
    out.push_back(std::move(column));
  }
  return out;
}

class Evaluation {
 public:
  Evaluation(const MetricQuery& query, const Window& window, const SeriesOf& series_of)
      : query_(query), window_(window), series_of_(series_of) {}

  Result<std::vector<Column>> run() const {
    switch (query_.statistic) {
      case Statistic::kValue:
      case Statistic::kRate:
      case Statistic::kIncrease:
        return aggregate(TRY(columns(query_.of, query_.statistic)), query_.aggregation, query_.by);
      case Statistic::kQuantile: {
        std::vector<std::string> by = query_.by;
        by.emplace_back("le");
        const auto buckets =
            TRY(columns({query_.of.metric + "_bucket", query_.of.filters}, Statistic::kRate));
        return quantiles(aggregate(buckets, Aggregation::kSum, by), query_.quantile);
      }
      case Statistic::kRatio: {
        const auto rates = [&](const Selector& selector) -> Result<std::vector<Column>> {
          return aggregate(TRY(columns(selector, Statistic::kRate)), Aggregation::kSum, query_.by);
        };
        return ratios(TRY(rates(query_.of)), TRY(rates(query_.over)));
      }
    }
    return std::vector<Column>{};
  }

 private:
  Result<std::vector<Column>> columns(const Selector& selector, Statistic statistic) const {
    const LabelMatcher matcher = TRY(LabelMatcher::create(selector.filters));
    std::vector<Column> out;
    const double seconds = std::chrono::duration<double>(query_.range).count();
    for (const Series& series : series_of_(selector.metric)) {
      if (!matcher.matches(series.labels)) continue;
      Column& column = out.emplace_back(series.labels, window_.points());
      if (statistic == Statistic::kValue) {
        instant_values(series, window_, column);
        continue;
      }
      std::vector<Sample> counted;
      counted.reserve(series.samples.size());
      for (const Sample& sample : series.samples)
        if (!is_stale(sample.value)) counted.push_back(sample);
      increases(counted, window_, query_.range, statistic == Statistic::kRate ? 1 / seconds : 1,
                column);
    }
    return out;
  }

  const MetricQuery& query_;
  const Window& window_;
  const SeriesOf& series_of_;
};

}  // namespace

struct LabelMatcher::Test {
  LabelFilter filter;
  std::unique_ptr<RE2> pattern;  // of the two operators that have one
};

LabelMatcher::LabelMatcher() = default;
LabelMatcher::LabelMatcher(LabelMatcher&&) noexcept = default;
LabelMatcher::~LabelMatcher() = default;

Result<LabelMatcher> LabelMatcher::create(const std::vector<LabelFilter>& filters) {
  LabelMatcher matcher;
  for (const LabelFilter& filter : filters) {
    Test test{filter, nullptr};
    if (filter.op == LabelFilter::Op::kMatches || filter.op == LabelFilter::Op::kNotMatches) {
      RE2::Options options;
      options.set_log_errors(false);
      options.set_dot_nl(true);
      test.pattern = std::make_unique<RE2>(filter.value, options);
      if (!test.pattern->ok())
        return fail(ErrorCode::kInvalidArgument,
                    fmt::format("{}: this is no regular expression ({}); correct it, or filter by "
                                "the exact value with =",
                                utf8_prefix(to_text(filter), 200), test.pattern->error()));
    }
    matcher.tests_.push_back(std::move(test));
  }
  return matcher;
}

bool LabelMatcher::matches(const LabelSet& labels) const {
  return std::ranges::all_of(tests_, [&](const Test& test) {
    const auto found = labels.find(test.filter.label);
    const std::string_view value = found == labels.end() ? std::string_view() : found->second;
    switch (test.filter.op) {
      case LabelFilter::Op::kEqual: return value == test.filter.value;
      case LabelFilter::Op::kNotEqual: return value != test.filter.value;
      case LabelFilter::Op::kMatches: return RE2::FullMatch(value, *test.pattern);
      case LabelFilter::Op::kNotMatches: return !RE2::FullMatch(value, *test.pattern);
    }
    return false;
  });
}

std::optional<double> extrapolated(std::span<const Sample> samples, Instant from, Instant to,
                                   Counting counting) {
  if (samples.size() < 2) return std::nullopt;
  using Seconds = std::chrono::duration<double>;
  const Sample& first = samples.front();
  const Sample& last = samples.back();
  double increase = last.value - first.value;
  if (counting == Counting::kCounter)
    for (size_t i = 1; i < samples.size(); ++i)
      if (samples[i].value < samples[i - 1].value) increase += samples[i - 1].value;
  const double sampled = Seconds(last.at - first.at).count();
  const double between = sampled / static_cast<double>(samples.size() - 1);
  double to_start = Seconds(first.at - from).count();
  const double to_end = Seconds(to - last.at).count();
  // A counter does not reach below zero.
  if (counting == Counting::kCounter && increase > 0 && first.value >= 0)
    to_start = std::min(to_start, sampled * (first.value / increase));
  // A series that begins or ends within the range is extended by half a scrape only.
  const auto extended = [&](double gap) { return gap < between * 1.1 ? gap : between / 2; };
  return increase * ((sampled + extended(to_start) + extended(to_end)) / sampled);
}

std::optional<double> increase_within(std::span<const Sample> samples, Instant to,
                                      milliseconds range) {
  return extrapolated(samples, to - range, to, Counting::kCounter);
}

double bucket_bound(const LabelSet& labels) {
  const auto le = labels.find("le");
  if (le == labels.end()) return kNan;
  const std::string& text = le->second;
  if (text == "+Inf" || text == "Inf" || text == "inf") return kInfinity;
  double bound = kNan;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bound);
  return error == std::errc() && end == text.data() + text.size() ? bound : kNan;
}

double bucket_quantile(double quantile, std::vector<Bucket> buckets) {
  if (std::isnan(quantile) || buckets.empty()) return kNan;
  if (quantile < 0) return -kInfinity;
  if (quantile > 1) return kInfinity;
  std::ranges::sort(buckets, {}, &Bucket::upper_bound);
  if (!std::isinf(buckets.back().upper_bound)) return kNan;
  // One bucket may come under two spellings of its bound ("1", "1.0").
  std::vector<Bucket> merged;
  for (const Bucket& bucket : buckets) {
    if (!merged.empty() && merged.back().upper_bound == bucket.upper_bound)
      merged.back().count += bucket.count;
    else
      merged.push_back(bucket);
  }
  // Scrapes of several servers are not of one moment: counts may seem to fall.
  for (size_t i = 1; i < merged.size(); ++i)
    merged[i].count = std::max(merged[i].count, merged[i - 1].count);
  if (merged.size() < 2 || !(merged.back().count > 0)) return kNan;
  double rank = quantile * merged.back().count;
  const auto in = std::ranges::find_if(merged.begin(), merged.end() - 1,
                                       [&](const Bucket& bucket) { return bucket.count >= rank; });
  if (in == merged.end() - 1) return merged[merged.size() - 2].upper_bound;
  if (in == merged.begin() && in->upper_bound <= 0) return in->upper_bound;
  double start = 0, count = in->count;
  if (in != merged.begin()) {
    start = (in - 1)->upper_bound;
    count -= (in - 1)->count;
    rank -= (in - 1)->count;
  }
  return start + (in->upper_bound - start) * (rank / count);
}

Result<std::vector<Series>> evaluate(const MetricQuery& query, const Window& window,
                                     const SeriesOf& series_of) {
  std::vector<Column> columns = TRY(Evaluation(query, window, series_of).run());
  std::ranges::sort(columns, {}, &Column::labels);
  std::vector<Series> out;
  for (Column& column : columns) {
    Series series{std::move(column.labels), {}};
    for (size_t point = 0; point < column.values.size(); ++point)
      if (column.has[point])
        series.samples.push_back({window.from + window.step * point, column.values[point]});
    if (!series.samples.empty()) out.push_back(std::move(series));
  }
  return out;
}

}  // namespace precedent
