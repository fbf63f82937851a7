// A question of any bytes: the times that are read off it lie inside it, in order, and no range
// ends before it begins.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "time/time_hints.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace precedent;  // NOLINT
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const TimePoint now = parse_time("2026-11-20T09:30:00Z").value();
  size_t end = 0;
  for (const TimeHint& hint : find_time_hints(bytes, now)) {
    if (hint.begin < end || hint.end <= hint.begin || hint.end > size) std::abort();
    if (hint.range.from && hint.range.to && *hint.range.from > *hint.range.to) std::abort();
    end = hint.end;
  }
  static_cast<void>(find_moment(bytes, now));
  return 0;
}
