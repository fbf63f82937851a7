// Calls that became slow: how long the spans of an operation take, against what they took before.
//
// A span is slow at three times what the calm begin of its operation takes, and the operation
// became slow where such spans begin to come often (burst.h). What has no calm begin is not judged.
// Thread safety: pure functions. Cost: O(n log n).
#pragma once

#include <string>
#include <vector>

#include "investigate/traces/traces.h"

namespace precedent {

struct SlowCall {
  const TraceSpan* span = nullptr;  // the first slow one; of the service that is called
  std::string caller;               // the service that calls; "" if no other does
  Instant since{};
  double usual_ms = 0, slow_ms = 0;  // medians
  double factor() const { return slow_ms / usual_ms; }
};
// One for each caller, service and operation; the slowest against its own first. Lifetime: `traces`
// outlive what points into them.
std::vector<SlowCall> slow_calls(const Traces& traces);

}  // namespace precedent
