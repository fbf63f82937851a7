#include "investigate/metrics/metric_courses.h"

#include <algorithm>
#include <map>

#include "investigate/metrics/counters.h"
#include "investigate/metrics/service_labels.h"

namespace precedent {

Result<void> read_series(const MetricsSource& source, const MetricInfo& metric,
                         const Window& window, const SourceContext& context,
                         std::vector<RecordedSeries>& all) {
  SeriesSet set = TRY(source.range(PromQl{to_promql(Selector{metric.name, {}})}, window, context));
  for (Series& series : set.series) {
    const bool counter = is_counter(metric, series.samples);
    all.push_back({metric.name, std::move(series), counter});
  }
  return {};
}

void begin_with_zero(std::vector<RecordedSeries>& all, const Window& window) {
  std::map<std::string, Instant> first;
  std::map<std::pair<std::string, std::string>, std::vector<Instant>> ends;
  const auto key_of = [](const RecordedSeries& one) {
    return std::pair(one.metric, service_of(one.series.labels));
  };
  for (const RecordedSeries& one : all) {
    const std::vector<Sample>& samples = one.series.samples;
    if (samples.empty()) continue;
    Instant& begin = first.try_emplace(key_of(one).second, samples.front().at).first->second;
    begin = std::min(begin, samples.front().at);
    if (one.counter) ends[key_of(one)].push_back(samples.back().at);
  }
  const auto about = 10 * window.step;
  for (RecordedSeries& one : all) {
    std::vector<Sample>& samples = one.series.samples;
    if (!one.counter || samples.empty()) continue;
    const Instant since = first[key_of(one).second], begin = samples.front().at;
    const bool replaced = std::ranges::any_of(
        ends[key_of(one)], [&](Instant end) { return end > begin - about && end < begin + about; });
    if (begin - since < about || replaced) continue;
    std::vector<Sample> zeros;
    for (Instant at = since; at < begin; at += window.step) zeros.push_back({at, 0});
    samples.insert(samples.begin(), zeros.begin(), zeros.end());
  }
}

std::string count_beside(const std::string& metric) {
  constexpr std::string_view kSum = "_sum";
  if (!metric.ends_with(kSum)) return "";
  return metric.substr(0, metric.size() - kSum.size()) + "_count";
}

std::vector<Sample> course_of(const RecordedSeries& recorded, const std::vector<Sample>& count) {
  const std::vector<Sample>& samples = recorded.series.samples;
  if (!recorded.counter) return samples;
  return count.empty() ? rates_of(samples) : means_of(samples, count);
}

std::vector<Sample> course_of(const RecordedSeries& recorded,
                              const std::vector<RecordedSeries>& all) {
  const std::string often = recorded.counter ? count_beside(recorded.metric) : "";
  const auto count = std::ranges::find_if(all, [&](const RecordedSeries& other) {
    return !often.empty() && other.metric == often && other.series.labels == recorded.series.labels;
  });
  return course_of(recorded, count == all.end() ? std::vector<Sample>() : count->series.samples);
}

}  // namespace precedent
