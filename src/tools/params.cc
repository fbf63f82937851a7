#include "tools/params.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

using nlohmann::json;

std::string_view name(Param::Type type) {
  switch (type) {
    case Param::Type::kString: return "a string";
    case Param::Type::kInteger: return "a whole number";
    case Param::Type::kStringList: return "a list of strings";
    case Param::Type::kNumber: return "a number";
    case Param::Type::kBoolean: return "true or false";
    case Param::Type::kJson: return "a JSON value";
  }
  return "";
}

std::optional<int64_t> whole_number(const json& value) {
  if (value.is_number_unsigned() && value.get<uint64_t>() > uint64_t{INT64_MAX})
    return std::nullopt;
  if (value.is_number_integer()) return value.get<int64_t>();
  if (value.is_number_float()) {
    const double number = value.get<double>();
    // Beyond 2^53 a double no longer counts by ones.
    if (std::floor(number) == number && std::abs(number) < 9e15)
      return static_cast<int64_t>(number);
  }
  if (value.is_string()) {
    const std::string& text = value.get_ref<const std::string&>();
    int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (!text.empty() && error == std::errc() && end == text.data() + text.size()) return number;
  }
  return std::nullopt;
}

std::optional<double> any_number(const json& value) {
  if (value.is_number()) return value.get<double>();
  return std::nullopt;
}

std::string shown(const json& value) {
  std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  if (text.size() > 60) text = std::string(utf8_prefix(text, 57)) + "...";
  return text;
}

}  // namespace

const std::string& Args::text(std::string_view name) const {
  static const std::string kNone;
  const auto found = values_.find(name);
  return found == values_.end() ? kNone : std::get<std::string>(found->second);
}

int64_t Args::integer(std::string_view name) const {
  return std::get<int64_t>(values_.find(name)->second);
}

bool Args::flag(std::string_view name) const {
  const auto at = values_.find(name);
  const bool* value = at == values_.end() ? nullptr : std::get_if<bool>(&at->second);
  return value != nullptr && *value;
}

const std::vector<std::string>& Args::list(std::string_view name) const {
  static const std::vector<std::string> kNone;
  const auto found = values_.find(name);
  return found == values_.end() ? kNone : std::get<std::vector<std::string>>(found->second);
}

json Args::given() const {
  json out = json::object();
  for (const auto& [name, value] : values_) {
    std::visit(
        [&](const auto& one) {
          if constexpr (std::is_same_v<std::decay_t<decltype(one)>, JsonText>)
            out[name] = parse_json(one.text);
          else
            out[name] = one;
        },
        value);
  }
  return out;
}

Result<Args> read_args(const std::vector<Param>& params, const json& input, std::string_view tool) {
  const auto wrong = [&](std::string message) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("{}: {}", tool, message));
  };
  if (!input.is_object())
    return wrong(fmt::format("arguments must be a JSON object, got {}", shown(input)));
  std::vector<std::string> names;
  for (const Param& param : params) names.push_back(param.name);
  for (const auto& [key, value] : input.items()) {
    if (std::ranges::find(names, key) != names.end()) continue;
    const auto close = nearest(key, names);
    return wrong(fmt::format("unknown argument '{}'; {}", key,
                             close ? fmt::format("did you mean '{}'?", *close)
                                   : fmt::format("it takes {}", join(names, ", "))));
  }
  Args args;
  for (const Param& param : params) {
    const auto found = input.find(param.name);
    if (found == input.end() || found->is_null()) {
      if (param.required)
        return wrong(fmt::format("argument '{}' ({}) is missing", param.name, name(param.type)));
      if (param.default_value) args.values_[param.name] = *param.default_value;
      continue;
    }
    const auto mistyped = [&] {
      return wrong(fmt::format("argument '{}' must be {}, got {}", param.name, name(param.type),
                               shown(*found)));
    };
    switch (param.type) {
      case Param::Type::kString:
        if (!found->is_string()) return mistyped();
        args.values_[param.name] = found->get<std::string>();
        break;
      case Param::Type::kInteger: {
        const auto number = whole_number(*found);
        if (!number) return mistyped();
        if (param.bounded() && (*number < param.minimum || *number > param.maximum)) {
          return wrong(fmt::format("argument '{}' must be from {} to {}, got {}", param.name,
                                   param.minimum, param.maximum, *number));
        }
        args.values_[param.name] = *number;
        break;
      }
      case Param::Type::kStringList: {
        std::vector<std::string> list;
        if (found->is_string())
          list.push_back(found->get<std::string>());
        else if (!found->is_array())
          return mistyped();
        else {
          for (const json& item : *found) {
            if (!item.is_string()) return mistyped();
            list.push_back(item.get<std::string>());
          }
        }
        args.values_[param.name] = std::move(list);
        break;
      }
      case Param::Type::kNumber: {
        const auto number = any_number(*found);
        if (!number) return mistyped();
        args.values_[param.name] = *number;
        break;
      }
      case Param::Type::kBoolean:
        if (!found->is_boolean()) return mistyped();
        args.values_[param.name] = found->get<bool>();
        break;
      case Param::Type::kJson: args.values_[param.name] = Args::JsonText{dump_json(*found)}; break;
    }
  }
  return args;
}

json json_schema(const std::vector<Param>& params) {
  json properties = json::object();
  json required = json::array();
  for (const Param& param : params) {
    json property = {{"description", param.description}};
    switch (param.type) {
      case Param::Type::kString:
        property["type"] = "string";
        if (!param.allowed.empty()) property["enum"] = param.allowed;
        break;
      case Param::Type::kNumber: property["type"] = "number"; break;
      case Param::Type::kBoolean: property["type"] = "boolean"; break;
      case Param::Type::kJson: break;
      case Param::Type::kInteger:
        property["type"] = "integer";
        if (param.bounded()) {
          property["minimum"] = param.minimum;
          property["maximum"] = param.maximum;
        }
        if (param.default_value) property["default"] = *param.default_value;
        break;
      case Param::Type::kStringList:
        property["type"] = "array";
        property["items"] = {{"type", "string"}};
        if (!param.allowed.empty()) property["items"]["enum"] = param.allowed;
        break;
    }
    properties[param.name] = std::move(property);
    if (param.required) required.push_back(param.name);
  }
  return {{"type", "object"},
          {"properties", properties},
          {"required", required},
          {"additionalProperties", false}};
}

}  // namespace precedent
