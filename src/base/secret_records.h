// Secrets whose name is the value of another field: {"key": "DB_PASSWORD", "from": …, "to": …}, the
// env list of a container, <add key="DbPassword" value="…"/>, a table with the columns key and
// value. Part of redact.cc; redact_json.cc asks the same of the fields of an object.
//
// Thread safety: pure functions.
#pragma once

#include <string_view>
#include <vector>

#include "base/secret_text.h"

namespace precedent::secrets {

// "key", "name", "setting": its value names what the record is about.
bool is_name_field(std::string_view field);
// "value", "from", "to", "old", "new": its value is what the named thing has, or had.
bool is_value_field(std::string_view field);

// The secret behind the ':' or '=' at `separator`, if the field is one of a record that names a
// secret.
Found secret_of_record(std::string_view text, size_t separator);
// The secret between the '>' at `i` and its end tag: <password>…</password>.
Found secret_of_element(std::string_view text, size_t i);
// The secrets in the cells of all tables (CSV, tab-separated, Markdown), in the order of the text.
std::vector<Secret> secrets_of_tables(std::string_view text);

}  // namespace precedent::secrets
