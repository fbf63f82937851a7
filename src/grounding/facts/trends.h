// Courses: what the receipts tell of figures that moved, and of alerts that are active.
//
// Read from the text: "from 0.2 s to 2.6 s", "before 0.2 s, after 1.9 s", "now 2.09×", "first above
// all of the time before", "SearchSlow active since …". Small moves are left out: a level that
// changed by a percent is what people call unchanged.
//
// Thread safety: pure functions.
#pragma once

#include <optional>
#include <vector>

#include "grounding/facts/receipt_index.h"

namespace precedent {

enum class TrendDirection : uint8_t { kUp, kDown, kFlat };

struct Trend {
  uint32_t unit = 0;
  TrendDirection way = TrendDirection::kUp;  // never flat
  bool large = false;                        // by half or more
  bool dated = true;                         // the line may tell since when
  std::optional<double> since;               // seconds since the epoch
};
std::vector<Trend> find_trends(const ReceiptIndex& evidence);

// By unit: the lines of active alerts. Their first word is the alert's name.
std::vector<uint32_t> find_active_alerts(const ReceiptIndex& evidence);

// What a sentence says of how a figure moved: "rose", "fell to 2 s", "has not risen", "is
// unchanged".
struct TrendClaim {
  size_t token = 0;
  TrendDirection way = TrendDirection::kUp;
  bool denied = false;
  bool noun = false;             // "after the jump": speaks of it, and claims nothing
  const Quantity* to = nullptr;  // "to 2 s", without a "from"
};
std::vector<TrendClaim> find_trend_claims(const LexedText& sentence);

}  // namespace precedent
