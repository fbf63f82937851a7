#include "mcp/tool_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/ascii.h"
#include "base/foreign_json.h"
#include "base/instructions.h"
#include "base/redact.h"
#include "base/strings.h"
#include "base/untrusted_text.h"
#include "base/utf8.h"

namespace precedent {
namespace {

using nlohmann::json;

constexpr size_t kMaxParams = 64;
constexpr size_t kMaxParamDescription = 300;
// What vendors take as the name of a property.
constexpr size_t kMaxParamName = 64;
constexpr size_t kMaxAllowed = 100;
constexpr size_t kMaxShown = 60;
// Objects within objects that are checked here.
constexpr int kMaxDepth = 8;
constexpr int64_t kLargest = int64_t{1} << 53;

json at(const json& object, const char* key) {
  return object.is_object() ? object.value(key, json()) : json();
}

// "string" of {"type": "string"} and of {"type": ["string", "null"]}; "" for anything else.
std::string type_of(const json& schema) {
  const json type = at(schema, "type");
  if (type.is_string()) return type.get<std::string>();
  std::string only;
  if (!type.is_array()) return only;
  for (const json& one : type) {
    if (!one.is_string() || one == "null") continue;
    if (!only.empty()) return {};
    only = one.get<std::string>();
  }
  return only;
}

std::vector<std::string> allowed_by(const json& schema) {
  std::vector<std::string> all;
  const json values = at(schema, "enum");
  if (!values.is_array() || values.size() > kMaxAllowed) return all;
  for (const json& value : values) {
    // What would read differently for a model than it is cannot be chosen from.
    if (!value.is_string() ||
        described(value.get<std::string>(), kMaxShown) != value.get<std::string>())
      return {};
    all.push_back(value.get<std::string>());
  }
  return all;
}

bool is_param_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxParamName && std::ranges::all_of(name, [](char c) {
    return is_alnum(c) || c == '_' || c == '-' || c == '.';
  });
}

int64_t bound(const json& schema, const char* key, int64_t otherwise) {
  const json value = at(schema, key);
  if (!value.is_number()) return otherwise;
  const double number = value.get<double>();
  return std::abs(number) < static_cast<double>(kLargest) ? static_cast<int64_t>(number)
                                                          : otherwise;
}

Param param_of(const std::string& name, const json& schema, bool required) {
  Param param{.name = name, .required = required};
  param.description =
      described(at(schema, "description").is_string() ? at(schema, "description").get<std::string>()
                                                      : std::string(),
                kMaxParamDescription);
  const std::string type = type_of(schema);
  if (type == "string") {
    param.allowed = allowed_by(schema);
  } else if (type == "integer") {
    param.type = Param::Type::kInteger;
    // One bound alone is left to fit(), whose message names that one.
    const int64_t low = bound(schema, "minimum", kLargest);
    const int64_t high = bound(schema, "maximum", -kLargest);
    if (low < high) param.minimum = low, param.maximum = high;
  } else if (type == "number") {
    param.type = Param::Type::kNumber;
  } else if (type == "boolean") {
    param.type = Param::Type::kBoolean;
  } else if (type == "array" && type_of(at(schema, "items")) == "string") {
    param.type = Param::Type::kStringList;
    param.allowed = allowed_by(at(schema, "items"));
  } else {
    param.type = Param::Type::kJson;
  }
  return param;
}

std::string shown(const json& value) {
  const std::string text = dump_json(value);
  if (text.size() <= kMaxShown) return text;
  return std::string(utf8_prefix(text, kMaxShown)) + "...";
}

bool is_of_type(const json& value, std::string_view type) {
  if (type == "string") return value.is_string();
  if (type == "integer")
    return value.is_number_integer() ||
           (value.is_number_float() && std::floor(value.get<double>()) == value.get<double>());
  if (type == "number") return value.is_number();
  if (type == "boolean") return value.is_boolean();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  if (type == "null") return value.is_null();
  return true;  // of a later draft
}

bool may_be(const json& value, const json& type) {
  if (type.is_string()) return is_of_type(value, type.get_ref<const std::string&>());
  if (!type.is_array()) return true;
  return std::ranges::any_of(type, [&](const json& one) {
    return one.is_string() && is_of_type(value, one.get_ref<const std::string&>());
  });
}

// Properties and items further within.
Result<void> check(const json& schema, const json& value, const std::string& path, int depth);

Result<void> check_object(const json& schema, const json& value, const std::string& path,
                          int depth) {
  const json required = at(schema, "required");
  for (const json& name : required.is_array() ? required : json::array())
    if (name.is_string() && !value.contains(name.get_ref<const std::string&>())) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}{}{} is missing", path, path.empty() ? "" : ".",
                              described(name.get_ref<const std::string&>(), kMaxShown)));
    }
  const json properties = at(schema, "properties");
  if (!properties.is_object()) return {};
  for (const auto& [key, item] : value.items())
    if (const auto property = properties.find(key); property != properties.end())
      TRY(check(*property, item, path.empty() ? key : path + "." + key, depth));
  return {};
}

