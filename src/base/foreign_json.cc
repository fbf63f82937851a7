#include "base/foreign_json.h"

#include <nlohmann/json.hpp>

#include "base/utf8.h"

namespace precedent {
namespace {

enum class Deep { kRefused, kLeftOut };

template <typename Json>
Json parse(std::string_view text, Deep deep = Deep::kRefused) {
  using Event = typename Json::parse_event_t;
  bool too_deep = false;
  const auto shallow = [&too_deep, deep](int depth, Event event, Json&) {
    const bool opens = event == Event::object_start || event == Event::array_start;
    const bool deeper = opens && depth >= kMaxJsonDepth;
    if (deep == Deep::kLeftOut) return !deeper;
    too_deep |= deeper;
    return !too_deep;
  };
  Json value = Json::parse(text, shallow, /*allow_exceptions=*/false);
  return too_deep ? Json(Json::value_t::discarded) : value;
}

}  // namespace

nlohmann::json parse_json(std::string_view text) { return parse<nlohmann::json>(text); }

nlohmann::ordered_json parse_ordered_json(std::string_view text) {
  return parse<nlohmann::ordered_json>(text);
}

nlohmann::json parse_json_leniently(std::string_view text) {
  return parse<nlohmann::json>(text, Deep::kLeftOut);
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
