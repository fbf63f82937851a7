#include "base/redact_json.h"

#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/redact.h"
#include "base/untrusted_text.h"

namespace precedent {
namespace {

// Keeps the order of the keys.
using json = nlohmann::ordered_json;

void clean(json& value, std::string_view name, bool& changed) {
  if (value.is_string()) {
    std::string text = redact_value(name, value.get_ref<const std::string&>());
    changed |= text != value.get_ref<const std::string&>();
    value = std::move(text);
  } else if (value.is_array()) {
    for (json& item : value) clean(item, name, changed);
  } else if (value.is_object()) {
    json out = json::object();
    for (auto& [key, item] : value.items()) {
      clean(item, key, changed);
      std::string shown = redact(visible_text(key));
      changed |= shown != key;
      out[shown] = std::move(item);
    }
    value = std::move(out);
  }
}

}  // namespace

std::string redact_value(std::string_view name, std::string_view value) {
  const std::string visible = visible_text(value);
  std::string clean = redact(visible);
  if (name.empty() || clean != visible) return clean;
  const std::string assignment = std::string(name) + '=';
  const std::string assigned = redact(assignment + visible);
  return assigned.starts_with(assignment) ? assigned.substr(assignment.size()) : clean;
}

std::string redact_json(std::string_view text) {
  json value = parse_ordered_json(text);
  if (value.is_discarded()) return redact(visible_text(text));
  bool changed = false;
  clean(value, "", changed);
  if (!changed && visible_text(text) == text) return std::string(text);
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace precedent
