#include "server/mcp/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

using nlohmann::json;

size_t size_of(const json& value) { return dump_json(value).size(); }

// How many texts were cut.
size_t cut_texts(json& value, size_t max_bytes) {
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (text.size() <= max_bytes) return 0;
    value = fmt::format("{} […]", utf8_prefix(text, max_bytes));
    return 1;
  }
  size_t cut = 0;
  if (value.is_structured())
    for (json& part : value) cut += cut_texts(part, max_bytes);
  return cut;
}

struct LargestList {
  json* list = nullptr;
  std::string name;
  size_t bytes = 0;
};

void find_largest(json& value, const std::string& name, LargestList& largest) {
  if (value.is_array() && !value.empty()) {
    const size_t bytes = size_of(value);
    if (bytes > largest.bytes) largest = {&value, name, bytes};
    return;  // what lies within is smaller
  }
  if (!value.is_object()) return;
  for (auto& [key, part] : value.items()) find_largest(part, key, largest);
}

}  // namespace

json mcp_tool_result(std::string text, json structured, bool failed) {
  return {{"content", json::array({{{"type", "text"}, {"text", std::move(text)}}})},
          {"structuredContent", std::move(structured)},
          {"isError", failed}};
}

std::string bounded_text(const std::string& text, size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  const std::string_view kept = utf8_prefix(text, max_bytes);
  return fmt::format("{}\n\n[{} of {} bytes are left out; ask for less]", kept,
                     text.size() - kept.size(), text.size());
}

std::string shrink(json& value, size_t max_bytes) {
  if (size_of(value) <= max_bytes) return "";
  size_t texts = 0;
  // A passage of a thousand bytes still says what it is about; a list of ten says more than one of
  // two with all their text.
  for (const size_t longest : {size_t{4000}, size_t{1000}}) {
    texts += cut_texts(value, longest);
    if (size_of(value) <= max_bytes) break;
  }
  std::map<std::string, size_t> dropped;
  while (size_of(value) > max_bytes) {
    LargestList largest;
    find_largest(value, "items", largest);
    if (largest.list == nullptr) {
      value = nullptr;
      return "everything: it is too long";
    }
    const size_t count = std::max<size_t>(largest.list->size() / 8, 1);
    largest.list->erase(largest.list->end() - static_cast<std::ptrdiff_t>(count),
                        largest.list->end());
    dropped[largest.name] += count;
  }
  std::vector<std::string> said;
  for (const auto& [name, count] : dropped) said.push_back(fmt::format("{} of '{}'", count, name));
  if (texts > 0) said.push_back(fmt::format("the ends of {} long texts", texts));
  return join(said, "; ");
}

}  // namespace precedent
