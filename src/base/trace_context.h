// Where a piece of work stands in a trace: the ids of W3C Trace Context, handed down with the work.
//
// All zero means: this is not traced. Thread safety: plain values.
#pragma once

#include <array>
#include <cstdint>

namespace precedent {

struct TraceContext {
  std::array<uint64_t, 2> trace_id{};
  uint64_t span_id = 0;
  explicit operator bool() const { return span_id != 0; }
  bool operator==(const TraceContext&) const = default;
};

}  // namespace precedent
