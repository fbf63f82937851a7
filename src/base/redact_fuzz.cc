// Any bytes: redacting is idempotent, valid UTF-8 stays valid, nothing but secrets goes, and where
// lines are to stay, they do.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "base/redact.h"
#include "base/utf8.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const precedent::Redaction once = precedent::find_and_redact(text);
  if (once.kinds.empty() && once.text != text) std::abort();
  if (!precedent::invalid_utf8_at(text) && precedent::invalid_utf8_at(once.text)) std::abort();
  if (precedent::redact(once.text) != once.text) std::abort();
  const std::string lines = precedent::redact_lines(text);
  if (std::ranges::count(lines, '\n') != std::ranges::count(text, '\n')) std::abort();
  if (precedent::redact(lines) != lines) std::abort();
  return 0;
}
