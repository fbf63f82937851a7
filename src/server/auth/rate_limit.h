// RateLimit: so many requests a minute for each name, in bursts of at most that many (a token
// bucket).
//
// Names that were not heard of for a minute are forgotten; at most kMaxNames are known at once, and
// those that find the table full share a bucket. Thread safety: all members.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "base/mutex.h"

namespace precedent {

class RateLimit {
 public:
  using Moment = std::chrono::steady_clock::time_point;
  static constexpr size_t kMaxNames = 10'000;

  // 0: no limit.
  explicit RateLimit(size_t a_minute) : a_minute_(static_cast<double>(a_minute)) {}
  // Takes one. Nothing: it may go on; else the time until it may be tried again.
  std::optional<std::chrono::seconds> take(const std::string& name, Moment now);
  // The same without taking one.
  std::optional<std::chrono::seconds> wait(const std::string& name, Moment now);

 private:
  struct Bucket {
    double left;
    Moment at;
  };
  Bucket& filled(const std::string& name, Moment now) REQUIRES_LOCK(mutex_);

  const double a_minute_;
  Mutex mutex_;
  std::map<std::string, Bucket> buckets_ GUARDED_BY(mutex_);
};

}  // namespace precedent
