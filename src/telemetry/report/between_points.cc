#include "telemetry/report/between_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "telemetry/promql/promql_parser.h"

namespace precedent {
namespace {

using std::chrono::days;
using std::chrono::seconds;

LabelSet without_name(const LabelSet& labels) {
  LabelSet rest = labels;
  rest.erase("__name__");
  return rest;
}

class Looker {
 public:
  Looker(const MetricsSource& metrics, const std::string& expression, const LabelSet& labels,
         const MetricCourse& course, const SourceContext& context)
      : metrics_(metrics),
        expression_(expression),
        labels_(without_name(labels)),
        course_(course),
        context_(context) {}

  // The extremes between the points of a window as long as the one that was asked for, and of the
  // one before it. Empty if the source has none.
  std::vector<Sample> extremes(std::string_view function, seconds ago) const {
    // Only a selector takes a plain range, and with it the raw samples.
    std::string asked = fmt::format("{}({}[{}s])", function, expression_, course_.step.count());
    if (!parse_promql(asked))
      asked = fmt::format("{}(({})[{}s:{}s])", function, expression_, course_.step.count(),
                          closeness().count());
    const int64_t count = 2 * (course_.to - course_.from) / course_.step;
    return samples(asked,
                   Window{course_.to - ago - count * course_.step, course_.to - ago, course_.step});
  }

  // The samples from the point before `at` to a step behind it, seen closely.
  std::vector<Sample> about(Instant at) const {
    return samples(expression_, Window{at - course_.step, at + course_.step, closeness()});
  }

  // Why the source could not be asked; "" if it could.
  const std::string& problem() const { return problem_; }

 private:
  seconds closeness() const {
    return std::min(course_.step, std::max<seconds>(kBetween, course_.step / kMostBetween));
  }
  std::vector<Sample> samples(const std::string& promql, const Window& window) const {
    const auto answer = metrics_.range(PromQl{promql}, window, context_);
    if (!answer) {
      problem_ = answer.error().text();
      return {};
    }
    const auto same = std::ranges::find_if(answer->series, [&](const Series& series) {
      return without_name(series.labels) == labels_;
    });
    return same == answer->series.end() ? std::vector<Sample>() : same->samples;
  }

  const MetricsSource& metrics_;
  const std::string& expression_;
  LabelSet labels_;
  const MetricCourse& course_;
  const SourceContext& context_;
  mutable std::string problem_;
};

// The highest of the samples after `from` and up to `to`; the end of the list if there is none.
std::vector<Sample>::const_iterator highest(const std::vector<Sample>& samples, Instant from,
                                            Instant to) {
  auto best = samples.end();
  for (auto sample = samples.begin(); sample != samples.end(); ++sample) {
    if (sample->at <= from || sample->at > to || !std::isfinite(sample->value)) continue;
    if (best == samples.end() || sample->value > best->value) best = sample;
  }
  return best;
}

// Lows are highs of what is turned over.
std::vector<Sample> turned(std::vector<Sample> samples) {
  for (Sample& sample : samples) sample.value = -sample.value;
  return samples;
}

struct Spike {
  Instant at{}, from{};
  double value = 0;
  std::optional<Instant> until;  // nothing: it did not come back within a step
};

// What the highest of `extremes` in the window was, seen closely.
Spike seen_closely(const std::vector<Sample>& close, const Sample& extreme, double bound,
                   seconds step) {
  Spike spike{extreme.at, extreme.at, extreme.value, std::nullopt};
  const auto peak = highest(close, extreme.at - step, extreme.at);
  if (peak == close.end()) return spike;
  spike.at = spike.from = peak->at;
  for (auto sample = peak; sample->value > bound; --sample) {
    spike.from = sample->at;
    if (sample == close.begin()) break;
  }
  const auto back = std::find_if(peak, close.end(), [&](const Sample& sample) {
    return std::isfinite(sample.value) && sample.value <= bound;
  });
  if (back != close.end()) spike.until = back->at;
  return spike;
}

bool is_told(const std::vector<Episode>& episodes, const Spike& spike) {
  return std::ranges::any_of(episodes, [&](const Episode& episode) {
    return episode.above() && spike.at >= episode.from &&
           (!episode.until || spike.at <= *episode.until);
  });
}

double median_of(const MetricCourse& course, double otherwise) {
  std::vector<double> values;
  for (const Sample& sample : course.samples)
    if (std::isfinite(sample.value)) values.push_back(sample.value);
  return values.empty() ? otherwise : quantile_of(values, 0.5);
}

void find_high(const Looker& looker, const MetricCourse& course, MetricsResult& out) {
  WindowSummary& summary = *out.summary;
  const std::vector<Sample> extremes = looker.extremes("max_over_time", seconds(0));
  const auto extreme = highest(extremes, course.from, course.to);
  if (extreme == extremes.end() || extreme->value <= summary.max) return;
  // What was as high in the time before, or about a day earlier, is no news.
  const Instant begin = course.from - (course.to - course.from);
  double bound = 0;
  bool compared = false;
  const auto compare = [&](const std::vector<Sample>& samples, Instant from, Instant to) {
    const auto other = highest(samples, from, to);
    if (other == samples.end()) return;
    bound = compared ? std::max(bound, other->value) : other->value;
    compared = true;
  };
  compare(extremes, begin, course.from);
  compare(looker.extremes("max_over_time", days(1)), course.from - days(1), course.to - days(1));
  if (!compared) bound = summary.max;
  const double usual = median_of(course, summary.mean);
  const Spike spike = seen_closely(looker.about(extreme->at), *extreme, bound, course.step);
  summary.max = spike.value;
  summary.max_at = spike.at;
  if (bound <= 0 || spike.value <= kClearFactor * bound || !spike.until) return;
  if (!is_told(out.episodes, spike))
    out.episodes.push_back({.from = spike.from,
                            .until = spike.until,
                            .usual = usual,
                            .peak = spike.value,
                            .peak_at = spike.at});
}

void find_low(const Looker& looker, const MetricCourse& course, MetricsResult& out) {
  WindowSummary& summary = *out.summary;
  const std::vector<Sample> extremes = turned(looker.extremes("min_over_time", seconds(0)));
  const auto extreme = highest(extremes, course.from, course.to);
  if (extreme == extremes.end() || -extreme->value >= summary.min) return;
  const Spike low = seen_closely(turned(looker.about(extreme->at)), *extreme,
                                 std::numeric_limits<double>::infinity(), course.step);
  summary.min = -low.value;
  summary.min_at = low.at;
}

}  // namespace

void look_between(const MetricsSource& metrics, const std::string& expression,
                  const LabelSet& labels, const MetricCourse& course, const SourceContext& context,
                  MetricsResult& out) {
  const Looker looker(metrics, expression, labels, course, context);
  find_high(looker, course, out);
  find_low(looker, course, out);
  if (!looker.problem().empty())
    out.notes.push_back(
        fmt::format("The highest and the lowest are of points every {}, and not of "
                    "what lies between them: {}",
                    format_duration(course.step), looker.problem()));
}

}  // namespace precedent
