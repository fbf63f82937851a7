// Any bytes: terms stay within their limits and point into the source.
#include <cstdint>
#include <cstdlib>

#include "text/code_analyzer.h"
#include "text/token_parts.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const precedent::Term& term : precedent::CodeAnalyzer().analyze(text)) {
    const bool good = !term.text.empty() && term.text.size() <= precedent::kMaxTermBytes &&
                      term.begin < term.end && term.end <= size;
    if (!good) std::abort();
  }
  return 0;
}
