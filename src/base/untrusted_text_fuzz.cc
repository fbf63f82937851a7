// Any bytes: what comes out is valid UTF-8, shows no escape, is the same a second time, and stays
// between its tags.
#include <cstdint>
#include <cstdlib>

#include "base/redact_json.h"
#include "base/untrusted_text.h"
#include "base/utf8.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace precedent;  // NOLINT
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const auto make : {&visible_text, &defuse}) {
    const std::string once = make(bytes);
    if (invalid_utf8_at(once) || once.find('\x1b') != std::string::npos) std::abort();
    if (strip_controls(once) != once || make(once) != once) std::abort();
  }
  const std::string out = delimit(bytes, {bytes, bytes});
  const std::string tag = out.substr(1, out.find_first_of(" >") - 1);
  if (out.find("</data-") != out.rfind("</data-") ||
      out.find(tag, 1 + tag.size()) != out.size() - tag.size() - 1)
    std::abort();
  const std::string clean = redact_json(bytes);
  if (redact_json(clean) != clean) std::abort();
  return 0;
}
