// When something that happens now and then begins to happen often.
//
// The moment is the one that splits the events best into two rates: the likelihood ratio of two
// Poisson processes against one (Kulldorff, "A spatial scan statistic", 1997, in one dimension,
// with a window that ends with the data). Everyday events give none.
// Thread safety: pure function. Cost: O(n).
#pragma once

#include <optional>
#include <span>

#include "telemetry/metrics/series.h"

namespace precedent {

// The first event of the time in which they come often. `times`: ascending, from `begin` to `end`.
std::optional<Instant> find_burst(std::span<const Instant> times, Instant begin, Instant end);

}  // namespace precedent
