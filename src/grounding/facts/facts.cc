#include "grounding/facts/facts.h"

#include <algorithm>

#include "grounding/text/clauses.h"

namespace precedent {

Facts::Facts(std::span<const Receipt> receipts)
    : index(receipts),
      trends(find_trends(index)),
      events(find_events(index)),
      active_alerts(find_active_alerts(index)),
      changes(find_changes(index, events)) {}

bool is_alerts_name(const Facts& facts, uint64_t term) {
  return std::ranges::any_of(facts.index.postings_of(term), [&](uint32_t place) {
    const uint32_t unit = facts.index.unit_of(place);
    return facts.index.receipt_of(unit).measured && facts.index.units()[unit].first == place;
  });
}

bool is_of_kind(const Facts& facts, const DatedEvent& change, std::optional<size_t> kind) {
  const EvidenceUnit& unit = facts.index.units()[change.unit];
  return !kind || (change.token + 1 < unit.end &&
                   change_kind(facts.index.lexed().tokens[change.token + 1]) == kind);
}

}  // namespace precedent
