#include "base/foreign_json.h"

#include <nlohmann/json.hpp>

#include "base/utf8.h"

namespace precedent {
namespace {

// Whether lists and objects are opened within each other beyond the limit. What is no JSON may be
// told either way.
bool nests_too_deep(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxJsonDepth) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

// Not by a callback of the parser: with one, each object that ends walks over all that is in the
// list around it: 100,000 spans took 18 s.
template <typename Json>
Json parse(std::string_view text) {
  if (nests_too_deep(text)) return Json(Json::value_t::discarded);
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

}  // namespace

nlohmann::json parse_json(std::string_view text) { return parse<nlohmann::json>(text); }

nlohmann::ordered_json parse_ordered_json(std::string_view text) {
  return parse<nlohmann::ordered_json>(text);
}

nlohmann::json parse_json_leniently(std::string_view text) {
  if (!nests_too_deep(text)) return parse_json(text);
  using nlohmann::json;
  const auto shallow = [](int depth, json::parse_event_t event, json&) {
    const bool opens =
        event == json::parse_event_t::object_start || event == json::parse_event_t::array_start;
    return !opens || depth < kMaxJsonDepth;
  };
  return json::parse(text, shallow, /*allow_exceptions=*/false);
}

nlohmann::json json_or_text(std::string_view text) {
  nlohmann::json value = parse_json(text);
  return value.is_discarded() ? nlohmann::json(repair_utf8(text)) : value;
}

std::string dump_json(const nlohmann::json& value) {
  if (value.is_discarded()) return "null";
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace precedent
