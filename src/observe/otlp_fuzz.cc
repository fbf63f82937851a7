// Any bytes as a collector's answer and as a list of headers: read or refused, never more.
#include <cstdint>
#include <cstdlib>

#include "base/utf8.h"
#include "observe/otlp_json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace precedent;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto partial = read_partial_success(bytes);
  if (partial && (partial->rejected == 0 || invalid_utf8_at(partial->message))) std::abort();
  const auto pairs = read_pairs(bytes, "HEADERS");
  if (!pairs) return 0;
  for (const auto& [name, value] : *pairs)
    if (name.empty() || value.find_first_of("\r\n") != std::string::npos) std::abort();
  return 0;
}
