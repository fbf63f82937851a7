// What a metric usually is, as the same time on other days tells, and where it was clearly
// otherwise.
//
// A change that other days have at that time, too, is none: queues fill every morning. An episode
// is a stretch of time beyond all that is usual then; it is judged by its area, so that an outage
// of an hour counts for more than the last small shift of a level. Thread safety: pure functions.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "telemetry/metrics/series.h"
#include "telemetry/statistics/change_point.h"

namespace precedent {

// Samples of other days: what is compared with a time T is what they say of T - shift.
struct OtherDay {
  std::span<const Sample> samples;
  std::chrono::milliseconds shift{0};
};

struct Episode {
  Instant from{};                // of the first sample beyond
  std::optional<Instant> until;  // of the first that is so no longer; nothing: up to the end
  double usual = 0;              // the median of what it is compared with
  double peak = 0;               // what is farthest from it
  Instant peak_at{};
  bool above() const { return peak > usual; }
};

// The largest above and the largest below what is usual, of the samples from `from` to `to`.
// Without any other day usual is what `before` holds, and without that what most of the window
// does. Fewer than `least` samples are a spike; one that is the mean of an hour is not.
constexpr size_t kLeastSamples = 3;
std::vector<Episode> find_episodes(std::span<const Sample> samples, Instant from, Instant to,
                                   std::span<const OtherDay> days, std::span<const Sample> before,
                                   size_t least = kLeastSamples);

// Those that no other day has. Where no other day is known, those that came at once, within `ramp`:
// a slow rise may be the course of the day. `samples` are those that `changes` were found in.
std::vector<ChangePoint> unusual_changes(const std::vector<ChangePoint>& changes,
                                         std::span<const Sample> samples,
                                         std::span<const OtherDay> days,
                                         std::chrono::milliseconds ramp);

// The value at that time: of the last sample up to it, which is at most `age` old; nothing if that
// is no number.
std::optional<double> value_at(std::span<const Sample> samples, Instant at,
                               std::chrono::milliseconds age);

struct ValueRange {
  double low = 0, high = 0;
};
// The lowest and the highest about that time; nothing if there are no numbers.
std::optional<ValueRange> range_about(std::span<const Sample> samples, Instant at,
                                      std::chrono::milliseconds slack);

}  // namespace precedent
