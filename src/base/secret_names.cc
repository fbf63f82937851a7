#include "base/secret_names.h"

#include <array>
#include <string>
#include <vector>

namespace precedent::secrets {
namespace {

constexpr std::array<std::string_view, 4> kHeaders = {"authorization", "proxyauthorization",
                                                      "cookie", "setcookie"};
constexpr std::array<std::string_view, 6> kPasswordEnds = {"password", "passwd",   "passphrase",
                                                           "pwd",      "passwort", "kennwort"};
constexpr std::array<std::string_view, 13> kKeyEnds = {
    "apikey",        "secret",        "token",           "secretkey",  "accesskey",
    "privatekey",    "clientsecret",  "encryptionkey",   "signingkey", "accountkey",
    "secretkeybase", "clientkeydata", "dockerconfigjson"};
// Keys that are often a name or a topic: only a long value of one piece is secret.
constexpr std::array<std::string_view, 7> kLongKeyEnds = {
    "appkey", "routingkey", "integrationkey", "licensekey", "storagekey", "masterkey", "authkey"};
// Words of their own, too ("compass", "first pass"): the value must look secret.
constexpr std::array<std::string_view, 5> kShortNames = {"pass", "pw", "bindpw", "requirepass",
                                                         "masterauth"};

// The last letters of all these: most words of a text have another.
constexpr auto kLastLetters = [] {
  std::array<bool, 256> last{};
  for (const auto name : kHeaders) last[static_cast<unsigned char>(name.back())] = true;
  for (const auto name : kPasswordEnds) last[static_cast<unsigned char>(name.back())] = true;
  for (const auto name : kKeyEnds) last[static_cast<unsigned char>(name.back())] = true;
  for (const auto name : kLongKeyEnds) last[static_cast<unsigned char>(name.back())] = true;
  for (const auto name : kShortNames) last[static_cast<unsigned char>(name.back())] = true;
  for (const char c : {'g', 'h'}) last[static_cast<unsigned char>(c)] = true;  // sig, auth
  return last;
}();

// "DB_PASS" → "PASS", "sshPass" → "Pass".
std::string_view last_part(std::string_view name) {
  size_t begin = name.size();
  while (begin > 0 && is_alnum(name[begin - 1])) {
    --begin;
    const bool hump = begin > 0 && is_upper(name[begin]) && !is_upper(name[begin - 1]);
    if (hump) break;
  }
  return name.substr(begin);
}

// Words of prose and of options that have digits all the same: "30d", "sha256", "2FA".
bool is_term(std::string_view word) {
  const std::string lower = ascii_lower(word);
  for (const std::string_view known :
       {"md5", "sha", "base64", "bcrypt", "scrypt", "argon2", "pbkdf2", "aes", "rsa", "utf8",
        "utf16", "oauth2", "ed25519", "ntlm"})
    if (lower.starts_with(known)) return true;
  const size_t letters = word.find_first_not_of("0123456789");
  return letters != 0 && letters != std::string_view::npos && word.size() - letters <= 10 &&
         !has_digit(word.substr(letters));
}

// Words that begin with a capital, and a number: "Sommer-Regen-42", but not "INC-2026-11-18".
bool is_passphrase(const std::vector<std::string_view>& parts) {
  size_t words = 0, numbers = 0;
  for (const std::string_view part : parts) {
    numbers += !part.empty() && std::ranges::all_of(part, is_digit);
    words += part.size() > 2 && is_upper(part[0]) && !is_upper(part[1]) &&
             std::ranges::all_of(part, is_letter);
  }
  return words >= 2 && numbers > 0 && words + numbers == parts.size();
}

// Whether the value that a separator at `i` may end goes on behind it: no blank, quote or name of
// a next field follows ("password=a,b" and "password=a, user=b").
bool goes_on(std::string_view text, size_t i) {
  const auto within = [&](size_t begin, size_t most, auto is) {
    const size_t last = std::min(text.size(), begin + most);
    while (begin < last && is(text[begin])) ++begin;
    return begin;
  };
  // The fields of a connection string may have two words: "User Id".
  const bool two_words = text[i] == ';';
  constexpr size_t kMostClosing = 8;
  i = within(i + 1, kMostClosing, [](char c) { return std::string_view(",;)}`").contains(c); });
  const char next = at(text, i);
  if (next == '\0' || is_blank(next) || next == '"' || next == '\'') return false;
  const size_t name =
      within(i, kMaxNameBytes, [&](char c) { return is_token_char(c) || (two_words && c == ' '); });
  return !(name > i && (at(text, name) == '=' || at(text, name) == ':'));
}

// Of base64, the bytes that it begins with; "" if `text` is none.
std::string decoded(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int held = 0;
  for (const char c : text.substr(0, kMaxUserBytes)) {
    if (c == '=') break;
    const size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return "";
    bits = bits << 6 | static_cast<unsigned>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 0xff);
  }
  return bytes;
}

}  // namespace

