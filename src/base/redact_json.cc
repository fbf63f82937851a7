#include "base/redact_json.h"

#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/redact.h"
#include "base/secret_names.h"
#include "base/secret_records.h"
#include "base/untrusted_text.h"

namespace precedent {
namespace {

// Keeps the order of the keys.
using json = nlohmann::ordered_json;

// The secret that an object is about, by one of its fields; else "".
std::string subject_of(const json& object) {
  for (const auto& [key, item] : object.items())
    if (item.is_string() && names_secret(key, item.get_ref<const std::string&>())) return item;
  return "";
}

void clean(json& value, std::string_view subject, std::string_view name, bool& changed) {
  if (value.is_string() || value.is_number()) {
    const std::string before = value.is_string() ? value.get<std::string>() : value.dump();
    std::string text = redact_field(subject, name, before);
    if (text == before) return;
    changed = true;
    value = std::move(text);
  } else if (value.is_array()) {
    for (json& item : value) clean(item, subject, name, changed);
  } else if (value.is_object()) {
    const std::string own = subject_of(value);
    json out = json::object();
    for (auto& [key, item] : value.items()) {
      clean(item, own, key, changed);
      std::string shown = redact_name(key);
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
  if (assigned == assignment + visible) return clean;
  // A password may be several words, and nothing else stands in such a field.
  if (secrets::kind_of(name) == secrets::NameKind::kPassword)
    return std::string(secrets::kMark) + "password]";
  return assigned.starts_with(assignment) ? assigned.substr(assignment.size()) : clean;
}

std::string redact_name(std::string_view name) { return redact(visible_text(name)); }

bool names_secret(std::string_view field, std::string_view value) {
  if (!secrets::is_name_field(field)) return false;
  const secrets::NameKind kind = secrets::kind_of(value);
  return kind != secrets::NameKind::kNone && kind != secrets::NameKind::kHeader;
}

std::string redact_field(std::string_view subject, std::string_view name, std::string_view value) {
  const bool of_subject = !subject.empty() && secrets::is_value_field(name);
  return redact_value(of_subject ? subject : name, value);
}

std::string redact_json(std::string_view text) {
  // The order is kept as far as it costs little: each new key is compared with all before it.
  constexpr size_t kMaxOrderedBytes = 32 << 10;
  json value = text.size() <= kMaxOrderedBytes ? parse_ordered_json(text) : json(parse_json(text));
  if (value.is_discarded()) {
    // Without what makes it no JSON, such as a control character in a string, it may be some.
    std::string shown = redact(visible_text(text));
    return shown == text ? shown : redact_json(shown);
  }
  bool changed = false;
  clean(value, "", "", changed);
  if (!changed && visible_text(text) == text) return std::string(text);
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace precedent
