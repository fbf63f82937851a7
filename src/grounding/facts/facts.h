// Facts: all that the receipts of an answer say, read once: their index, and typed what the checks
// ask for again and again.
//
// Thread safety: const; may be read from several threads. Lifetime: owns everything.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "grounding/facts/dated_events.h"
#include "grounding/facts/receipt_index.h"
#include "grounding/facts/trends.h"

namespace precedent {

struct Facts {
  explicit Facts(std::span<const Receipt> receipts);

  const ReceiptIndex index;
  const std::vector<Trend> trends;            // of figures that moved
  const std::vector<DatedEvent> events;       // all that is dated
  const std::vector<uint32_t> active_alerts;  // units
  const std::vector<DatedEvent> changes;      // of `events`: those that are listed as changes
};

// Whether a line of an alert begins with the term, also of one that is over.
bool is_alerts_name(const Facts& facts, uint64_t term);
// Whether a listed change is of that kind (text/clauses.h); of none: of any.
bool is_of_kind(const Facts& facts, const DatedEvent& change, std::optional<size_t> kind);

}  // namespace precedent
