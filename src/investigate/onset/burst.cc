#include "investigate/onset/burst.h"

#include <cmath>

namespace precedent {
namespace {

// Of the logarithm of the likelihood ratio: of evenly spread events one series in some hundred has
// more.
constexpr double kSure = 6;
// As often as before, at least.
constexpr double kOften = 3;

double weight(double count, double time) { return count == 0 ? 0 : count * std::log(count / time); }

}  // namespace

std::optional<Instant> find_burst(std::span<const Instant> times, Instant begin, Instant end) {
  // Events of one moment have no time between them.
  const double tick = 1000;
  const auto span = static_cast<double>((end - begin).count()) + tick;
  const auto all = static_cast<double>(times.size());
  double best = kSure;
  std::optional<Instant> burst;
  for (size_t i = 0; i < times.size(); ++i) {
    // Without calm before it, nothing began.
    if (times[i] <= begin || (i > 0 && times[i] == times[i - 1])) continue;
    const auto before = static_cast<double>(i), after = all - before;
    const auto calm = static_cast<double>((times[i] - begin).count()) + tick;
    const double busy = span - calm + tick;
    if (after / busy < kOften * before / calm) continue;
    const double ratio = weight(before, calm) + weight(after, busy) - weight(all, calm + busy);
    if (ratio <= best) continue;
    best = ratio;
    burst = times[i];
  }
  return burst;
}

}  // namespace precedent
