// What a model is told about a tool, in no vendor's words; and the JSON schemas made of it.
//
// Thread safety: plain values, pure functions.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace precedent {

struct ToolParameter {
  enum class Type { kString, kInteger, kNumber, kBoolean, kStringList };
  std::string name;
  Type type = Type::kString;
  std::string description = {};
  bool required = false;
  std::vector<std::string> allowed = {};  // kString, kStringList: the only values; empty: any
  // What the tool takes if it is not given.
  std::variant<std::monostate, bool, int64_t, double, std::string> default_value = {};
  std::optional<double> minimum = std::nullopt;  // kInteger, kNumber; both inclusive
  std::optional<double> maximum = std::nullopt;
  bool operator==(const ToolParameter&) const = default;
};
// "a whole number", for messages.
std::string_view name(ToolParameter::Type type);

struct ToolDescription {
  std::string name;
  std::string description = {};  // when to use it
  std::vector<ToolParameter> parameters = {};
  bool operator==(const ToolDescription&) const = default;
};

// A JSON schema (draft 2020-12) of the arguments: additionalProperties false, required as declared.
nlohmann::json json_schema(const ToolDescription& tool);
// The same for a vendor's strict mode, which wants every parameter required: an optional one may be
// null instead, and defaults are said in words. repair_arguments (tool_arguments.h) undoes the
// nulls.
nlohmann::json strict_json_schema(const ToolDescription& tool);

}  // namespace precedent
