// The pause before a request is made again.
//
// Thread safety: blocks its own thread alone.
#pragma once

#include <chrono>

#include "telemetry/metrics/metrics_source.h"

namespace precedent {

// False: cancelled, or the deadline comes first.
bool wait_to_retry(std::chrono::milliseconds pause, const SourceContext& context);

}  // namespace precedent
