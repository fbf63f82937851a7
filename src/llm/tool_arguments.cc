#include "llm/tool_arguments.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/foreign_json.h"
#include "base/json_access.h"
#include "base/nearest.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "llm/json_repair.h"

namespace precedent {
namespace {

using foreign::Json;
using Type = ToolParameter::Type;

// A pasted log as an argument stays below this; more is a model that repeats itself.
constexpr size_t kMaxArgumentBytes = 1024 * 1024;
constexpr size_t kMaxShownBytes = 80;
// Beyond 2^53 a double no longer counts by ones.
constexpr double kMaxExact = 9007199254740992.0;

std::string shown(const Json& value) {
  const std::string text = dump_json(value);
  if (text.size() <= kMaxShownBytes) return text;
  return std::string(utf8_prefix(text, kMaxShownBytes)) + "…";
}

std::string_view kind_of(const Json& json) {
  if (json.is_array()) return "a list";
  if (json.is_string()) return "a string";
  if (json.is_number()) return "a number";
  if (json.is_boolean()) return "true or false";
  return json.is_null() ? "null" : "no JSON";
}

template <typename Number>
std::optional<Number> read_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<Json> as_string(const Json& value) {
  if (value.is_string()) return value;
  if (value.is_number_integer()) return value.dump();
  return std::nullopt;
}

std::optional<Json> as_integer(const Json& value) {
  if (value.is_number_integer()) return value;
  if (value.is_number_float()) {
    const double number = value.get<double>();
    if (std::floor(number) == number && std::abs(number) < kMaxExact)
      return static_cast<int64_t>(number);
  }
  if (value.is_string())
    if (const auto number = read_number<int64_t>(foreign::text(value))) return *number;
  return std::nullopt;
}

std::optional<Json> as_number(const Json& value) {
  if (value.is_number()) return value;
  if (value.is_string())
    if (const auto number = read_number<double>(foreign::text(value));
        number && std::isfinite(*number))
      return *number;
  return std::nullopt;
}

std::optional<Json> as_boolean(const Json& value) {
  if (value.is_boolean()) return value;
  for (const bool truth : {true, false})
    if (value.is_string() && iequals(foreign::text(value), truth ? "true" : "false")) return truth;
  return std::nullopt;
}

std::optional<Json> as_string_list(const Json& value) {
  if (value.is_string()) {
    const Json inner = parse_json(foreign::text(value));
    if (inner.is_array()) return as_string_list(inner);
    return Json::array({value});
  }
  if (!value.is_array()) return std::nullopt;
  Json list = Json::array();
  for (const Json& item : value) {
    auto text = as_string(item);
    if (!text) return std::nullopt;
    list.push_back(std::move(*text));
  }
  return list;
}

std::optional<Json> converted(const Json& value, Type type) {
  switch (type) {
    case Type::kString: return as_string(value);
    case Type::kInteger: return as_integer(value);
    case Type::kNumber: return as_number(value);
    case Type::kBoolean: return as_boolean(value);
    case Type::kStringList: return as_string_list(value);
  }
  return std::nullopt;
}

// The allowed value that `text` is, in its own capitals.
std::optional<std::string> allowed_value(std::string_view text,
                                         const std::vector<std::string>& allowed) {
  std::optional<std::string> found;
  for (const std::string& value : allowed) {
    if (value == text) return value;
    if (!iequals(value, text)) continue;
    if (found) return std::nullopt;
    found = value;
  }
  return found;
}

bool fit_allowed(Json& value, const ToolParameter& parameter) {
  if (parameter.allowed.empty()) return true;
  if (value.is_array()) {
    for (Json& item : value) {
      const auto fits = allowed_value(foreign::text(item), parameter.allowed);
      if (!fits) return false;
      item = *fits;
    }
    return true;
  }
  const auto fits = allowed_value(foreign::text(value), parameter.allowed);
  if (fits) value = *fits;
  return fits.has_value();
}

bool in_range(const Json& value, const ToolParameter& parameter) {
  if (!value.is_number()) return true;
  const double number = value.get<double>();
  return (!parameter.minimum || number >= *parameter.minimum) &&
         (!parameter.maximum || number <= *parameter.maximum);
}

std::string expectation(const ToolParameter& parameter) {
  std::string text(name(parameter.type));
  if (!parameter.allowed.empty()) text += " of: " + join(parameter.allowed, ", ");
  if (parameter.minimum && parameter.maximum)
    text += fmt::format(" from {} to {}", *parameter.minimum, *parameter.maximum);
  else if (parameter.minimum)
    text += fmt::format(" of at least {}", *parameter.minimum);
  else if (parameter.maximum)
    text += fmt::format(" of at most {}", *parameter.maximum);
  return text;
}

class Check {
 public:
  Check(const ToolDescription& tool, Json given, std::vector<std::string> repairs)
      : tool_(tool), given_(std::move(given)), repairs_(std::move(repairs)) {}

