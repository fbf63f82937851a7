// Spans of a frozen incident → who calls whom, where errors begin, and where time is spent.
//
// Format: traces*.json, a list of spans (or {"spans": […]}) with trace_id, span_id, parent_id,
// service, name, start, duration_ms, status and error; other names of the same fields are known. A
// span whose trace cannot be told stands with the ones before it. Cycles among parents are cut and
// said in `missing`. Thread safety: pure but for the file.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "telemetry/metrics/series.h"

namespace precedent {

struct TraceSpan {
  std::string trace, id, parent;
  std::string service, name;
  Instant at{};  // the beginning of all time where it says none
  double duration_ms = 0;
  bool failed = false;
  std::string error;
  std::map<std::string, std::string> attributes;
  size_t parent_index = SIZE_MAX;  // in the list; SIZE_MAX: it has none
  size_t place = 0;                // in the file, from 1

  std::optional<Instant> when() const { return at == Instant{} ? std::nullopt : std::optional(at); }
};

inline constexpr size_t kMaxSpans = 200'000;
inline constexpr size_t kMaxTraceBytes = 256ull << 20;

struct Traces {
  std::vector<TraceSpan> spans;
  std::string file;
  std::vector<std::string> missing;
};
Traces read_spans(std::string_view json, std::string_view file);
Traces read_traces(const std::filesystem::path& folder);

// A failing span none of whose children fails.
std::vector<const TraceSpan*> error_origins(const Traces& traces);
// Since when the spans of a service and an operation fail often. What only fails now and then over
// all of its time is not among them: that is any day.
struct FailingSpans {
  std::map<std::pair<std::string, std::string>, Instant> since;  // service, operation
  bool hold(const TraceSpan& span) const {
    const auto found = since.find({span.service, span.name});
    return found != since.end() && span.at >= found->second;
  }
};
FailingSpans failing_spans(const Traces& traces);
// The largest number of equal calls (service and name) that one span makes.
struct RepeatedCall {
  const TraceSpan* parent = nullptr;
  std::string service, name;
  size_t count = 0;
};
std::vector<RepeatedCall> repeated_calls(const Traces& traces, size_t least);

}  // namespace precedent