// What may stand around a name or before its value: quotes, and the marks of Markdown.
bool is_wrapping(char c) { return c == ' ' || c == '"' || c == '\'' || c == '*' || c == '`'; }

// The name that ends at `end`, without what wraps it: letters, digits, '_', '-' and '.'.
std::string_view name_before(std::string_view text, size_t end) {
  const size_t least = end - std::min(end, kMaxNameBytes);
  const auto wraps = [&](size_t i) {
    // config["SECRET_KEY"] = …
    const bool indexes = text[i] == ']' && i > 0 && (text[i - 1] == '"' || text[i - 1] == '\'');
    return is_wrapping(text[i]) || indexes;
  };
  while (end > least && wraps(end - 1)) --end;
  size_t begin = end;
  while (begin > 0 && end - begin < kMaxNameBytes &&
         (is_token_char(text[begin - 1]) || text[begin - 1] == '.'))
    --begin;
  return text.substr(begin, end - begin);
}

// "db.apiKey", "API-KEY" → "dbapikey", "apikey". Of a longer name the end tells.
NameKind kind_of(std::string_view name) {
  std::array<char, kMaxNameBytes> bytes;
  size_t size = 0;
  for (const char c : name.substr(name.size() - std::min(name.size(), bytes.size())))
    if (c != '_' && c != '-' && c != '.') bytes[size++] = is_upper(c) ? c | 0x20 : c;
  const std::string_view folded(bytes.data(), size);
  if (folded.empty() || !kLastLetters[static_cast<unsigned char>(folded.back())])
    return NameKind::kNone;
  const auto ends = [&](std::string_view end) { return folded.ends_with(end); };
  if (std::ranges::find(kHeaders, folded) != kHeaders.end()) return NameKind::kHeader;
  if (std::ranges::any_of(kPasswordEnds, ends)) return NameKind::kPassword;
  if (std::ranges::any_of(kKeyEnds, ends) || name == "_auth") return NameKind::kKey;
  if (std::ranges::any_of(kLongKeyEnds, ends) || folded == "sig") return NameKind::kLongKey;
  if (folded == "auth") return NameKind::kAuth;
  const std::string_view part = last_part(name);
  const auto is_part = [&](std::string_view s) { return iequals(part, s); };
  return std::ranges::any_of(kShortNames, is_part) ? NameKind::kShort : NameKind::kNone;
}

bool is_placeholder(std::string_view value) {
  const std::string lower = ascii_lower(value);
  for (const std::string_view word : {"null", "none", "true", "false", "nil", "undefined", "empty"})
    if (lower == word) return true;
  return value.empty() || value.contains(kMark) || value.starts_with('$') ||
         value.starts_with('<') || value.starts_with('%') || value.starts_with("{{") ||
         value.find_first_not_of("*.x") == std::string_view::npos || lower.contains("getenv") ||
         lower.contains("environ");
}

