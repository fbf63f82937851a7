// Over 400 lines: one report, whose steps narrow the same query and fill the same result.
#include "telemetry/report/metric_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/strings.h"
#include "telemetry/metrics/catalogue.h"
#include "telemetry/metrics/evaluate.h"
#include "telemetry/query/resolve_metric.h"
#include "telemetry/report/between_points.h"
#include "telemetry/report/closer_look.h"
#include "telemetry/report/fitting_alerts.h"
#include "telemetry/report/metric_course.h"
#include "telemetry/report/metric_names.h"
#include "telemetry/report/several_series.h"
#include "telemetry/report/window_total.h"

namespace precedent {
namespace {

using std::chrono::days;
using std::chrono::seconds;

// Of the breakdown, over all its series.
constexpr int64_t kMaxTopSamples = 200'000;
// How far back the last sample of an empty window is looked for.
constexpr days kLookBack{7};

template <typename T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

class Reporter {
 public:
  Reporter(const MetricsQuestion& question, const MetricSources& sources, TimeSpan span,
           const SourceContext& context)
      : question_(question), sources_(sources), span_(span), context_(context) {
    scope_.asked = question.filters;
    out_.from = span.from;
    out_.to = span.to;
    step_ = step_of(std::chrono::floor<seconds>(span.to - span.from));
    out_.step = step_;
  }

  Result<MetricsResult> run() {
    if (!question_.alert.empty()) {
      const bool all = question_.alert == kAllAlerts;
      out_.metric = all ? "alerts" : question_.alert;
      add_alerts(all ? "" : question_.alert);
      // Nothing else was asked: that none could be read must not look as if none were active.
      if (alert_error_) return std::unexpected(*alert_error_);
      return std::move(out_);
    }
    out_.source = sources_.metrics->describe();
    if (question_.metric.ends_with(kListMetrics)) {
      out_.metric = question_.metric;
      list_metrics(*sources_.metrics, TRY(sources_.metrics->catalogue(context_)), out_);
      return std::move(out_);
    }
    if (!question_.promql.empty()) {
      out_.metric = "PromQL";
      out_.expression = question_.promql;
      const RangeAsk ask = [&](const Window& window) {
        return sources_.metrics->range(PromQl{question_.promql}, window, context_);
      };
      TRY(report(ask, ask));
    } else {
      TRY(report_metric());
    }
    if (out_.alerts.empty()) add_alerts("");
    return std::move(out_);
  }

 private:
  seconds length() const { return std::chrono::floor<seconds>(span_.to - span_.from); }
  AskedWindow asked() const { return {span_.from, span_.to}; }
  // The window and the one before, so that the last point is the end of the window.
  Window both(seconds step) const {
    const int64_t count = 2 * length().count() / step.count();
    return {span_.to - step * count, span_.to, step};
  }

  Result<void> report_metric() {
    out_.metric = question_.metric;
    const std::vector<MetricInfo> catalogue = TRY(sources_.metrics->catalogue(context_));
    auto resolved = resolve_metric(question_, sources_.config, catalogue);
    if (!resolved) {
      add_alerts(question_.metric);
      if (out_.alerts.empty())
        tell_unknown(question_.metric, resolved.error(), *sources_.metrics, sources_.config,
                     catalogue, out_);
      else
        out_.notes.push_back(fmt::format("{} is an alert, and no metric.", question_.metric));
      return {};
    }
    out_.unit = resolved->unit;
    if (!resolved->promql.empty()) {
      out_.expression = fill_in_promql(resolved->promql, question_.filters, question_.by,
                                       std::max(resolved->query.range, step_));
      const auto ask_for = [&](std::string promql) -> RangeAsk {
        return [this, promql = std::move(promql)](const Window& window) {
          return sources_.metrics->range(PromQl{promql}, window, context_);
        };
      };
      return report(ask_for(out_.expression),
                    ask_for(fill_in_promql(resolved->promql, question_.filters, question_.by,
                                           resolved->query.range)));
    }
    return report_query(*resolved);
  }

