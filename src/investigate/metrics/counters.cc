#include "investigate/metrics/counters.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "investigate/onset/burst.h"

namespace precedent {
namespace {

using Seconds = std::chrono::duration<double>;

// Of all steps, those on which a counter may fall.
constexpr double kMayFall = 0.02;
// Fewer events than this are looked at one by one.
constexpr double kFewEvents = 500;

// What was counted up to each sample, without the falls.
std::vector<Sample> counted(const std::vector<Sample>& samples) {
  std::vector<Sample> out;
  double before = 0, last = 0;
  for (const Sample& sample : samples) {
    if (!std::isfinite(sample.value)) continue;
    if (!out.empty() && sample.value < last) before += last;
    last = sample.value;
    out.push_back({sample.at, before + last});
  }
  return out;
}

struct Stretch {
  Instant at{};
  double more = 0;  // counted within it
  double seconds = 0;
};

// For each sample, back over kRateRange or to the sample before. Asked for more often than it is
// scraped, a counter stands still and jumps: a stretch reaches from one jump to another, or a busy
// one would hold one jump more or less than its time. One that stands for a whole range has
// stopped.
std::vector<Stretch> stretches(const std::vector<Sample>& sums) {
  std::vector<Stretch> out;
  std::vector<size_t> jump(sums.size());  // where the value of each sample was first seen
  for (size_t i = 1; i < sums.size(); ++i)
    jump[i] = sums[i].value == sums[i - 1].value ? jump[i - 1] : i;
  // The begin of the window is no jump.
  const auto jump_of = [&](size_t i) {
    return jump[i] > 0 && sums[i].at - sums[jump[i]].at < kRateRange ? jump[i] : i;
  };
  size_t first = 0;
  for (size_t i = 1; i < sums.size(); ++i) {
    const size_t last = jump_of(i);
    while (first + 1 < last && sums[first].at < sums[last].at - kRateRange) ++first;
    const size_t begin = jump_of(std::min(first, last - 1));
    const double seconds = Seconds(sums[last].at - sums[begin].at).count();
    if (seconds > 0) out.push_back({sums[i].at, sums[last].value - sums[begin].value, seconds});
  }
  return out;
}

bool counts_events(const std::vector<Sample>& sums) {
  return std::ranges::all_of(
      sums, [](const Sample& sample) { return sample.value == std::floor(sample.value); });
}

double highest(const std::vector<Sample>& rates, Instant from) {
  double out = 0;
  for (const Sample& rate : rates)
    if (rate.at >= from) out = std::max(out, rate.value);
  return out;
}

std::optional<Departure> departure_of_events(const std::vector<Sample>& sums,
                                             const std::vector<Sample>& rates) {
  std::vector<Instant> times;
  for (size_t i = 1; i < sums.size(); ++i)
    times.insert(times.end(), static_cast<size_t>(sums[i].value - sums[i - 1].value), sums[i].at);
  const auto burst = find_burst(times, sums.front().at, sums.back().at);
  // All in one moment is a blip.
  if (!burst || times.back() == *burst) return std::nullopt;
  const auto before = std::ranges::lower_bound(times, *burst) - times.begin();
  const double calm = Seconds(*burst - sums.front().at).count();
  Departure out;
  out.onset = out.visible = *burst;
  out.usual = static_cast<double>(before) / calm;
  out.spread = std::sqrt(std::max<double>(1, static_cast<double>(before))) / calm;
  out.calm = std::ranges::prev(std::ranges::lower_bound(sums, *burst, {}, &Sample::at))->at;
  out.peak = highest(rates, *burst);
  out.peak_at = std::ranges::find_if(rates, [&](const Sample& rate) {
                  return rate.at >= *burst && rate.value == out.peak;
                })->at;
  return out;
}

}  // namespace

bool is_counter(const MetricInfo& metric, const std::vector<Sample>& samples) {
  const bool named = metric.name.ends_with("_total") || metric.name.ends_with("_sum") ||
                     metric.name.ends_with("_count");
  if (metric.type != MetricType::kCounter && !named) return false;
  size_t falls = 0;
  for (size_t i = 1; i < samples.size(); ++i) {
    if (samples[i].value < 0) return false;
    if (!(samples[i].value < samples[i - 1].value)) continue;
    ++falls;
    if (samples[i].value > samples[i - 1].value / 2) return false;
  }
  return static_cast<double>(falls) <=
         std::max(1.0, kMayFall * static_cast<double>(samples.size()));
}

std::vector<Sample> rates_of(const std::vector<Sample>& samples) {
  std::vector<Sample> out;
  for (const Stretch& stretch : stretches(counted(samples)))
    out.push_back({stretch.at, stretch.more / stretch.seconds});
  return out;
}

std::vector<Sample> means_of(const std::vector<Sample>& sum, const std::vector<Sample>& count) {
  std::map<Instant, double> often;
  for (const Stretch& stretch : stretches(counted(count))) often[stretch.at] = stretch.more;
  std::vector<Sample> out;
  for (const Stretch& stretch : stretches(counted(sum)))
    if (const auto found = often.find(stretch.at); found != often.end() && found->second > 0)
      out.push_back({stretch.at, stretch.more / found->second});
  return out;
}

std::optional<Departure> find_counter_departure(const std::vector<Sample>& samples) {
  const std::vector<Sample> sums = counted(samples);
  const std::vector<Sample> rates = rates_of(samples);
  if (rates.size() < kLeastPoints) return std::nullopt;
  if (!counts_events(sums)) return find_departure(rates);
  if (sums.back().value - sums.front().value <= kFewEvents) return departure_of_events(sums, rates);
  // Poisson: of so many events, so many more or less are chance.
  const double seconds = stretches(sums).back().seconds;
  return find_departure(rates, [seconds](double usual) {
    return std::sqrt(std::max(1.0, usual * seconds)) / seconds;
  });
}

}  // namespace precedent