// Letters and digits mixed, long enough: "k8s" is a word, "a1B2c3D4e5" is not.
bool looks_secret(std::string_view value) {
  return value.size() >= 8 && has_digit(value) && std::ranges::any_of(value, is_letter);
}

// What prose does not write after "the password is": letters with digits or with signs among them.
bool is_no_word(std::string_view value) {
  if (value.size() < 6 || is_term(value)) return false;
  // Paths, times, names of hosts and calls have their own signs; so have compound words.
  if (value.find_first_of("/:()[]{}<>|\\`") != std::string_view::npos) return false;
  if (value.contains('-') || value.contains('.') || value.contains('_')) {
    const std::vector<std::string_view> parts = split(value, value.contains('-')   ? '-'
                                                             : value.contains('.') ? '.'
                                                                                   : '_');
    if (is_passphrase(parts)) return true;
    const auto strange = std::ranges::count_if(parts, [](std::string_view part) {
      return has_digit(part) && std::ranges::any_of(part, is_letter) && !is_term(part);
    });
    if (strange < 2) return value.find_first_of("!@#$%^&*+=?~") < value.size() - 1;
    return true;
  }
  const bool letters = std::ranges::any_of(value, is_letter);
  return letters && (has_digit(value) || value.find_first_of("!@#$%^&*+=?~") < value.size() - 1);
}

Value value_at(std::string_view text, size_t begin) {
  begin =
      end_of_run(text, begin, [](char c) { return c == ' ' || c == '\t' || c == '*' || c == '`'; });
  const char quote = at(text, begin);
  if (quote == '"' || quote == '\'') {
    const size_t end =
        end_of_run(text, begin + 1, [quote](char c) { return c != quote && c != '\n'; });
    return {begin + 1, end, true};
  }
  const size_t end = end_of_run(text, begin, [](char c) {
    return !is_blank(c) && c != ',' && c != ';' && c != '&' && c != '"' && c != '\'' && c != '}' &&
           c != ')' && c != '`';
  });
  return {begin, end, false};
}

// A password may hold every sign: beyond a query string only a blank or a quote is sure to end it.
size_t end_of_password(std::string_view text, Value value, bool in_query) {
  size_t end = value.end;
  const size_t last = std::min(text.size(), value.begin + kMaxLookAhead);
  const auto is_end = [&](size_t i) {
    const char c = text[i];
    if (is_blank(c) || c == '"' || c == '\'' || c == '`') return true;
    if (c == '&') return in_query;
    return (c == ',' || c == ';' || c == '}' || c == ')') && !goes_on(text, i);
  };
  while (end < last && !is_end(end)) ++end;
  return end;
}

bool is_encoded_login(std::string_view value) {
  const std::string login = decoded(value);
  const size_t colon = login.find(':');
  return colon != std::string::npos && colon > 0 && colon + 1 < login.size() &&
         std::ranges::all_of(login, [](char c) { return c >= ' ' && c <= '~'; });
}

bool is_encoded_private_key(std::string_view value) {
  return value.starts_with("LS0tLS1CRUdJTi") && decoded(value).contains("PRIVATE KEY");
}

bool is_long_key(std::string_view value) {
  constexpr size_t kShortest = 20;
  return value.size() >= kShortest && has_digit(value) &&
         value.find_first_of(". \t") == std::string_view::npos;
}

bool is_secret_value(NameKind kind, std::string_view value) {
  if (is_placeholder(value)) return false;
  switch (kind) {
    case NameKind::kPassword: return true;
    case NameKind::kKey: return looks_secret(value) || value.size() >= 20;
    case NameKind::kLongKey: return is_long_key(value);
    case NameKind::kShort: return looks_secret(value) || is_no_word(value);
    case NameKind::kAuth: return is_encoded_login(value);
    case NameKind::kHeader:
    case NameKind::kNone: return false;
  }
  return false;
}

std::string_view kind_text(NameKind kind) {
  return kind == NameKind::kPassword || kind == NameKind::kShort ? "password" : "secret";
}

}  // namespace precedent::secrets
