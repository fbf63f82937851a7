// Any bytes as a prompt file and as a value: a file is read or refused with file and line; an
// untrusted value stays between its tags.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "agent/model/prompts.h"
#include "base/untrusted_text.h"
#include "base/utf8.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace precedent;  // NOLINT
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  static const PromptSpec kSpec{"fuzz", {{"a", false}, {"b", false, true}}};
  const auto prompt = Prompt::parse(bytes, "fuzz.md", kSpec);
  if (!prompt && !prompt.error().message.starts_with("fuzz.md:")) std::abort();
  if (prompt && !prompt->render({{"a", bytes}, {"b", bytes}})) std::abort();
  const std::string out = delimit(bytes);
  const std::string tag = out.substr(1, out.find('>') - 1);
  if (invalid_utf8_at(out) || out.find("</data-") != out.rfind("</data-") ||
      out.find(tag, 1 + tag.size()) != out.size() - tag.size() - 1)
    std::abort();
  return 0;
}
