// Fields of JSON that somebody else wrote: each reads what is there, or its default where it is
// missing or of another type.
//
// Thread safety: pure functions. Nothing throws.
#pragma once

#include <charconv>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace precedent {

// Null: it is not there, or `object` is none.
inline const nlohmann::json* field(const nlohmann::json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

// An empty list where it is none.
inline const nlohmann::json& list_field(const nlohmann::json& object, std::string_view key) {
  static const nlohmann::json kNone = nlohmann::json::array();
  const nlohmann::json* found = field(object, key);
  return found != nullptr && found->is_array() ? *found : kNone;
}

inline std::string text_field(const nlohmann::json& object, std::string_view key) {
  const nlohmann::json* found = field(object, key);
  return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}

// A whole number, also as text, as protobuf writes those of 64 bits.
inline int64_t whole_number(const nlohmann::json& value) {
  if (value.is_number_integer()) return value.get<int64_t>();
  if (!value.is_string()) return 0;
  const auto& text = value.get_ref<const std::string&>();
  int64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size() ? out : 0;
}
inline int64_t whole_field(const nlohmann::json& object, std::string_view key) {
  const nlohmann::json* found = field(object, key);
  return found == nullptr ? 0 : whole_number(*found);
}

}  // namespace precedent
