// Any bytes as a page in storage format: they end in bounded Markdown or in an error.
#include <cstdint>
#include <cstdlib>

#include "sources/rendered_macros.h"
#include "sources/storage_markdown.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto found = precedent::rendered_macros(input, {{"a", 1}});
  if (found.size() > 1) std::abort();
  const auto text = precedent::storage_to_markdown(input, found);
  if (!text) return 0;
  if (text->markdown.size() > 32U * 1024 * 1024) std::abort();
  if (text->unknown_macros.size() > precedent::kMaxMacroNames) std::abort();
  return 0;
}
