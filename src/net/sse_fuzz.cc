// Any bytes as an event stream: cut anywhere, they give the same events.
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "net/sse.h"

namespace {

std::vector<precedent::SseEvent> decode(std::string_view bytes, size_t piece, bool& ok) {
  precedent::SseDecoder decoder({.max_line_bytes = 4096, .max_event_bytes = 8192});
  std::vector<precedent::SseEvent> events;
  for (size_t at = 0; at < bytes.size() && ok; at += piece)
    ok = decoder
             .feed(bytes.substr(at, piece),
                   [&](const precedent::SseEvent& event) {
                     events.push_back(event);
                     return true;
                   })
             .has_value();
  return events;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  bool whole_ok = true, cut_ok = true;
  const auto whole = decode(bytes, bytes.size(), whole_ok);
  const auto cut = decode(bytes, 1 + data[0] % 7, cut_ok);
  if (whole_ok != cut_ok || whole != cut) std::abort();
  return 0;
}