Result<void> check(const json& schema, const json& value, const std::string& path, int depth) {
  const auto wrong = [&](std::string_view what) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} must be {}, got {}", path, what, shown(value)));
  };
  if (!schema.is_object() || depth > kMaxDepth) return {};
  const json type = at(schema, "type");
  if (!may_be(value, type))
    return wrong(fmt::format("of type {}", described(shown(type), kMaxShown)));
  const json values = at(schema, "enum");
  if (values.is_array() && std::ranges::find(values, value) == values.end())
    return wrong(fmt::format("one of {}", described(shown(values), 4 * kMaxShown)));
  if (value.is_number()) {
    const json low = at(schema, "minimum"), high = at(schema, "maximum");
    if (low.is_number() && value.get<double>() < low.get<double>())
      return wrong(fmt::format("at least {}", shown(low)));
    if (high.is_number() && value.get<double>() > high.get<double>())
      return wrong(fmt::format("at most {}", shown(high)));
  }
  if (value.is_object()) return check_object(schema, value, path, depth + 1);
  if (value.is_array())
    for (size_t i = 0; i < value.size(); ++i)
      TRY(check(at(schema, "items"), value[i], fmt::format("{}[{}]", path, i), depth + 1));
  return {};
}

}  // namespace

std::string described(std::string_view text, size_t max_bytes) {
  // Nobody reads further; instructions are looked for in all that could be shown.
  std::string words = defuse(utf8_prefix(text, 16 * max_bytes));
  const auto stretches = find_instructions(words);
  for (auto stretch = stretches.rbegin(); stretch != stretches.rend(); ++stretch)
    words.replace(stretch->first, stretch->second - stretch->first, "[…]");
  words = squeeze(redact(words));
  if (words.size() <= max_bytes) return words;
  return std::string(utf8_prefix(words, max_bytes)) + "…";
}

Result<std::vector<Param>> params_of(const json& schema) {
  std::vector<Param> params;
  const json properties = at(schema, "properties");
  const json required = at(schema, "required");
  const auto is_required = [&](const std::string& name) {
    return required.is_array() && std::ranges::find(required, json(name)) != required.end();
  };
  if (properties.is_object()) {
    for (const auto& [name, property] : properties.items()) {
      if (!is_param_name(name) || params.size() == kMaxParams) {
        if (!is_required(name)) continue;
        return fail(ErrorCode::kInvalidArgument,
                    fmt::format("its argument '{}' cannot be given", described(name, kMaxShown)));
      }
      params.push_back(param_of(name, property, is_required(name)));
    }
  }
  std::ranges::stable_partition(params, &Param::required);
  return params;
}

Result<json> fit(const json& schema, json args) {
  const json properties = at(schema, "properties");
  for (auto& [name, value] : args.items()) {
    const json property = properties.is_object() ? properties.value(name, json()) : json();
    const json type = at(property, "type");
    const bool as_text = !value.is_string() || (!type.is_null() && may_be(value, type));
    if (as_text || !property.is_object()) continue;
    // Without a type a text may be meant as one, too: only what begins as an object or a list does
    // is read as such.
    const std::string_view text = trim(value.get_ref<const std::string&>());
    if (type.is_null() && !text.starts_with('{') && !text.starts_with('[')) continue;
    if (json read = parse_json(text); !read.is_discarded()) value = std::move(read);
  }
  TRY(check_object(schema, args, "", 0));
  return args;
}

}  // namespace precedent
