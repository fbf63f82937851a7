#include "investigate/metric_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/strings.h"
#include "investigate/running_level.h"
#include "investigate/service_labels.h"
#include "investigate/words.h"

namespace precedent {
namespace {

// Of the samples, before anything could have happened.
constexpr double kCalmShare = 0.12;
constexpr size_t kLeastCalm = 5;
// Beyond: so many standard deviations, and at least this part of the usual level.
constexpr double kBeyond = 6;
constexpr double kLeastChange = 0.12;
// Of the samples after an onset, those that stay beyond.
constexpr double kStays = 0.6;
// How near a ceiling is reached.
constexpr double kCeiling = 0.92;

struct Calm {
  double median = 0, spread = 0;
  size_t end = 0;
};

// Of the first `end` samples. `level` has had the first of them.
Calm level_of(const std::vector<Sample>& samples, size_t end, RunningLevel& level) {
  while (level.size() < end) level.add(samples[level.size()].value);
  return {level.median(), level.deviation(), end};
}

double bound_of(const Calm& calm, double range) {
  return std::max({kBeyond * calm.spread, kLeastChange * std::abs(calm.median), 0.02 * range});
}

// Whether from `begin` on the samples stay beyond on the side of `up`, up to the end or for a
// while: an outage may end within the window.
bool stays(const std::vector<Sample>& samples, size_t begin, const Calm& calm, double bound,
           bool up) {
  const size_t window = std::max<size_t>(3, samples.size() / 12);
  const size_t end = std::min(samples.size(), begin + window);
  size_t beyond = 0;
  for (size_t i = begin; i < end; ++i)
    beyond += (up ? samples[i].value - calm.median : calm.median - samples[i].value) > bound / 2;
  return static_cast<double>(beyond) >= kStays * static_cast<double>(end - begin);
}

// Where the line through the first samples beyond meets the usual level.
Instant begin_of_ramp(const std::vector<Sample>& samples, size_t first, size_t half,
                      double median) {
  const size_t end = std::min(samples.size(), half + 1);
  const auto x = [&](size_t i) {
    return static_cast<double>((samples[i].at - samples[first].at).count());
  };
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const auto n = static_cast<double>(end - first);
  for (size_t i = first; i < end; ++i) {
    sx += x(i), sy += samples[i].value, sxx += x(i) * x(i), sxy += x(i) * samples[i].value;
  }
  const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  if (!std::isfinite(slope) || slope == 0) return samples[first].at;
  const double at = (median - (sy - slope * sx) / n) / slope;
  const auto earliest = (samples.front().at - samples[first].at).count();
  const double clamped = std::clamp(at, static_cast<double>(earliest), 0.0);
  return samples[first].at + std::chrono::milliseconds(static_cast<int64_t>(clamped));
}

bool is_counter_of(std::string_view metric) { return metric.ends_with("_total"); }

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

struct Named {
  std::string metric;
  Series series;
};

Result<std::vector<Named>> read_all(const MetricsSource& source, const Window& window,
                                    const SourceContext& context, MetricEvidence& out) {
  std::vector<Named> all;
  for (const MetricInfo& info : TRY(source.catalogue(context))) {
    if (info.type == MetricType::kHistogram || info.type == MetricType::kSummary) {
      out.missing.push_back(
          fmt::format("{} is a {}; its course was not looked at", info.name, name(info.type)));
      continue;
    }
    const auto set = source.range(PromQl{to_promql(Selector{info.name, {}})}, window, context);
    if (!set) {
      out.missing.push_back(fmt::format("{}: {}", info.name, set.error().text()));
      continue;
    }
    for (const Series& series : set->series) all.push_back({info.name, series});
  }
  return all;
}

double strength(const MetricFinding& finding) {
  const double spread = std::max(finding.course.spread, 1e-9);
  const double z = std::abs(finding.course.peak - finding.course.usual) / spread;
  return std::log1p(std::min(z, 1e6)) * (finding.worse ? 1.0 : 0.5);
}

}  // namespace

double Departure::factor() const {
  const double low = std::min(std::abs(usual), std::abs(peak));
  const double high = std::max(std::abs(usual), std::abs(peak));
  return low > 0 ? high / low : (high > 0 ? 1000 : 1);
}

std::optional<Departure> find_departure(const std::vector<Sample>& all) {
  std::vector<Sample> samples;
  for (const Sample& sample : all)
    if (std::isfinite(sample.value)) samples.push_back(sample);
  if (samples.size() < kLeastPoints) return std::nullopt;
  const auto [low, high] = std::ranges::minmax(samples, {}, &Sample::value);
  const double range = high.value - low.value;
  if (range == 0) return std::nullopt;
  size_t end =
      std::max(kLeastCalm, static_cast<size_t>(kCalmShare * static_cast<double>(samples.size())));
  end = std::min(end, samples.size() - 2);
  RunningLevel level;
  Calm calm = level_of(samples, end, level);
  std::optional<size_t> first;
  bool up = true;
  for (size_t i = end; i < samples.size(); ++i) {
    const double bound = bound_of(calm, range);
    const double away = samples[i].value - calm.median;
    if (std::abs(away) > bound && stays(samples, i, calm, bound, away > 0)) {
      first = i;
      up = away > 0;
      break;
    }
    // Only while it is calm, and never the whole series: a slow ramp must not become usual.
    if (i < samples.size() / 3 && std::abs(away) < 3 * calm.spread)
      calm = level_of(samples, i + 1, level);
  }
  if (!first) return std::nullopt;
  Departure out;
  out.usual = calm.median;
  out.spread = calm.spread;
  out.visible = samples[*first].at;
  out.calm = samples[*first - 1].at;
  const auto farther = [&](const Sample& a, const Sample& b) {
    return up ? a.value < b.value : a.value > b.value;
  };
  const auto peak = std::max_element(samples.begin() + static_cast<std::ptrdiff_t>(*first),
                                     samples.end(), farther);
  out.peak = peak->value;
  out.peak_at = peak->at;
  size_t half = *first;
  while (half < samples.size() &&
         std::abs(samples[half].value - calm.median) < std::abs(out.peak - calm.median) / 2)
    ++half;
  out.ramp = half - *first > std::max<size_t>(2, samples.size() / 10);
  out.onset = out.ramp ? begin_of_ramp(samples, *first, half, calm.median) : out.visible;
  return out;
}

Result<MetricEvidence> find_departures(const MetricsSource& source, const Window& window,
                                       const SourceContext& context) {
  MetricEvidence out;
  std::vector<Named> all = TRY(read_all(source, window, context, out));
  std::set<std::string> services;
  size_t short_ones = 0;
  for (Named& named : all) {
    ++out.series;
    const std::string service = service_of(named.series.labels);
    if (!service.empty()) services.insert(service);
    if (named.series.samples.size() < kLeastPoints) ++short_ones;
    if (out.of_services.size() < kMaxCompared)
      if (auto kept = service_series(named.metric, named.series))
        out.of_services.push_back(std::move(*kept));
    std::vector<Sample>& samples = named.series.samples;
    const auto meaning = meaning_of_metric(named.metric);
    const std::optional<Instant> zero =
        meaning && meaning->symptom == Symptom::kCertificate ? zero_of(samples) : std::nullopt;
    const auto course = find_departure(samples);
    if (!course && !zero) continue;
    MetricFinding finding;
    finding.metric = named.metric;
    finding.labels = named.series.labels;
    finding.service = service;
    finding.meaning = meaning;
    if (course) finding.course = *course;
    finding.crossed_zero = zero;
    // What only counts up does so on every calm day.
    if (meaning && meaning->symptom == Symptom::kTraffic && is_counter_of(named.metric)) continue;
    finding.worse = !meaning || finding.course.up() == meaning->bad_up || zero;
    std::vector<Series> limits;
    for (const Named& other : all)
      if (meaning && other.metric != named.metric && other.series.labels == named.series.labels &&
          other.metric.find("limit") != std::string::npos) {
        const auto beside = meaning_of_metric(other.metric);
        if (beside && beside->symptom == meaning->symptom) limits.push_back(other.series);
      }
    finding.saturated = reached_ceiling(finding, limits);
    out.findings.push_back(std::move(finding));
  }
  out.services.assign(services.begin(), services.end());
  if (out.series == 0) out.missing.push_back("no metric has samples in this window");
  if (short_ones > 0)
    out.missing.push_back(
        fmt::format("{} of {} series have fewer than {} samples; nothing can be "
                    "said of them",
                    short_ones, out.series, kLeastPoints));
  std::ranges::stable_sort(out.findings, std::greater<>(), strength);
  return out;
}

}  // namespace precedent
