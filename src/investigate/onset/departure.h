// When a series left what is usual for it, and how far.
//
// What is usual is the calm begin of the series: its median and spread, taken further while the
// samples stay near. The onset is the first sample of a stretch that stays beyond; of a ramp it is
// where the line through the samples beyond meets the usual level. A series of a few points, or one
// that never was calm, gives none. Cost: O(n log n). Thread safety: pure functions.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "telemetry/metrics/series.h"

namespace precedent {

struct Departure {
  Instant onset{};    // of the first sample beyond, or of the begin of the ramp
  Instant visible{};  // of the first sample beyond
  Instant calm{};     // of the sample before it
  double usual = 0;   // the median of the calm begin
  double spread = 0;  // as a standard deviation
  double peak = 0;    // what is farthest from it
  Instant peak_at{};
  bool ramp = false;  // it took more than a tenth of the series to get halfway
  bool up() const { return peak > usual; }
  // peak / usual, or its inverse where it fell; at least 1.
  double factor() const;
};
// Samples that are no number are passed over; at least `kLeastPoints` others.
inline constexpr size_t kLeastPoints = 8;
// The spread that chance gives at a usual level, where it is known; the samples may happen to show
// less.
using LeastSpread = std::function<double(double usual)>;
std::optional<Departure> find_departure(const std::vector<Sample>& samples,
                                        const LeastSpread& least = {});

}  // namespace precedent
