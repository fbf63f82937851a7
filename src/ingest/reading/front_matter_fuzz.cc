// Any bytes as Markdown: a document with a title whose body points into the file, or a
// bad record.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "base/utf8.h"
#include "ingest/fields/attribute_text.h"
#include "ingest/reading/front_matter.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace precedent;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto document = read_markdown(text, {"kb/f.md", "/kb"}, std::nullopt);
  if (!document) return document.error().message.empty() ? (std::abort(), 0) : 0;
  if (document->title.empty()) std::abort();
  if (invalid_utf8_at(document->body) || invalid_utf8_at(attribute_text(*document))) std::abort();
  const auto ends = [](std::string_view s) {
    return std::ranges::count(s, '\n') + std::ranges::count(s, '\r');
  };
  if (!document->body.empty() && document->body_line > 1 + ends(text)) std::abort();
  return 0;
}
