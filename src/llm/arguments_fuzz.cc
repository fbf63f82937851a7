// Any bytes as the arguments of a call: what passes fits the tool, and passes again without repair;
// what does not gets a sentence in valid UTF-8.
#include <cstdint>
#include <cstdlib>

#include "base/utf8.h"
#include "llm/tool_arguments.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace precedent;
  using Type = ToolParameter::Type;
  static const ToolDescription kTool{"search",
                                     "",
                                     {{"q", Type::kString, "", true},
                                      {"n", Type::kInteger, "", false, {}, {}, 1.0, 50.0},
                                      {"x", Type::kNumber},
                                      {"b", Type::kBoolean},
                                      {"l", Type::kStringList, "", false, {"Ab", "c"}}}};
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto checked = check_arguments(kTool, text);
  if (!checked) return invalid_utf8_at(checked.error().message) ? (std::abort(), 0) : 0;
  const auto again = check_arguments(kTool, checked->json);
  if (!again || again->json != checked->json || !again->repairs.empty()) std::abort();
  return 0;
}
