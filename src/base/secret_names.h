// Names that say "secret" (DB_PASSWORD, apiKey, Cookie), and the values that stand behind them.
// Part of redact.cc.
//
// Thread safety: pure functions.
#pragma once

#include <string_view>

#include "base/secret_text.h"

namespace precedent::secrets {

// The longest name of a setting that is read backwards from its '=': "AZURE_STORAGE_ACCOUNT_…_KEY".
inline constexpr size_t kMaxNameBytes = 64;
// A user's name, or a token in its place, before the password of a connection string.
inline constexpr size_t kMaxUserBytes = 256;

enum class NameKind {
  kNone,
  kPassword,
  kShort,    // "pass", "pw": a word, too
  kKey,      // "api_key", "token"
  kLongKey,  // "routing_key", "sig": a topic or a signal, too
  kAuth,     // "auth" of a Docker configuration: base64 of user:password
  kHeader,   // "Authorization", "Cookie"
};
// "db.apiKey" and "API-KEY" are keys. Of a longer name the end tells.
NameKind kind_of(std::string_view name);
// What a finding is called.
std::string_view kind_text(NameKind kind);

// What may stand around a name or before its value: quotes, and the marks of Markdown.
bool is_wrapping(char c);
// The name that ends at `end`, without what wraps it: letters, digits, '_', '-' and '.'.
std::string_view name_before(std::string_view text, size_t end);

// A value from `begin`: in quotes, or up to white space or what closes it.
struct Value {
  size_t begin, end;
  bool quoted;
};
Value value_at(std::string_view text, size_t begin);
inline std::string_view bytes_of(std::string_view text, const Value& value) {
  return text.substr(value.begin, value.end - value.begin);
}
// A password may hold every sign: beyond a query string only a blank or a quote is sure to end it.
size_t end_of_password(std::string_view text, Value value, bool in_query);

// "****", "${VAR}", "null": stands where a secret would.
bool is_placeholder(std::string_view value);
// Letters and digits mixed, long enough: "k8s" is a word, "a1B2c3D4e5" is not.
bool looks_secret(std::string_view value);
// What prose does not write after "the password is": letters with digits or with signs among them.
bool is_no_word(std::string_view value);
bool is_long_key(std::string_view value);
bool is_encoded_private_key(std::string_view value);
// Whether a name of this kind makes the value a secret, where nothing else could stand there: a
// field of a record, a cell of a table. In running text more is asked (secret_values.cc).
bool is_secret_value(NameKind kind, std::string_view value);

}  // namespace precedent::secrets
