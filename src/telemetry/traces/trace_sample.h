// Traces of one reading: each once, within its limits, and what to say of those that were left out.
// What the sources of traces share.
//
// Thread safety: one thread.
#pragma once

#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "telemetry/traces/traces_source.h"

namespace precedent {

// Which part of a window, and how many traces of it: failing ones, or any.
struct TraceSlice {
  int64_t from_ns = 0, to_ns = 0;  // the end exclusive
  bool failing = false;
  size_t limit = 0;
};

class TraceSample {
 public:
  // Parts of the window, each with as many traces: what fails only at its end is not drowned by
  // what fails all day. Together at most TracesSource::kMaxTraces.
  static constexpr size_t kParts = 6, kFailing = 40, kOthers = 20;

  // Failing ones first, part by part.
  static std::vector<TraceSlice> slices(const TracesWanted& wanted);

  bool has(const std::string& id) const { return seen_.contains(id); }
  bool empty() const { return found_.traces == 0; }
  // `id`: what the source calls it. A trace that was there already is left out.
  void add(const std::string& id, std::vector<StoredSpan> spans);
  // A slice had `count` traces: as many as its limit are probably not all.
  void answered(const TraceSlice& slice, size_t count) { cut_ += count >= slice.limit; }
  // One could not be read, and why.
  void lose(std::string why) {
    if (lost_++ == 0) why_ = std::move(why);
  }
  void say(std::string what) { found_.missing.push_back(std::move(what)); }
  // Whether one more may be added.
  bool has_room() const { return found_.spans.size() < TracesSource::kMaxSpans; }
  // `source`: its describe().
  TracesFound take(std::string_view source, const TracesWanted& wanted) &&;

 private:
  TracesFound found_;
  std::set<std::string> seen_;
  size_t cut_ = 0, lost_ = 0;
  std::string why_;  // of the first that was lost
  bool full_ = false;
};

}  // namespace precedent