  Result<void> report_query(ResolvedMetric& resolved) {
    MetricQuery& query = resolved.query;
    const Instant since = std::min<Instant>(span_.from - length(), span_.to - kLookBack);
    std::vector<LabelSet> series =
        TRY(sources_.metrics->series(resolved.labels_of, since, span_.to, context_));
    if (series.empty()) {
      out_.notes.push_back(fmt::format("{} has no samples in the {} before {}.",
                                       resolved.labels_of.metric, format_duration(kLookBack),
                                       format_time(span_.to)));
      append(out_.notes, sources_.metrics->unread());
      return {};
    }
    // What a ratio counts may be another metric than what it is a part of.
    const std::vector<LabelSet> counted =
        query.statistic == Statistic::kRatio && query.of.metric != query.over.metric
            ? TRY(sources_.metrics->series({query.of.metric}, since, span_.to, context_))
            : series;
    // A template's own filters name labels as people do, too.
    const ResolvedFilters own = resolve_filters(query.of.filters, sources_.config, counted);
    const ResolvedFilters asked = resolve_filters(question_.filters, sources_.config, series);
    std::vector<std::string> missing = asked.missing;
    // Nothing of a value is 0; of a label that is not there nobody knows.
    if (!counted.empty())
      missing.insert(missing.end(), own.unlabelled.begin(), own.unlabelled.end());
    query.of.filters = own.filters;
    append(out_.notes, asked.notes);
    for (const LabelFilter& filter : asked.filters) {
      query.of.filters.push_back(filter);
      if (query.statistic != Statistic::kRatio) continue;
      const ResolvedFilters narrowed =
          narrow_ratio(out_.metric, filter, own.filters, sources_.config, counted);
      append(query.over.filters, narrowed.filters);
      append(out_.notes, narrowed.notes);
      append(missing, narrowed.missing);
    }
    append(out_.notes, resolved.notes);
    if (query.statistic == Statistic::kValue) choose_quantile(series, query);
    scope_ = scope_of(question_, asked.filters, series, sources_.config);
    resolve_by(series, own.filters, query);
    out_.expression = to_promql(query);
    if (!missing.empty()) {
      append(out_.notes, missing);
      return {};
    }
    MetricQuery near = query;
    query.range = std::max(query.range, step_);
    if (query.statistic == Statistic::kIncrease) {
      if (!out_.unit.empty()) out_.unit += ' ';
      out_.unit += "in " + format_duration(query.range);
    }
    if (query.statistic == Statistic::kQuantile) TRY(keep_layouts_apart(query));
    out_.expression = to_promql(query);
    near.by = query.by;
    is_value_ = query.statistic == Statistic::kValue;
    const auto ask_for = [&](const MetricQuery& wanted) -> RangeAsk {
      return
          [&](const Window& window) { return sources_.metrics->range(wanted, window, context_); };
    };
    // An increase is one within its range.
    TRY(report(ask_for(query),
               query.statistic == Statistic::kIncrease ? RangeAsk() : ask_for(near)));
    // Samples that come every five minutes have no rate over five minutes; what ended has none at
    // all.
    const bool rated = query.statistic != Statistic::kIncrease && !is_value_ && out_.series == 0 &&
                       comes_still(query, resolved.labels_of.metric);
    for (const seconds wider :
         {seconds(std::chrono::minutes(15)), seconds(std::chrono::hours(1))}) {
      if (out_.summary || !rated || wider <= query.range) continue;
      MetricQuery wide = query;
      wide.range = wider;
      TRY(report(ask_for(wide), ask_for(wide)));
      if (!out_.summary) continue;
      out_.notes.push_back(
          fmt::format("Its samples are too far apart for {}: each point is of the {} before it.",
                      format_duration(query.range), format_duration(wider)));
      query.range = near.range = wider;
      out_.expression = to_promql(query);
    }
    if (!out_.summary) return say_last_sample(query);
    out_.total = total_of(*sources_.metrics, query, out_.unit, span_.from, span_.to, context_);
    if (query.statistic == Statistic::kQuantile)
      for (const MetricQuery& one : {near, query}) tell_ceiling(one);
    return add_top(resolved, own.filters);
  }

  // Whether the samples themselves, rather than rates of them, reach up to the end of the window.
  bool comes_still(const MetricQuery& query, const std::string& metric) {
    const Selector& asked = query.statistic == Statistic::kRatio ? query.over : query.of;
    const MetricQuery raw{.statistic = Statistic::kValue, .of = {metric, asked.filters}};
    const auto answer = sources_.metrics->range(
        raw, {span_.to - kClose, span_.to, std::chrono::minutes(1)}, context_);
    return answer && !answer->series.empty();
  }

  // The figures of a summary are of one of its quantiles, at its highest.
  void choose_quantile(std::span<const LabelSet> series, MetricQuery& query) {
    const auto chosen = quantile_of_summary(query.quantile, series);
    if (!chosen || std::ranges::find(query.of.filters, chosen->label, &LabelFilter::label) !=
                       query.of.filters.end())
      return;
    query.of.filters.push_back(*chosen);
    if (!question_.aggregation) query.aggregation = Aggregation::kMax;
    out_.notes.push_back(fmt::format("{} is a summary; the figures are of its quantile {}.",
                                     query.of.metric, chosen->value));
  }

