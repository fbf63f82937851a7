// Any bytes as a page in storage format: they end in bounded Markdown or in an error.
#include <cstdint>
#include <cstdlib>

#include "sources/storage_markdown.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto text = precedent::storage_to_markdown({reinterpret_cast<const char*>(data), size});
  if (!text) return 0;
  if (text->markdown.size() > 32U * 1024 * 1024) std::abort();
  if (text->unknown_macros.size() > precedent::kMaxMacroNames) std::abort();
  return 0;
}
