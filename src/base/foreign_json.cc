#include "base/foreign_json.h"

#include <nlohmann/json.hpp>

#include "base/utf8.h"

namespace precedent {
namespace {

template <typename Json>
Json parse(std::string_view text) {
  using Event = typename Json::parse_event_t;
  bool too_deep = false;
  const auto shallow = [&too_deep](int depth, Event event, Json&) {
    const bool opens = event == Event::object_start || event == Event::array_start;
    too_deep |= opens && depth >= kMaxJsonDepth;
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

nlohmann::json json_or_text(std::string_view text) {
  nlohmann::json value = parse_json(text);
  return value.is_discarded() ? nlohmann::json(repair_utf8(text)) : value;
}

std::string dump_json(const nlohmann::json& value) {
  if (value.is_discarded()) return "null";
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace precedent
