#include "telemetry/statistics/change_point.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "telemetry/statistics/level_jump.h"
#include "telemetry/statistics/summary.h"

namespace precedent {
namespace {

// Fewer samples on one side cannot be significant.
constexpr size_t kMinSide = 5;
constexpr double kSignificance = 0.01;
// The second test on the same samples may not add false alarms worth mentioning.
constexpr double kJumpSignificance = 0.001;
// "Large" (Vargha and Delaney, 2000).
constexpr double kLargeShare = 0.71;
// Medians that differ by less, relatively, are equal: no digit that is shown differs.
constexpr double kRounding = 1e-6;
// Samples on either side of a change that say where it is exactly.
constexpr size_t kAround = 48;

// Mid-ranks, 1 to n.
std::vector<double> ranks_of(std::span<const Sample> samples) {
  std::vector<uint32_t> order(samples.size());
  std::iota(order.begin(), order.end(), 0u);
  // As float: what differs in the eighth digit is rounding, and equal.
  const auto value = [&](uint32_t i) { return static_cast<float>(samples[i].value); };
  std::ranges::sort(order, {}, [&](uint32_t i) { return std::pair(value(i), i); });
  std::vector<double> ranks(samples.size());
  for (size_t begin = 0; begin < order.size();) {
    size_t end = begin;
    while (end < order.size() && value(order[end]) == value(order[begin])) ++end;
    for (size_t i = begin; i < end; ++i)
      ranks[order[i]] = (static_cast<double>(begin) + static_cast<double>(end) + 1) / 2;
    begin = end;
  }
  return ranks;
}

struct Cut {
  size_t place = 0;  // the first index after it
  double statistic = 0;
  double p_value = 1;
  double pairs = 0.5;
};

// Of the ranks about the mean rank of their side, 0 to 0.9999: a wave of a day, seen each second.
double autocorrelation(const std::vector<double>& ranks, size_t place) {
  const auto mean = [&](size_t begin, size_t end) {
    return std::accumulate(ranks.begin() + begin, ranks.begin() + end, 0.0) /
           static_cast<double>(end - begin);
  };
  const double before = mean(0, place), after = mean(place, ranks.size());
  double product = 0, square = 0, last = 0;
  for (size_t i = 0; i < ranks.size(); ++i) {
    const double residual = ranks[i] - (i < place ? before : after);
    square += residual * residual;
    product += residual * last;
    last = residual;
  }
  return square > 0 ? std::clamp(product / square, 0.0, 0.9999) : 0;
}

double p_value_of(double b, double n) {
  if (b < 1) return 1;
  const double density = std::exp(-b * b / 2) / std::sqrt(2 * std::numbers::pi);
  const double share = static_cast<double>(kMinSide) / n;
  const double p = 4 * density / b + density * (b - 1 / b) * 2 * std::log((1 - share) / share);
  return std::clamp(p, 0.0, 1.0);
}

// The place with the largest statistic; 0 if there is none.
Cut most_different(const std::vector<double>& ranks, double variance) {
  Cut best;
  const double total = static_cast<double>(ranks.size()), mean = (total + 1) / 2;
  double sum = 0;
  for (size_t place = 1; place + kMinSide <= ranks.size(); ++place) {
    sum += ranks[place - 1];
    if (place < kMinSide) continue;
    const double before = static_cast<double>(place), after = total - before;
    const double deviation = sum - before * mean;
    const double z = std::abs(deviation) / std::sqrt(variance * before * after);
    if (z <= best.statistic) continue;
    best.statistic = z;
    best.place = place;
  }
  return best;
}

// The share of pairs (before, after the place) in which the later one is larger.
double pairs_at(const std::vector<double>& ranks, size_t place) {
  const auto before = static_cast<double>(place);
  const double after = static_cast<double>(ranks.size()) - before;
  const double sum = std::accumulate(ranks.begin(), ranks.begin() + place, 0.0);
  return 1 - (sum - before * (before + 1) / 2) / (before * after);
}

// The same near the place: a wave is elsewhere on either side of it in time.
double pairs_beside(std::span<const Sample> samples, size_t place) {
  const size_t side = beside_jump(samples.size());
  const size_t begin = place - std::min(place, side);
  const auto local = samples.subspan(begin, std::min(samples.size(), place + side) - begin);
  return pairs_at(ranks_of(local), place - begin);
}

double median_of(std::span<const Sample> samples) {
  std::vector<double> values;
  for (const Sample& sample : samples) values.push_back(sample.value);
  return quantile_of(values, 0.5);
}

double distance_from(double level, std::span<const Sample> samples) {
  double sum = 0;
  for (const Sample& sample : samples) sum += std::abs(sample.value - level);
  return sum;
}

// A rate over a range turns a step into a ramp: it begins where samples right before `place` have
// left the level before clearly, beyond all of its noise and as much again.
size_t begin_of_step(std::span<const Sample> samples, size_t place, double height) {
  constexpr double kLeastShare =
      0.05;  // of the step: of a level without noise all else is beyond it
  const double sign = height > 0 ? 1 : -1;
  while (place > 2 * kMinSide) {
    const auto level = samples.first(place - 1);
    const double middle = median_of(level);
    double noise = 0;
    for (const Sample& sample : level) noise = std::max(noise, sign * (sample.value - middle));
    const double left = sign * (samples[place - 1].value - middle);
    if (left <= 2 * noise || left < kLeastShare * std::abs(height)) break;
    --place;
  }
  return place;
}

// The place near `about` that parts the samples around it best into two levels, by least absolute
// deviations. Ranks take noise before a step near the end for a part of it: few are after it.
size_t exact_place(std::span<const Sample> samples, size_t about) {
  const size_t first = about - std::min(about, kAround);
  const auto around = samples.subspan(first, std::min(samples.size(), about + kAround) - first);
  double least = std::numeric_limits<double>::infinity(), before = 0, after = 0;
  for (size_t i = kMinSide; i + kMinSide <= around.size(); ++i) {
    const auto left = around.first(i), right = around.subspan(i);
    const double low = median_of(left), high = median_of(right);
    const double sum = distance_from(low, left) + distance_from(high, right);
    if (sum >= least) continue;
    least = sum;
    before = low;
    after = high;
  }
  if (before == after) return about;
  // Between these two levels also where fewer samples than make one are on a side.
  double sum = 0, lowest = std::numeric_limits<double>::infinity();
  size_t best = about;
  for (size_t i = 1; i < around.size(); ++i) {
    sum += std::abs(around[i - 1].value - before) - std::abs(around[i - 1].value - after);
    if (sum >= lowest) continue;
    lowest = sum;
    best = first + i;
  }
  return first + begin_of_step(around, best - first, after - before);
}

bool is_large(double pairs) { return std::max(pairs, 1 - pairs) >= kLargeShare; }

// The best place to cut; a p-value of 1 if there is none.
Cut best_cut(std::span<const Sample> samples) {
  const size_t n = samples.size();
  if (n < 2 * kMinSide) return {};
  const std::vector<double> ranks = ranks_of(samples);
  const double total = static_cast<double>(n), mean = (total + 1) / 2;
  double variance = 0;
  for (const double rank : ranks) variance += (rank - mean) * (rank - mean);
  variance /= total * (total - 1);
  if (variance <= 0) return {};
  Cut best = most_different(ranks, variance);
  if (best.place == 0) return {};
  best.pairs = pairs_at(ranks, best.place);
  const double memory = autocorrelation(ranks, best.place);
  const double independent = (1 - memory) / (1 + memory);
  best.p_value = p_value_of(best.statistic * std::sqrt(independent), total);
  if (best.p_value < kSignificance) {
    const size_t place = exact_place(samples, best.place);
    const double pairs = pairs_at(ranks, place);
    // The edge of a spike beside it parts the neighbourhood better, and the whole worse.
    if (is_large(pairs) && (pairs > 0.5) == (best.pairs > 0.5)) {
      best.place = place;
      best.pairs = pairs;
    }
    return best;
  }
  // A smooth course remembers so much that ranks decide nothing; a jump is out of its order.
  const LevelJump jump = find_jump(samples);
  if (jump.p_value >= kJumpSignificance) return best;
  if (jump.place < kMinSide || jump.place + kMinSide > n) return best;
  best.place = jump.place;
  best.p_value = jump.p_value;
  best.pairs = pairs_beside(samples, best.place);
  return best;
}

struct Segment {
  size_t begin, end;
  Cut cut;
  bool changes() const { return cut.p_value < kSignificance && is_large(cut.pairs); }
};

}  // namespace

std::vector<ChangePoint> find_changes(std::span<const Sample> samples, size_t limit) {
  std::vector<Sample> numbers;
  for (const Sample& sample : samples)
    if (std::isfinite(sample.value)) numbers.push_back(sample);
  const std::span<const Sample> all(numbers);
  std::vector<Segment> segments = {{0, all.size(), best_cut(all)}};
  struct Found {
    size_t place;
    Cut cut;
  };
  std::vector<Found> found;
  while (found.size() < limit) {
    auto best = segments.end();
    for (auto segment = segments.begin(); segment != segments.end(); ++segment)
      if (segment->changes() &&
          (best == segments.end() || segment->cut.p_value < best->cut.p_value))
        best = segment;
    if (best == segments.end()) break;
    const auto [begin, end, cut] = *best;
    const size_t place = begin + cut.place;
    found.push_back({place, cut});
    *best = {begin, place, best_cut(all.subspan(begin, cut.place))};
    segments.push_back({place, end, best_cut(all.subspan(place, end - place))});
  }
  std::ranges::sort(found, {}, &Found::place);
  std::vector<ChangePoint> out;
  for (size_t i = 0; i < found.size(); ++i) {
    const size_t from = i == 0 ? 0 : found[i - 1].place;
    const size_t to = i + 1 == found.size() ? all.size() : found[i + 1].place;
    const size_t place = found[i].place;
    const ChangePoint change{all[place].at, median_of(all.subspan(from, place - from)),
                             median_of(all.subspan(place, to - place)), found[i].cut.p_value,
                             found[i].cut.pairs};
    if (std::abs(change.after - change.before) >
        kRounding * std::max(std::abs(change.after), std::abs(change.before)))
      out.push_back(change);
  }
  return out;
}

}  // namespace precedent
