// The `TracesSource` seam: where the traces of live systems are read. Tempo and Jaeger implement
// it.
//
// A bounded sample: traces in which something failed come first, then ordinary ones, spread over
// the window. Errors and thread safety: as LogsSource (logs_source.h).
#pragma once

#include <string>
#include <vector>

#include "telemetry/metrics/metrics_source.h"

namespace precedent {

struct TracesWanted {
  std::string service;  // a service that the traces go through; "": any
  Instant from{};
  Instant to{};  // inclusive
};

struct StoredSpan {
  std::string trace, id, parent;  // hexadecimal digits, in lower case; parent: "" of a root
  std::string service, name;
  int64_t start_ns = 0;  // since 1970 UTC
  int64_t duration_ns = 0;
  bool failed = false;
  std::string error;  // what it says of that; "" if it says nothing
  LabelSet attributes;
  bool operator==(const StoredSpan&) const = default;
};

struct TracesFound {
  std::vector<StoredSpan> spans;     // whole traces, in the order of their beginnings
  size_t traces = 0;                 // that they belong to
  std::vector<std::string> missing;  // what was left out, a sentence each
};

class TracesSource {
 public:
  // Of one reading: enough for rates before and after an onset, and read in seconds.
  static constexpr size_t kMaxTraces = 360;
  static constexpr size_t kMaxSpans = 100'000;

  virtual ~TracesSource() = default;
  // "Tempo at 127.0.0.1:3200".
  virtual std::string describe() const = 0;
  virtual Result<TracesFound> read(const TracesWanted& wanted,
                                   const SourceContext& context) const = 0;
};

}  // namespace precedent
