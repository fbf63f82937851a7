#include "telemetry/statistics/level_jump.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

namespace precedent {
namespace {

constexpr size_t kLeastSamples = 8 * kJumpWindow;
// A jump that is smaller, relative to the level, is not seen in any digit that is shown.
constexpr double kRounding = 1e-6;

// [i] of samples i to i + kJumpWindow, exclusive.
std::vector<double> running_medians(std::span<const Sample> samples) {
  std::vector<double> medians(samples.size() - kJumpWindow + 1);
  std::array<double, kJumpWindow> window;
  for (size_t i = 0; i < medians.size(); ++i) {
    for (size_t j = 0; j < kJumpWindow; ++j) window[j] = samples[i + j].value;
    const auto middle = window.begin() + kJumpWindow / 2;
    std::nth_element(window.begin(), middle, window.end());
    medians[i] = *middle;
  }
  return medians;
}

// [i]: by how much the level differs between the two sides of sample i + kJumpWindow.
std::vector<double> differences(const std::vector<double>& medians) {
  std::vector<double> out(medians.size() - kJumpWindow);
  for (size_t i = 0; i < out.size(); ++i) out[i] = medians[i + kJumpWindow] - medians[i];
  return out;
}

// Less what the course on both sides of it would lead to expect; within a window of an end what
// that on one side would, at half the size, so that noise weighs no more there.
std::vector<double> without_trend(const std::vector<double>& differences) {
  const size_t n = differences.size();
  const auto bend = [&](size_t middle) {
    return (differences[middle - kJumpWindow] + differences[middle + kJumpWindow]) / 2 -
           differences[middle];
  };
  std::vector<double> out(n);
  for (size_t i = kJumpWindow; i + kJumpWindow < n; ++i) out[i] = bend(i);
  for (size_t i = 0; i < kJumpWindow; ++i) {
    out[i] = bend(i + kJumpWindow);
    out[n - 1 - i] = bend(n - 1 - i - kJumpWindow);
  }
  return out;
}

// Of the largest of n absolute values of standard normal ones.
double p_value_of(double largest, double n) {
  const double c = std::sqrt(2 * std::log(n));
  const double location = c - (std::log(std::numbers::pi) + std::log(std::log(n))) / (2 * c);
  return -std::expm1(-std::exp(-(largest - location) * c));
}

double median_of(std::span<const Sample> samples) {
  std::vector<double> values;
  for (const Sample& sample : samples) values.push_back(sample.value);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

// The place near `about` that parts the samples around it best into two levels, by least squares.
size_t best_parting(std::span<const Sample> samples, size_t about) {
  const size_t first = about - std::min(about, 2 * kJumpWindow);
  const auto around =
      samples.subspan(first, std::min(samples.size(), about + 2 * kJumpWindow) - first);
  double total = 0;
  for (const Sample& sample : around) total += sample.value;
  const double mean = total / static_cast<double>(around.size());
  double sum = 0, most = -1;
  size_t best = about;
  for (size_t i = 1; i < around.size(); ++i) {
    sum += around[i - 1].value - mean;
    const auto before = static_cast<double>(i);
    const double between = sum * sum / (before * (static_cast<double>(around.size()) - before));
    if (between > most) {
      most = between;
      best = first + i;
    }
  }
  return best;
}

bool stays(std::span<const Sample> samples, size_t place) {
  const size_t side = beside_jump(samples.size());
  const size_t begin = place - std::min(place, side);
  const auto before = samples.subspan(begin, place - begin);
  const auto after = samples.subspan(place, std::min(side, samples.size() - place));
  const double low = median_of(before.last(std::min(before.size(), kJumpWindow)));
  const double high = median_of(after.first(std::min(after.size(), kJumpWindow)));
  const double middle = (low + high) / 2;
  const auto beyond = [&](const Sample& sample) { return (sample.value > middle) == (high > low); };
  const auto most = [](std::ptrdiff_t some, size_t all) {
    constexpr double kMost = 0.71;  // as change_point.cc has it for pairs
    return static_cast<double>(some) >= kMost * static_cast<double>(all);
  };
  return most(std::ranges::count_if(after, beyond), after.size()) &&
         most(std::ranges::count_if(before, std::not_fn(beyond)), before.size());
}

}  // namespace

LevelJump find_jump(std::span<const Sample> samples) {
  if (samples.size() < kLeastSamples) return {};
  const std::vector<double> jumps = without_trend(differences(running_medians(samples)));
  const auto size = [](double jump) { return std::abs(jump); };
  const auto largest = std::ranges::max_element(jumps, {}, size);
  const auto at = static_cast<size_t>(largest - jumps.begin());
  // Each sample is part of the differences that are nearer than this.
  constexpr size_t kReach = 3 * kJumpWindow;
  double squares = 0;
  size_t others = 0;
  for (size_t i = 0; i < jumps.size(); ++i) {
    if (i + kReach > at && i < at + kReach) continue;
    squares += jumps[i] * jumps[i];
    ++others;
  }
  double level = 0;
  for (const Sample& sample : samples) level = std::max(level, std::abs(sample.value));
  if (others < kJumpWindow || size(*largest) <= kRounding * level) return {};
  const double spread = std::sqrt(squares / static_cast<double>(others));
  // Where all else is level, every difference is beyond it.
  const double ratio = spread > 0 ? size(*largest) / spread : 1e9;
  const size_t place = best_parting(samples, at + kJumpWindow);
  if (!stays(samples, place)) return {};
  return {place, p_value_of(ratio, static_cast<double>(jumps.size()))};
}

}  // namespace precedent
