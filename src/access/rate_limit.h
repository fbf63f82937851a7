// RateLimit: how often each principal may ask: a token bucket for each, filled evenly and holding a
// minute's worth.
//
// Thread safety: all members.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "base/mutex.h"

namespace precedent {

class RateLimit {
 public:
  using Clock = std::chrono::steady_clock;

  // 0: no limit.
  explicit RateLimit(double per_minute) : per_minute_(per_minute) {}

  // Nothing: go on. Else how long to wait before asking again; such a request costs nothing.
  std::optional<std::chrono::seconds> take(const std::string& principal,
                                           Clock::time_point now = Clock::now());

 private:
  struct Bucket {
    double left = 0;
    Clock::time_point filled;
  };

  const double per_minute_;
  Mutex mutex_;
  std::map<std::string, Bucket> buckets_ GUARDED_BY(mutex_);
};

}  // namespace precedent
