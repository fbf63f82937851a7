// Secrets out of text, before a model, a log, a span or a checkpoint sees them.
//
// Each is replaced by "[redacted:kind]". What is found: keys with a well-known form (AWS, GitHub,
// GitLab, Slack, Stripe, Google, OpenAI, Anthropic, npm, Vault, Grafana …; secret_forms.cc has
// all), JSON web tokens, private key blocks, Authorization and Cookie headers, bearer tokens, the
// password of a connection string, values assigned to a name that says password, secret, token or
// key, what prose says a password is if it is no word ("the password is hunter2", "Password
// hunter22x"), the secret beside an AWS key id, passwords in commands and statements (curl -u,
// --password, sshpass -p, IDENTIFIED BY), the values of a record about a secret ({"key":
// "DB_PASSWORD", "to": …}) and of a table's columns, and card numbers (Luhn). Incident ids, hashes,
// UUIDs, addresses and figures stay, unless a name says that they are secret: an answer needs them.
// A secret without form or name cannot be known.
//
// Linear time; redacting twice changes nothing more. Thread safety: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace precedent {

struct Redaction {
  std::string text;
  std::vector<std::string> kinds;  // of each secret, in order
};
Redaction find_and_redact(std::string_view text);

// The text alone.
std::string redact(std::string_view text);

// The same with every line end that a secret had in it, so that line n of a document stays line n.
// Whoever cuts pieces out of a text redacts it whole first: between "password:" and its value a cut
// would leave a value that nothing tells from a word.
std::string redact_lines(std::string_view text);

}  // namespace precedent