  Result<CheckedArguments> run() {
    for (const ToolParameter& parameter : tool_.parameters) check(parameter);
    for (const auto& [name, value] : given_.items()) refuse_unknown(name);
    if (offences_.empty()) return CheckedArguments{dump_json(checked_), std::move(repairs_)};
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the arguments of '{}' do not fit: {}; call it again with corrected "
                            "arguments",
                            tool_.name, join(offences_, "; ")));
  }

 private:
  void check(const ToolParameter& parameter) {
    const auto found = given_.find(parameter.name);
    const bool missing = found == given_.end() || found->is_null();
    if (missing && !parameter.required) return;
    if (missing) return offend(parameter.name, expectation(parameter), "nothing");
    auto value = converted(*found, parameter.type);
    if (!value || !fit_allowed(*value, parameter) || !in_range(*value, parameter))
      return offend(parameter.name, expectation(parameter), shown(*found));
    if (*value != *found || value->type() != found->type())
      repairs_.push_back(
          fmt::format("/{}: {} read as {}", parameter.name, shown(*found), shown(*value)));
    checked_[parameter.name] = std::move(*value);
  }

  void refuse_unknown(const std::string& name) {
    std::vector<std::string> names;
    for (const ToolParameter& parameter : tool_.parameters) {
      if (parameter.name == name) return;
      names.push_back(parameter.name);
    }
    const auto close = nearest(name, names);
    const std::string expected = close ? fmt::format("no such parameter, perhaps '{}'", *close)
                                       : fmt::format("one of the parameters {}",
                                                     names.empty() ? "(none)" : join(names, ", "));
    offend(utf8_prefix(name, kMaxShownBytes), expected, shown(given_[name]));
  }

  void offend(std::string_view path, std::string_view expected, std::string_view got) {
    offences_.push_back(fmt::format("/{}: expected {}, got {}", path, expected, got));
  }

  const ToolDescription& tool_;
  Json given_;
  Json checked_ = Json::object();
  std::vector<std::string> repairs_, offences_;
};

// The object that `raw` is or was meant to be; discarded if that is unclear.
Json read_object(std::string_view raw, std::vector<std::string>& repairs) {
  Json json = parse_json(raw);
  if (json.is_discarded()) {
    const std::string_view inner = without_fence(raw);
    if (inner.data() != raw.data()) repairs.emplace_back("code fence");
    json = parse_json(inner);
    if (json.is_discarded())
      if (const auto tidy = tidy_json(inner, repairs)) json = parse_json(*tidy);
  }
  if (!json.is_string()) return json;
  Json inside = parse_json(foreign::text(json));
  if (!inside.is_object()) return json;
  repairs.emplace_back("JSON inside of a string");
  return inside;
}

}  // namespace

Result<CheckedArguments> check_arguments(const ToolDescription& tool, std::string_view raw) {
  const auto refuse = [&](std::string_view got) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("the arguments of '{}' are not one JSON object: expected {{\"{}\": …}}, "
                    "got {}; call it again with valid JSON",
                    tool.name, tool.parameters.empty() ? "name" : tool.parameters.front().name,
                    got));
  };
  if (raw.size() > kMaxArgumentBytes) return refuse(fmt::format("{} bytes", raw.size()));
  const std::string clean = repair_utf8(trim(raw));
  std::vector<std::string> repairs;
  Json json = clean.empty() ? Json::object() : read_object(clean, repairs);
  if (json.is_null()) json = Json::object();
  if (!json.is_object())
    return refuse(
        json.is_discarded()
            ? fmt::format("'{}'", utf8_prefix(squeeze(strip_controls(clean)), kMaxShownBytes))
            : std::string(kind_of(json)));
  return Check(tool, std::move(json), std::move(repairs)).run();
}

}  // namespace precedent
