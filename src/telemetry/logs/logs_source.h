// The `LogsSource` seam: where the log lines of live systems are read. Loki implements it.
//
// Only what records an incident asks (investigate/intake/recorder.h): everything else reads the
// recording. Errors: kUnavailable and kTimeout (the source), kPermission, kNotFound (the address is
// another program's), kInvalidArgument (the source refuses the query, in its words), kCancelled.
// Thread safety: read() may be called from several threads. Ownership: results are copies.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "telemetry/metrics/metrics_source.h"

namespace precedent {

// Both in nanoseconds since 1970 UTC where a name says so.
struct LogsWanted {
  std::string service;  // whose lines come first; "": no one's
  Instant from{};
  Instant to{};  // inclusive
};

struct StoredLine {
  int64_t at_ns = 0;
  std::string service;  // as the incident calls it, where it is the one that was asked for
  LabelSet labels;      // of its stream
  std::string text;     // as the source has it: JSON, or anything else
  bool operator==(const StoredLine&) const = default;
};

struct LogsFound {
  std::vector<StoredLine> lines;     // in the order of time
  std::vector<std::string> missing;  // what was left out, a sentence each
};

class LogsSource {
 public:
  // Of one reading. A recording of as many lines is read in a second or two, and no frozen incident
  // may hold more bytes (kMaxLogBytes in investigate/logs/log_lines.h) once they are escaped.
  static constexpr size_t kMaxLines = 200'000;
  static constexpr size_t kMaxBytes = 64ull << 20;

  virtual ~LogsSource() = default;
  // "Loki at 127.0.0.1:3100".
  virtual std::string describe() const = 0;
  // A part that cannot be read costs the rest nothing and is in `missing`; nothing at all is an
  // error.
  virtual Result<LogsFound> read(const LogsWanted& wanted, const SourceContext& context) const = 0;
};

}  // namespace precedent