  void resolve_by(std::span<const LabelSet> series, const std::vector<LabelFilter>& own,
                  const MetricQuery& query) {
    ResolvedLabels by = resolve_labels(question_.by, sources_.config, series);
    append(out_.notes, by.notes);
    for (std::string& label : by.labels) {
      const bool counts_by_it = std::ranges::find(own, label, &LabelFilter::label) != own.end();
      if (query.statistic == Statistic::kRatio && counts_by_it)
        out_.notes.push_back(fmt::format("by={0} is left out: {1} selects by {0} what it counts.",
                                         label, out_.metric));
      else
        by_.push_back(std::move(label));
    }
  }

  // Where histograms differ in their buckets, the figures are of one of them.
  Result<void> keep_layouts_apart(MetricQuery& query) {
    buckets_ = TRY(sources_.metrics->series({query.of.metric + "_bucket", query.of.filters},
                                            span_.from - length(), span_.to, context_));
    query.by = labels_of_layouts(buckets_);
    const auto is_open = [](const LabelSet& bucket) { return std::isinf(bucket_bound(bucket)); };
    if (!buckets_.empty() && std::ranges::none_of(buckets_, is_open))
      out_.notes.push_back(fmt::format(
          "The histogram {} has no bucket le=\"+Inf\", without which no quantile is known.",
          query.of.metric));
    if (query.by.empty()) return {};
    apart_ = true;
    out_.notes.push_back(fmt::format(
        "The histograms of {0} differ in their buckets by {1}, so that a quantile over all of them "
        "would be wrong: they are kept apart by {1}.",
        query.of.metric, join(query.by, ", ")));
    for (const std::string& label : query.by)
      if (!by_.empty() && std::ranges::find(by_, label) == by_.end()) by_.push_back(label);
    return {};
  }

  // Asks for the window, the one before, a day and a week ago; by `close` where the steps are far.
  Result<void> report(const RangeAsk& ask, const RangeAsk& close = {}) {
    const SeriesSet answer = TRY(ask(both(step_)));
    out_.notes.insert(out_.notes.end(), answer.warnings.begin(), answer.warnings.end());
    out_.series = answer.series.size();
    const Series* series = most_changed(answer.series, asked(), apart_);
    if (series == nullptr) {
      if (question_.metric.empty()) out_.notes.push_back("The query has no values in this window.");
      return {};
    }
    if (answer.series.size() > 1) {
      out_.of = format_labels(series->labels);
      out_.notes.push_back(
          fmt::format("{} series; the figures are of the one that changed most: {}.",
                      answer.series.size(), out_.of));
      out_.top = contributions(answer.series, asked(), false);
    }
    MetricCourse course{span_.from, span_.to, step_, series->samples, is_value_};
    course.day = earlier(ask, series->labels, "a day earlier", days(1));
    course.week = earlier(ask, series->labels, "a week earlier", days(7));
    if (length() < days(7) && course.week.empty())
      course.begins = begin_of(ask, series->labels, span_.from, span_.to);
    if (!tell_course(course, out_)) return {};
    if (close) look_closely(close, series->labels, course, out_);
    if (is_value_ || !question_.promql.empty())
      look_between(*sources_.metrics, out_.expression, series->labels, course, context_, out_);
    tell_silence(course, out_);
    figures_of_ = series->labels;
    return {};
  }

  // What ended so long before the window did, and the window before that; nothing where the samples
  // of the window itself reach back so far.
  std::vector<Sample> earlier(const RangeAsk& ask, const LabelSet& labels, std::string_view what,
                              days ago) {
    if (length() >= ago) return {};
    const Window window = both(step_).shifted(-ago);
    auto then = ask(window);
    if (!then) {
      out_.notes.push_back(
          fmt::format("The values of {} could not be read: {}", what, then.error().text()));
      return {};
    }
    const auto same = std::ranges::find(then->series, labels, &Series::labels);
    return same == then->series.end() ? std::vector<Sample>() : std::move(same->samples);
  }

  // A quantile among the observations above the highest bound is told as that bound. It is among
  // them if one a little lower is, too: one that lies on the bound by chance is not.
  void tell_ceiling(MetricQuery query) {
    constexpr double kLower = 1e-6, kRounding = 1e-9;
    const auto bound = highest_bound(buckets_, figures_of_);
    const Instant at = out_.summary->max_at;
    if (out_.ceiling || !bound || out_.summary->max < *bound * (1 - kRounding)) return;
    query.quantile -= kLower;
    const auto answer = sources_.metrics->range(query, {at, at, kClose}, context_);
    if (!answer || query.quantile < 0) return;
    const auto same = std::ranges::find(answer->series, figures_of_, &Series::labels);
    if (same == answer->series.end() || !(same->samples[0].value >= *bound * (1 - kRounding)))
      return;
    out_.ceiling = bound;
    out_.notes.push_back(fmt::format(
        "{:.6g}{}{} is the highest bound of the histogram: a figure that is that is at least that.",
        *bound, out_.unit.empty() ? "" : " ", out_.unit));
  }

