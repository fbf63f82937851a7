#include "telemetry/http/retry_pause.h"

#include <algorithm>
#include <thread>

namespace precedent {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

bool wait_to_retry(milliseconds pause, const SourceContext& context) {
  const auto until = steady_clock::now() + pause;
  if (context.deadline && until >= *context.deadline) return false;
  while (steady_clock::now() < until) {
    if (context.cancel.cancelled()) return false;
    std::this_thread::sleep_for(std::min(pause, milliseconds(20)));
  }
  return true;
}

}  // namespace precedent
