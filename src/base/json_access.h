// Reading foreign JSON without trusting its shape: what is missing or of another type reads as
// empty. base/foreign_json.h parses and prints it.
//
// Thread safety: pure functions. Lifetime: what is returned lies in the argument.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace precedent::foreign {

using Json = nlohmann::json;

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
inline std::string string_at(const Json& object, const char* key) {
  return std::string(text(object, key));
}

// 0 unless it is a number that a counter can hold.
inline int64_t count(const Json& object, const char* key) {
  const Json& value = member(object, key);
  if (!value.is_number()) return 0;
  const double number = value.get<double>();
  return number > 0 && number < 9e15 ? static_cast<int64_t>(number) : 0;
}

}  // namespace precedent::foreign