  Result<void> say_last_sample(MetricQuery query) {
    const Window week{span_.to - kLookBack, span_.to, step_of(kLookBack)};
    query.range = std::max(query.range, std::chrono::floor<seconds>(week.step));
    const SeriesSet answer = TRY(sources_.metrics->range(query, week, context_));
    std::optional<Instant> last;
    for (const Series& series : answer.series)
      if (const auto summary = summarize(series.samples, week.from, week.to))
        last = std::max(last.value_or(Instant::min()), summary->last_at);
    out_.notes.push_back(
        last
            ? fmt::format("No values from {} to {}; asked again over {}: the last was about {}.",
                          format_time(span_.from), format_time(span_.to),
                          format_duration(kLookBack), format_time(*last))
            : fmt::format("No values from {} to {}, nor in the {} before.", format_time(span_.from),
                          format_time(span_.to), format_duration(kLookBack)));
    return {};
  }

  Result<void> add_top(const ResolvedMetric& resolved, const std::vector<LabelFilter>& own) {
    MetricQuery query = resolved.query;
    Selector selector = resolved.labels_of;
    selector.filters = query.statistic == Statistic::kRatio ? query.over.filters : query.of.filters;
    const std::vector<LabelSet> series =
        TRY(sources_.metrics->series(selector, span_.from - length(), span_.to, context_));
    std::vector<std::string> but;
    // 5xx over all: the label that makes the numerator is in no denominator.
    if (query.statistic == Statistic::kRatio)
      for (const LabelFilter& filter : own) but.push_back(filter.label);
    query.by = by_.empty() ? telling_labels(series, but) : by_;
    if (query.by.empty()) {
      out_.series = series.size();
      // Its labels say what it is of.
      if (series.size() == 1)
        out_.top = {{series.front(), out_.summary->mean, std::nullopt, std::nullopt}};
      return {};
    }
    const auto points = std::max<int64_t>(
        20, kMaxTopSamples / static_cast<int64_t>(std::max<size_t>(1, series.size())));
    seconds step = step_;
    while (2 * length() / step > points && step < length()) step *= 2;
    // An increase is one within its range.
    if (query.statistic != Statistic::kIncrease) query.range = std::max(query.range, step);
    const SeriesSet answer = TRY(sources_.metrics->range(query, both(step), context_));
    out_.series = answer.series.size();
    const bool adds_up = query.aggregation == Aggregation::kSum &&
                         query.statistic != Statistic::kQuantile &&
                         query.statistic != Statistic::kRatio;
    if (answer.series.size() > 1) out_.top = contributions(answer.series, asked(), adds_up);
    if (!is_value_) return {};
    if (by_.empty())
      tell_combined(answer.series, asked(), query.aggregation, step <= step_, out_);
    else if (series.size() > 1)
      out_.combined = combined_text(query.aggregation, series.size());
    if (!out_.combined.empty()) tell_choice(telling_labels(series, {}));
    return {};
  }

  // What else the figures could be of.
  void tell_choice(const std::vector<std::string>& by) {
    if (question_.aggregation) return;
    out_.notes.push_back(
        fmt::format("agg=max, agg=min, agg=avg or agg=sum makes one of the series otherwise; "
                    "filter= with one of {} takes a single one.",
                    join(by, ", ")));
  }

  void add_alerts(std::string_view name) {
    const auto added = precedent::add_alerts(question_, sources_, scope_, name, context_, out_);
    if (!added) alert_error_ = added.error();
  }

  const MetricsQuestion& question_;
  const MetricSources& sources_;
  TimeSpan span_;
  const SourceContext& context_;
  seconds step_{60};
  bool apart_ = false;             // quantiles of histograms with different buckets
  bool is_value_ = false;          // a gauge: its points are moments, not means
  std::vector<std::string> by_;    // the labels of by= as the metric has them
  LabelSet figures_of_;            // the labels of the series that the figures are of
  std::vector<LabelSet> buckets_;  // of the histogram that is asked for
  AlertScope scope_;
  std::optional<Error> alert_error_;
  MetricsResult out_;
};

}  // namespace

Result<MetricsResult> report_metrics(const MetricsQuestion& question, const MetricSources& sources,
                                     Instant now, const SourceContext& context) {
  std::vector<std::string> notes;
  if (sources.metrics != nullptr) {
    const auto end = sources.metrics->frozen_at();
    if (end && *end < now) {
      notes.push_back(fmt::format("{} ends at {}, which counts as now.",
                                  sources.metrics->describe(), format_time(*end)));
      now = *end;
    }
  }
  const TimeSpan span = TRY(resolve_span(question, now, sources.config.window));
  MetricsResult result = TRY(Reporter(question, sources, span, context).run());
  for (std::string& note : result.notes)
    if (std::ranges::find(notes, note) == notes.end()) notes.push_back(std::move(note));
  result.notes = std::move(notes);
  return result;
}

}  // namespace precedent
