// Reading foreign JSON without trusting its shape: what is missing or of another type reads as empty.
//
// Thread safety: pure functions. Lifetime: what is returned lies in the argument.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace precedent::foreign {

using Json = nlohmann::json;

// Deeper nesting is no reply of a model, and writing JSON recurses.
inline constexpr int kMaxDepth = 64;

// Discarded if `text` is no JSON; what lies deeper than kMaxDepth is left out.
inline Json parse(std::string_view text) {
  return Json::parse(
      text, [](int depth, Json::parse_event_t, Json&) { return depth < kMaxDepth; }, false);
}

inline const Json& member(const Json& object, const char* key) {
  static const Json kNull;
  if (!object.is_object()) return kNull;
  const auto found = object.find(key);
  return found == object.end() ? kNull : *found;
}

inline std::string_view text(const Json& value) {
  return value.is_string() ? std::string_view(value.get_ref<const std::string&>()) : "";
}
inline std::string_view text(const Json& object, const char* key) {
  return text(member(object, key));
}

// 0 unless it is a number that a counter can hold.
inline int64_t count(const Json& object, const char* key) {
  const Json& value = member(object, key);
  if (!value.is_number()) return 0;
  const double number = value.get<double>();
  return number > 0 && number < 9e15 ? static_cast<int64_t>(number) : 0;
}

// One line, whatever the strings in it hold.
inline std::string dump(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace precedent::foreign
