// The fake of Tracer: keeps the spans in the order in which they ended.
//
// Thread safety: all members.
#pragma once

#include <vector>

#include "base/mutex.h"
#include "observe/tracer.h"

namespace precedent {

class RecordingTracer final : public Tracer {
 public:
  void record(Span span) override {
    const MutexLock lock(mutex_);
    spans_.push_back(std::move(span));
  }
  std::vector<Span> spans() const {
    const MutexLock lock(mutex_);
    return spans_;
  }

 private:
  mutable Mutex mutex_;
  std::vector<Span> spans_ GUARDED_BY(mutex_);
};

}  // namespace precedent
