// Any bytes: redacting is idempotent, valid UTF-8 stays valid, and nothing but secrets goes.
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
  return 0;
}
