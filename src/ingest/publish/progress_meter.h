// Where an ingest stands, told to a sink at a bearable rate.
//
// Thread safety: one thread. Lifetime: the sink outlives it.
#pragma once

#include <chrono>

#include "ingest/publish/progress.h"

namespace precedent {

class ProgressMeter {
 public:
  // `sink` may be null.
  explicit ProgressMeter(ProgressSink* sink) : sink_(sink) {}

  void begin(Progress::Stage stage, uint64_t total) {
    now_ = {stage, 0, total, 0, now_.chunks};
    began_ = std::chrono::steady_clock::now();
    tell();
  }
  void total(uint64_t total) { now_.total = total; }
  // Sources may be read faster than their length was known: done never passes total.
  void done(uint64_t done) {
    now_.done = now_.total > 0 && done > now_.total ? now_.total : done;
    // Ten times a second is as much as anybody can read.
    if (std::chrono::steady_clock::now() - told_ >= std::chrono::milliseconds(100)) tell();
  }
  void add(uint64_t documents) { done(now_.done + documents); }
  void add_chunks(uint64_t chunks) { now_.chunks += chunks; }
  // The last word on a stage.
  void end() {
    if (now_.total > 0) now_.done = now_.total;
    tell();
  }

 private:
  void tell() {
    told_ = std::chrono::steady_clock::now();
    now_.seconds = std::chrono::duration<double>(told_ - began_).count();
    if (sink_ != nullptr) sink_->progress(now_);
  }

  ProgressSink* sink_;
  Progress now_;
  std::chrono::steady_clock::time_point began_, told_;
};

}  // namespace precedent
