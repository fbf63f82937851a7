// Secrets out of JSON text, value by value (base/redact.h).
//
// As running text, an escaped quotation mark would end a secret too early, and what replaces it could
// break the JSON. A value is judged together with the key that it has. Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace precedent {

// JSON without secrets and without characters that hide text (base/untrusted_text.h). The
// same text where it holds neither. What is no JSON, or nested deeper than a call's arguments are, is treated as running text.
std::string redact_json(std::string_view text);

// The value of a setting, a label or a field of this name: "hunter2" of "db_password" is a secret.
std::string redact_value(std::string_view name, std::string_view value);

}  // namespace precedent
