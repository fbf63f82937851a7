// When did a series change its level, and how sure is that?
//
// The maximally selected rank statistic (Lausen and Schumacher, "Maximally selected rank
// statistics", Biometrics 48, 1992): for each place to cut, the standardised difference of the
// ranks before and after; the largest is the change. Ranks, so that spikes do not decide. Its
// p-value is Miller and Siegmund's approximation ("Maximally selected chi square statistics",
// Biometrics 38, 1982). Metrics remember: the number of samples is first reduced to that of
// independent ones by the autocorrelation at lag one (Bayley and Hammersley, 1946). A change that
// is significant and small is no news: counted are large ones by Vargha and Delaney (2000), 0.71 of
// all pairs. Where ranks decide nothing, since the series follows a wave or a trend, a jump that is
// out of its order is a change, too (level_jump.h). Of a change that ranks found the place is then
// looked for among the samples around it, by least absolute deviations from two levels (Bai, "Least
// absolute deviation estimation of a shift", Econometric Theory 11, 1995): the most different ranks
// may begin in the noise before a step. Several changes are found by binary segmentation, the most
// significant first.
//
// O(n log n) for each. Deterministic. Thread safety: pure functions.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "telemetry/metrics/series.h"

namespace precedent {

struct ChangePoint {
  Instant at{};       // of the first sample after it
  double before = 0;  // medians of the samples on each side, up to the next change
  double after = 0;
  double p_value = 1;
  double pairs = 0.5;  // the share of pairs (before, after) in which after is larger; ties are half
};

// At most `limit`, in time order. NaN samples are passed over. Nothing with fewer than ten samples.
std::vector<ChangePoint> find_changes(std::span<const Sample> samples, size_t limit = 3);

}  // namespace precedent
