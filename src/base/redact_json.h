// Secrets out of JSON text, value by value (base/redact.h).
//
// As running text, an escaped quotation mark would end a secret too early, and what replaces it
// could break the JSON. A value is judged together with the key that it has. Thread safety: pure
// functions.
#pragma once

#include <string>
#include <string_view>

namespace precedent {

// JSON without secrets and without characters that hide text (base/untrusted_text.h). The
// same text where it holds neither. What is no JSON, or nested deeper than a call's arguments are,
// is treated as running text.
std::string redact_json(std::string_view text);

// The value of a setting, a label or a field of this name: "hunter2" of "db_password" is a secret.
std::string redact_value(std::string_view name, std::string_view value);

// The name of a field without what hides in it.
std::string redact_name(std::string_view name);

// Whether `field` says what a record is about ("key", "name"), and that is a secret
// ("DB_PASSWORD").
bool names_secret(std::string_view field, std::string_view value);

// The value of a field of a record about `subject`, which is "" unless a field names a secret: then
// the fields "value", "from", "to" and their like are judged by it, and others by their own name.
std::string redact_field(std::string_view subject, std::string_view name, std::string_view value);

// The fields of a record, a map of names and values: each judged with its name, names cleaned, too.
template <typename Fields>
Fields redact_fields(const Fields& fields) {
  std::string_view subject;
  for (const auto& [name, value] : fields)
    if (subject.empty() && names_secret(name, value)) subject = value;
  Fields out;
  for (const auto& [name, value] : fields)
    out.insert_or_assign(redact_name(name), redact_field(subject, name, value));
  return out;
}

}  // namespace precedent
