// Undone: whether what is suspected was taken back since, and what the metric did then.
//
// Undone is a release by a rollback of one of its services, or by the release of a version that ran
// before it; a commit by one that says "This reverts commit <hash>", or has git's title "Revert
// "…""; a flag or a setting by its return to the value that it had. Another release afterwards
// undoes nothing: it may bring the same. An undo may itself be undone: the same version released
// again, the revert reverted, the value set again. Then the suspect is in force, and nothing is
// undone. Thread safety: pure functions over values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agent/evidence/hypothesis.h"

namespace precedent {

struct Undone {
  const Receipt* receipt = nullptr;
  const Change* change = nullptr;
};
// What took the suspect back, as things stand at the last of the changes: the first such change
// after the suspect, or after the last one that brought it back.
std::optional<Undone> find_undone(const std::vector<Receipt>& receipts, const Change& suspect);

// What came after `at`: "p95_latency fell at … from … to …"; where nothing changed, the figures
// before and at last: "no change of p95_latency since: before that it rose at … from … to 2.8 s,
// and it was 2.9 s at …".
std::string course_after(const MetricsResult& metric, TimePoint at);

}  // namespace precedent
