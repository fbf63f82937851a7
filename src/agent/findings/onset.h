// Onset: when a metric began to behave otherwise, as what a tool returned of it tells.
//
// Thread safety: pure functions over values.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "tools/receipt.h"

namespace precedent {

// When the behaviour that is asked about changed, as a metric tells it. One of the three is there.
struct Onset {
  const Receipt* receipt = nullptr;
  const MetricsResult* metric = nullptr;
  std::optional<ChangePoint> change;  // of level; of several the one by the largest factor
  std::optional<Excursion> first;     // the first value of its kind, where it came before that
  std::optional<Episode> episode =
      {};  // beyond what is usual, where it went farther than any level
  Instant at() const { return first ? first->at : change ? change->at : episode->from; }
};
// Whether a metric is one of what is asked about.
using Concerns = std::function<bool(const MetricsResult&, const Receipt&)>;
// Which way is meant: "why did the CPU rise". A slow or failing system's metrics rise, but for
// those that are good when they are high, such as a hit ratio.
enum class Direction { kAny, kUp, kDown };
// Of the first metric whose level changed in its window, or that was beyond what is usual; else of
// the first with unusual values. Only those that concern the question, and only changes in that
// direction. If any is meant, of the first that got worse, or of one that got far worse than it.
std::optional<Onset> find_onset(const std::vector<Receipt>& receipts, const Concerns& concerns,
                                Direction direction);

// By what two values differ, at least 1; very much where one of them is not above zero.
double factor_between(double before, double after);
// From where on a level has moved.
inline constexpr double kMovedFactor = kClearFactor;

}  // namespace precedent
