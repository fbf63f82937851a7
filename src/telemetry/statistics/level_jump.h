// Did a level jump, in a series that moves by itself? For waves and other smooth courses, of which
// rank statistics see nothing but memory (change_point.h).
//
// The medians of the samples right before and right behind each place are compared, less the local
// trend (after Fried and Gather, "On rank tests for shift detection in time series", Computational
// Statistics & Data Analysis 52, 2007): medians, so that a spike is no jump. The largest difference
// is tested against the spread of all others by the extreme value limit of Lee and Mykland ("Jumps
// in financial markets", Review of Financial Studies 21, 2008): what moves by steps of its own
// size, as noise, waves and random walks do, has none that is beyond it.
//
// A jump counts that stays: more of the samples behind it than not are on its side of the middle
// between the two levels, and of those before it on the other, for an eighth of the series.
//
// O(n). Deterministic. Thread safety: pure function.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "telemetry/metrics/series.h"

namespace precedent {

struct LevelJump {
  size_t place = 0;    // the first sample after it
  double p_value = 1;  // 1 if there is none
};

// Samples on either side whose medians are compared: two of them may be spikes.
inline constexpr size_t kJumpWindow = 5;

// Of a series of so many samples those on one side of a jump that say whether it stayed.
inline size_t beside_jump(size_t samples) { return std::max(samples / 8, 4 * kJumpWindow); }

// REQUIRES: finite values. Nothing with fewer than eight windows.
LevelJump find_jump(std::span<const Sample> samples);

}  // namespace precedent
