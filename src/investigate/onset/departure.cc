#include "investigate/onset/departure.h"

#include <algorithm>
#include <cmath>

#include "investigate/onset/running_level.h"

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

struct Calm {
  double median = 0, spread = 0;
  size_t end = 0;
};

// Of the first `end` samples. `level` has had the first of them.
Calm level_of(const std::vector<Sample>& samples, size_t end, RunningLevel& level) {
  while (level.size() < end) level.add(samples[level.size()].value);
  return {level.median(), level.deviation(), end};
}

double bound_of(const Calm& calm, double range, const LeastSpread& least) {
  const double spread = least ? std::max(calm.spread, least(calm.median)) : calm.spread;
  return std::max({kBeyond * spread, kLeastChange * std::abs(calm.median), 0.02 * range});
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

}  // namespace

double Departure::factor() const {
  const double low = std::min(std::abs(usual), std::abs(peak));
  const double high = std::max(std::abs(usual), std::abs(peak));
  return low > 0 ? high / low : (high > 0 ? 1000 : 1);
}

std::optional<Departure> find_departure(const std::vector<Sample>& all, const LeastSpread& least) {
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
    const double bound = bound_of(calm, range, least);
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

}  // namespace precedent
