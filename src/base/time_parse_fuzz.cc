// Any text is a time or a refusal; what is read can be written and read again.
#include <cstdint>
#include <cstdlib>

#include "base/time.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto time = precedent::parse_time(text);
  if (!time) return time.error().message.empty() ? std::abort(), 0 : 0;
  const std::string written = precedent::format_time(*time);
  // A date at either end of the calendar may leave it by its offset.
  if (written.size() != 20 || written.starts_with("0000")) return 0;
  const auto again = precedent::parse_time(written);
  if (!again || *again != *time) std::abort();
  return 0;
}
