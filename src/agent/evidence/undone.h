// Undone: whether what is suspected was taken back since, and what the metric did then.
//
// Undone is a release by a rollback of one of its services, or by the release of a version that ran
// before it; a commit by git's own "Revert "…""; a flag or a setting by its return to the value that it
// had. Another release afterwards undoes nothing: it may bring the same.
// Thread safety: pure functions over values.
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
// The first change after the suspected one that takes it back.
std::optional<Undone> find_undone(const std::vector<Receipt>& receipts, const Change& suspect);

// "p95_latency fell at … from … to …", "p95_latency is still 2.9 s": what came after `at`.
std::string course_after(const MetricsResult& metric, TimePoint at);

}  // namespace precedent
