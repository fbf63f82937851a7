#include "llm/tool_description.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace precedent {
namespace {

using nlohmann::json;
using Type = ToolParameter::Type;

std::string_view json_type(Type type) {
  switch (type) {
    case Type::kString: return "string";
    case Type::kInteger: return "integer";
    case Type::kNumber: return "number";
    case Type::kBoolean: return "boolean";
    case Type::kStringList: return "array";
  }
  return "string";
}

json default_json(const ToolParameter& parameter) {
  return std::visit(
      [](const auto& value) -> json {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
          return nullptr;
        else
          return value;
      },
      parameter.default_value);
}

// 50 rather than 50.0: some vendors check that an integer's bounds are integers.
json bound(double value, Type type) {
  if (type == Type::kInteger && std::abs(value) < 9e15) return static_cast<int64_t>(value);
  return value;
}

json schema_of(const ToolParameter& parameter) {
  json schema = {{"type", json_type(parameter.type)}};
  if (!parameter.description.empty()) schema["description"] = parameter.description;
  if (parameter.type == Type::kStringList) {
    schema["items"] = {{"type", "string"}};
    if (!parameter.allowed.empty()) schema["items"]["enum"] = parameter.allowed;
  } else if (!parameter.allowed.empty()) {
    schema["enum"] = parameter.allowed;
  }
  if (parameter.minimum) schema["minimum"] = bound(*parameter.minimum, parameter.type);
  if (parameter.maximum) schema["maximum"] = bound(*parameter.maximum, parameter.type);
  if (const json value = default_json(parameter); !value.is_null()) schema["default"] = value;
  return schema;
}

void make_strict(json& schema, const ToolParameter& parameter) {
  if (schema.contains("default")) {
    const std::string words = "Default: " + schema["default"].dump() + ".";
    std::string description = schema.value("description", "");
    if (!description.empty()) description += " ";
    schema["description"] = description + words;
    schema.erase("default");
  }
  if (parameter.required) return;
  schema["type"] = json::array({json_type(parameter.type), "null"});
  if (schema.contains("enum")) schema["enum"].push_back(nullptr);
}

json object_schema(const ToolDescription& tool, bool strict) {
  json properties = json::object(), required = json::array();
  for (const ToolParameter& parameter : tool.parameters) {
    json schema = schema_of(parameter);
    if (strict) make_strict(schema, parameter);
    properties[parameter.name] = std::move(schema);
    if (strict || parameter.required) required.push_back(parameter.name);
  }
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", std::move(required)},
          {"additionalProperties", false}};
}

}  // namespace

std::string_view name(Type type) {
  switch (type) {
    case Type::kString: return "a string";
    case Type::kInteger: return "a whole number";
    case Type::kNumber: return "a number";
    case Type::kBoolean: return "true or false";
    case Type::kStringList: return "a list of strings";
  }
  return "";
}

json json_schema(const ToolDescription& tool) { return object_schema(tool, false); }
json strict_json_schema(const ToolDescription& tool) { return object_schema(tool, true); }

}  // namespace precedent
