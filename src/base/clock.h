// The `Clock` seam: what time it is. Everything that says "recent" asks one of these.
//
// Thread safety: all clocks may be shared between threads.
#pragma once

#include "base/time.h"

namespace precedent {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual TimePoint now() const = 0;
  // Whether now() is a moment that somebody asked about: what was written later is hindsight.
  virtual bool is_fixed() const { return false; }
};

class SystemClock final : public Clock {
 public:
  TimePoint now() const override {
    return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  }
};

// The fake, and what `--now` installs.
class FixedClock final : public Clock {
 public:
  explicit FixedClock(TimePoint now) : now_(now) {}
  TimePoint now() const override { return now_; }
  bool is_fixed() const override { return true; }

 private:
  TimePoint now_;
};

}  // namespace precedent
