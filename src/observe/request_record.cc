#include "observe/request_record.h"

#include <nlohmann/json.hpp>

#include "base/foreign_json.h"

namespace precedent {
namespace {

using nlohmann::json;

// Null unless `text` is an object that has the key.
json member(const std::string& text, const char* key) {
  const json object = parse_json(text);
  return object.is_object() ? object.value(key, json()) : json();
}

}  // namespace

std::string question_type(const RequestRecord& record) {
  const json type = member(record.intent, "question_type");
  return type.is_string() ? type.get<std::string>() : "";
}

std::optional<bool> grounded(const RequestRecord& record) {
  const json value = member(record.grounding, "grounded");
  return value.is_boolean() ? std::optional(value.get<bool>()) : std::nullopt;
}

}  // namespace precedent
