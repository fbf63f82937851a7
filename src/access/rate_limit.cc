#include "access/rate_limit.h"

#include <algorithm>
#include <cmath>

namespace precedent {

std::optional<std::chrono::seconds> RateLimit::take(const std::string& principal,
                                                    Clock::time_point now) {
  if (per_minute_ <= 0) return std::nullopt;
  constexpr double kMinute = 60, kRounding = 1e-6;
  const MutexLock lock(mutex_);
  const auto [entry, fresh] = buckets_.try_emplace(principal, Bucket{per_minute_, now});
  Bucket& bucket = entry->second;
  const double passed = std::chrono::duration<double>(now - bucket.filled).count();
  bucket.left = std::min(per_minute_, bucket.left + passed * per_minute_ / kMinute);
  bucket.filled = now;
  if (bucket.left >= 1) {
    bucket.left -= 1;
    return std::nullopt;
  }
  const double wait = (1 - bucket.left) * kMinute / per_minute_;
  return std::chrono::seconds(static_cast<int64_t>(std::ceil(wait - kRounding)));
}

}  // namespace precedent
