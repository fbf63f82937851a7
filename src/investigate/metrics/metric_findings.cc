#include "investigate/metrics/metric_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/strings.h"
#include "investigate/metrics/counters.h"
#include "investigate/metrics/earlier_days.h"
#include "investigate/metrics/metric_courses.h"
#include "investigate/metrics/service_labels.h"
#include "investigate/symptoms/words.h"

namespace precedent {
namespace {

// How near a ceiling is reached.
constexpr double kCeiling = 0.92;

// What a ceiling is: of a ratio or percents by its name, else the limit that stands beside it.
bool reached_ceiling(const MetricFinding& finding, const std::vector<Series>& all_limits) {
  if (!finding.course.up() || !finding.meaning) return false;
  const std::vector<std::string> parts = parts_of(finding.metric);
  const auto has = [&](std::string_view part) {
    return std::ranges::find(parts, part) != parts.end();
  };
  const double peak = finding.course.peak;
  if (has("utilization") || has("usage") || has("saturation") || has("percent") || has("ratio")) {
    if (finding.course.usual <= 1 && peak <= 1.05) return peak >= kCeiling;
    if (peak <= 105) return peak >= 100 * kCeiling;
  }
  for (const Series& limit : all_limits)
    if (!limit.samples.empty() && limit.samples.back().value > 0 &&
        peak >= kCeiling * limit.samples.back().value && peak <= 1.1 * limit.samples.back().value)
      return true;
  return false;
}

std::optional<Instant> zero_of(const std::vector<Sample>& samples) {
  for (size_t i = 1; i < samples.size(); ++i)
    if (samples[i - 1].value > 0 && samples[i].value <= 0) return samples[i].at;
  return std::nullopt;
}

// What of a metric is read as series: of a histogram or a summary what makes its mean.
std::vector<MetricInfo> series_of(const MetricInfo& metric) {
  if (metric.type != MetricType::kHistogram && metric.type != MetricType::kSummary) return {metric};
  MetricInfo sum = metric, count = metric;
  sum.name += "_sum";
  count.name += "_count";
  sum.type = count.type = MetricType::kCounter;
  return {sum, count};
}

Result<std::vector<RecordedSeries>> read_all(const MetricsSource& source, const Window& window,
                                             const SourceContext& context, MetricEvidence& out) {
  std::vector<RecordedSeries> all;
  for (const MetricInfo& metric : TRY(source.catalogue(context)))
    for (const MetricInfo& info : series_of(metric))
      if (const auto read = read_series(source, info, window, context, all); !read)
        out.missing.push_back(fmt::format("{}: {}", info.name, read.error().text()));
  return all;
}

// A crash is telling by itself, however seldom: these are read as they stand.
bool counts_crashes(const std::optional<MetricMeaning>& meaning) {
  return meaning &&
         (meaning->symptom == Symptom::kCrash || meaning->symptom == Symptom::kOutOfMemory);
}

// "request_seconds_count" beside "request_seconds_sum": how many, whatever they measure.
bool counts_what_is_summed(const RecordedSeries& one, const std::vector<RecordedSeries>& all) {
  return one.counter && one.metric.ends_with("_count") &&
         std::ranges::any_of(all, [&](const RecordedSeries& other) {
           return count_beside(other.metric) == one.metric;
         });
}

double strength(const MetricFinding& finding) {
  const double spread = std::max(finding.course.spread, 1e-9);
  const double z = std::abs(finding.course.peak - finding.course.usual) / spread;
  return std::log1p(std::min(z, 1e6)) * (finding.worse ? 1.0 : 0.5);
}

}  // namespace

Result<MetricEvidence> find_departures(const MetricsSource& source, const Window& window,
                                       const SourceContext& context) {
  MetricEvidence out;
  std::vector<RecordedSeries> all = TRY(read_all(source, window, context, out));
  begin_with_zero(all, window);
  std::set<std::string> services, counted;
  size_t short_ones = 0, usual_ones = 0;
  EarlierDays earlier(source, window, context);
  bool compared = false;
  for (RecordedSeries& named : all) {
    ++out.series;
    const std::string service = service_of(named.series.labels);
    if (!service.empty()) services.insert(service);
    if (named.series.samples.size() < kLeastPoints) ++short_ones;
    const std::optional<MetricMeaning> meaning = counts_what_is_summed(named, all)
                                                     ? MetricMeaning{Symptom::kTraffic, true}
                                                     : meaning_of_metric(named.metric);
    if (meaning && meaning->symptom == Symptom::kTraffic && !service.empty())
      counted.insert(service);
    if (counts_crashes(meaning)) named.counter = false;
    const std::vector<Sample> samples = course_of(named, all);
    if (out.of_services.size() < kMaxCompared)
      if (auto kept = service_series(named.metric, {named.series.labels, samples}))
        out.of_services.push_back(std::move(*kept));
    const std::optional<Instant> zero =
        meaning && meaning->symptom == Symptom::kCertificate ? zero_of(samples) : std::nullopt;
    const bool events = named.counter && !named.metric.ends_with("_sum");
    auto course = events ? find_counter_departure(named.series.samples) : find_departure(samples);
    if (!course && !zero) continue;
    const auto compared_days = course ? earlier.compare(named, samples, *course) : std::nullopt;
    compared |= compared_days.has_value();
    if (compared_days && compared_days->usual && !zero) {
      ++usual_ones;
      continue;
    }
    if (compared_days && compared_days->beyond) {
      course->onset = course->visible = *compared_days->beyond;
      for (const Sample& sample : samples)
        if (sample.at < course->visible) course->calm = sample.at;
    }
    MetricFinding finding;
    finding.metric = named.metric;
    finding.labels = named.series.labels;
    finding.service = service;
    finding.meaning = meaning;
    if (course) finding.course = *course;
    finding.crossed_zero = zero;
    finding.per_second = named.counter && count_beside(named.metric).empty();
    finding.worse = !meaning || finding.course.up() == meaning->bad_up || zero;
    std::vector<Series> limits;
    for (const RecordedSeries& other : all)
      if (meaning && other.metric != named.metric && other.series.labels == named.series.labels &&
          other.metric.find("limit") != std::string::npos) {
        const auto beside = meaning_of_metric(other.metric);
        if (beside && beside->symptom == meaning->symptom) limits.push_back(other.series);
      }
    finding.saturated = reached_ceiling(finding, limits);
    out.findings.push_back(std::move(finding));
  }
  out.services.assign(services.begin(), services.end());
  out.counted.assign(counted.begin(), counted.end());
  if (out.series == 0) out.missing.push_back("no metric has samples in this window");
  if (short_ones > 0)
    out.missing.push_back(
        fmt::format("{} of {} series have fewer than {} samples; nothing can be "
                    "said of them",
                    short_ones, out.series, kLeastPoints));
  if (usual_ones > 0)
    out.missing.push_back(
        fmt::format("{} of {} series went as far at this hour on earlier days; they were left out",
                    usual_ones, out.series));
  if (!out.findings.empty() && !compared)
    out.missing.emplace_back(
        "no earlier day is recorded, so nothing was compared with what is usual for the hour");
  std::ranges::stable_sort(out.findings, std::greater<>(), strength);
  return out;
}

}  // namespace precedent
