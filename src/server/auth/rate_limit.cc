#include "server/auth/rate_limit.h"

#include <algorithm>
#include <cmath>

namespace precedent {

RateLimit::Bucket& RateLimit::filled(const std::string& name, Moment now) {
  if (buckets_.size() >= kMaxNames && !buckets_.contains(name)) {
    // Those that are full again are as if they had never been.
    std::erase_if(buckets_, [&](const auto& entry) {
      return now - entry.second.at >= std::chrono::minutes(1);
    });
  }
  const bool full = buckets_.size() >= kMaxNames && !buckets_.contains(name);
  Bucket& bucket =
      buckets_.try_emplace(full ? std::string() : name, Bucket{a_minute_, now}).first->second;
  const std::chrono::duration<double, std::ratio<60>> minutes = now - bucket.at;
  bucket.left = std::min(a_minute_, bucket.left + minutes.count() * a_minute_);
  bucket.at = now;
  return bucket;
}

std::optional<std::chrono::seconds> RateLimit::wait(const std::string& name, Moment now) {
  if (a_minute_ == 0) return std::nullopt;
  const MutexLock lock(mutex_);
  const double missing = 1 - filled(name, now).left;
  if (missing <= 0) return std::nullopt;
  return std::chrono::seconds(static_cast<int64_t>(std::ceil(missing / a_minute_ * 60)));
}

std::optional<std::chrono::seconds> RateLimit::take(const std::string& name, Moment now) {
  if (const auto seconds = wait(name, now)) return seconds;
  if (a_minute_ == 0) return std::nullopt;
  const MutexLock lock(mutex_);
  filled(name, now).left -= 1;
  return std::nullopt;
}

}  // namespace precedent
