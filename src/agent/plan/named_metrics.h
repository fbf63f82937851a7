// Metrics that a runbook found for the question says to look at, and that there are.
//
// Thread safety: pure but for the store and the source of metrics.
#pragma once

#include <string>
#include <vector>

#include "agent/sources/sources.h"
#include "agent/understand/reading.h"

namespace precedent {

struct NamedMetric {
  std::string metric;       // as it is configured, else by its own name
  std::string filter = {};  // "app=checkout": the part that is the system's; "" if that is all
};

// At most two, of the best runbook, and none that was asked for.
std::vector<NamedMetric> metrics_in_runbooks(const Reading& reading, const Sources& sources);

}  // namespace precedent
