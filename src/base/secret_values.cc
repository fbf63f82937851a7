#include "base/secret_values.h"

#include <array>
#include <string>
#include <vector>

namespace precedent::secrets {
namespace {

// The longest name of a setting that is read backwards from its '=': "AZURE_STORAGE_ACCOUNT_…_KEY".
constexpr size_t kMaxNameBytes = 64;
// A user's name, or a token in its place, before the password of a connection string.
constexpr size_t kMaxUserBytes = 256;

enum class NameKind { kNone, kPassword, kKey, kHeader };

// What may stand around a name or before its value: quotes, and the marks of Markdown.
bool is_wrapping(char c) { return c == ' ' || c == '"' || c == '\'' || c == '*' || c == '`'; }

// The name that ends at `end`, without what wraps it: letters, digits, '_', '-' and '.'.
std::string_view name_before(std::string_view text, size_t end) {
  const size_t least = end - std::min(end, kMaxNameBytes);
  while (end > least && is_wrapping(text[end - 1])) --end;
  size_t begin = end;
  while (begin > 0 && end - begin < kMaxNameBytes &&
         (is_token_char(text[begin - 1]) || text[begin - 1] == '.'))
    --begin;
  return text.substr(begin, end - begin);
}

constexpr std::array<std::string_view, 4> kHeaders = {"authorization", "proxyauthorization",
                                                      "cookie", "setcookie"};
constexpr std::array<std::string_view, 6> kPasswordEnds = {"password", "passwd",   "passphrase",
                                                           "pwd",      "passwort", "kennwort"};
constexpr std::array<std::string_view, 10> kKeyEnds = {
    "apikey",     "secret",       "token",         "secretkey",  "accesskey",
    "privatekey", "clientsecret", "encryptionkey", "signingkey", "accountkey"};

// The last letters of all these: most words of a text have another.
constexpr auto kLastLetters = [] {
  std::array<bool, 256> last{};
  for (const auto name : kHeaders) last[static_cast<unsigned char>(name.back())] = true;
  for (const auto name : kPasswordEnds) last[static_cast<unsigned char>(name.back())] = true;
  for (const auto name : kKeyEnds) last[static_cast<unsigned char>(name.back())] = true;
  return last;
}();

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
  return std::ranges::any_of(kKeyEnds, ends) ? NameKind::kKey : NameKind::kNone;
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

// A value from `begin`: in quotes, or up to white space or what closes it.
struct Value {
  size_t begin, end;
  bool quoted;
};
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
    return !is_space(c) && c != ',' && c != ';' && c != '&' && c != '"' && c != '\'' && c != '}' &&
           c != ')' && c != '`';
  });
  return {begin, end, false};
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
  if (next == '\0' || is_space(next) || next == '"' || next == '\'') return false;
  const size_t name =
      within(i, kMaxNameBytes, [&](char c) { return is_token_char(c) || (two_words && c == ' '); });
  return !(name > i && (at(text, name) == '=' || at(text, name) == ':'));
}

// A password may hold every sign: beyond a query string only a blank or a quote is sure to end it.
size_t end_of_password(std::string_view text, Value value, bool in_query) {
  size_t end = value.end;
  const size_t last = std::min(text.size(), value.begin + kMaxLookAhead);
  const auto is_end = [&](size_t i) {
    const char c = text[i];
    if (is_space(c) || c == '"' || c == '\'' || c == '`') return true;
    if (c == '&') return in_query;
    return (c == ',' || c == ';' || c == '}' || c == ')') && !goes_on(text, i);
  };
  while (end < last && !is_end(end)) ++end;
  return end;
}

// A header's value reaches to the end of the line, or of the string that holds it.
Found header_value(std::string_view text, size_t begin) {
  begin = end_of_run(text, begin, [](char c) { return c == ' ' || c == '"' || c == '\''; });
  size_t end = end_of_run(text, begin,
                          [](char c) { return c != '\n' && c != '\r' && c != '"' && c != '\''; });
  while (end > begin && is_space(text[end - 1])) --end;
  const std::string_view value = text.substr(begin, end - begin);
  // "Authorization: see the runbook" is prose; credentials have a part that is no word.
  bool secret = false;
  for (const std::string_view word : split(value, ' '))
    secret |= looks_secret(word) || (word.size() >= 8 && word.ends_with('='));
  if (!secret || value.contains(kMark)) return std::nullopt;
  return Secret{begin, end, "header"};
}

// A password that stands alone on the line after its name.
Found on_next_line(std::string_view text, size_t begin) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '*' || c == '\r'; };
  begin = end_of_run(text, begin, is_blank);
  if (at(text, begin) != '\n') return std::nullopt;
  Value value = value_at(text, end_of_run(text, begin, is_space));
  if (!value.quoted) value.end = end_of_password(text, value, false);
  const size_t after = end_of_run(text, value.end, [](char c) { return c == '`' || c == ' '; });
  const bool alone = after >= text.size() || at(text, after) == '\n' || at(text, after) == '\r';
  const std::string_view bytes = text.substr(value.begin, value.end - value.begin);
  if (!alone || is_placeholder(bytes) || !is_no_word(bytes)) return std::nullopt;
  return Secret{value.begin, value.end, "password"};
}

// `separator`: the position of ':' or '='.
Found assigned(std::string_view text, size_t separator) {
  const std::string_view name = name_before(text, separator);
  const NameKind kind = kind_of(name);
  size_t begin = separator + 1;
  const bool compares = text[separator - 1] == '!' || at(text, begin) == '=';
  const bool scheme = text.substr(begin, 2) == "//";  // token://…
  if (kind == NameKind::kNone || compares || scheme) return std::nullopt;
  if (kind == NameKind::kHeader) return header_value(text, begin);
  if (at(text, begin) == '>') ++begin;  // =>
  if (kind == NameKind::kPassword)
    if (auto found = on_next_line(text, begin)) return found;
  Value value = value_at(text, begin);
  const char before = name.data() > text.data() ? name.data()[-1] : '\0';
  const bool in_query = before == '?' || before == '&';
  if (text.substr(value.begin, value.end - value.begin).contains('(')) return std::nullopt;
  if (kind == NameKind::kPassword && !value.quoted && value.end > value.begin)
    value.end = end_of_password(text, value, in_query);
  const std::string_view bytes = text.substr(value.begin, value.end - value.begin);
  if (is_placeholder(bytes)) return std::nullopt;
  const bool explicit_value = value.quoted || text[separator] == '=';
  // After a colon prose may follow: "password: rotated by the team".
  const char after = at(text, value.end);
  const bool alone = after == '\0' || after == '\n' || after == '\r' || after == ',';
  const bool secret = kind == NameKind::kPassword
                          ? explicit_value || alone || looks_secret(bytes) || is_no_word(bytes)
                          : looks_secret(bytes) || (explicit_value && bytes.size() >= 20);
  if (!secret) return std::nullopt;
  return Secret{value.begin, value.end,
                kind == NameKind::kPassword ? std::string_view("password") : "secret"};
}

// postgres://user:password@host; `colon` is the one before the password.
Found connection_password(std::string_view text, size_t colon) {
  const auto is_part = [](char c) {
    return !is_space(c) && c != '/' && c != '@' && c != ':' && c != '"' && c != '\'' && c != '<';
  };
  size_t user = colon;
  while (user > 0 && colon - user < kMaxUserBytes && is_part(text[user - 1])) --user;
  if (user < 3 || text.substr(user - 3, 3) != "://") return std::nullopt;
  // A password may hold ':' and even '/', but a host with a port comes before the path.
  const size_t end = end_of_run(text, colon + 1, [](char c) {
    return !is_space(c) && c != '@' && c != '"' && c != '\'' && c != '/' && c != '<';
  });
  const std::string_view password = text.substr(colon + 1, end - colon - 1);
  if (at(text, end) != '@' || is_placeholder(password)) return std::nullopt;
  return Secret{colon + 1, end, "password"};
}

// The words of the clause that ends at `end`, as far as a password can be told before its value.
std::vector<std::string_view> clause_before(std::string_view text, size_t end) {
  const size_t from = end - std::min(end, kMaxNameBytes);
  std::string_view clause = text.substr(from, end - from);
  if (const size_t stop = clause.find_last_of(".;:,!?()\n\r"); stop != std::string_view::npos)
    clause.remove_prefix(stop + 1);
  std::vector<std::string_view> words;
  for (std::string_view word : split(clause, ' ')) {
    while (!word.empty() && is_wrapping(word.front())) word.remove_prefix(1);
    while (!word.empty() && is_wrapping(word.back())) word.remove_suffix(1);
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view w) { return iequals(word, w); });
}

// Whether `verb` at `i` says what a password is: "the password for the admin account is",
// "password is now", "passphrase was changed to".
bool tells_password(std::string_view text, size_t i, std::string_view verb) {
  if (kind_of(name_before(text, i)) == NameKind::kPassword) return verb != "to" && verb != "now";
  const std::vector<std::string_view> words = clause_before(text, i);
  size_t name = words.size();
  while (name > 0 && kind_of(words[name - 1]) != NameKind::kPassword) --name;
  constexpr size_t kMostBetween = 5;
  const size_t between = words.size() - name;
  if (name == 0 || between == 0 || between > kMostBetween) return false;
  const std::string_view last = words.back();
  if (verb == "to") return is_one_of(last, {"set", "changed", "reset", "rotated"});
  if (verb == "now") return between == 1 && is_one_of(last, {"is"});
  return is_one_of(words[name], {"for", "of", "on", "at", "to", "in"});
}

// The value that prose names at `begin`, without the sign that ends its sentence.
Value said_value(std::string_view text, size_t begin) {
  Value value = value_at(text, begin);
  if (value.quoted) return value;
  value.end = end_of_password(text, value, false);
  while (value.end > value.begin && std::string_view(".,;:!?").contains(text[value.end - 1]))
    --value.end;
  return value;
}

// "The password is hunter2": what follows the verb is no word of prose.
Found said_password(std::string_view text, size_t i) {
  for (const std::string_view verb : {"is", "was", "now", "to"}) {
    if (i == 0 || !istarts_with(text.substr(i), verb) || at(text, i + verb.size()) != ' ') continue;
    if (!tells_password(text, i, verb)) return std::nullopt;
    const Value value = said_value(text, i + verb.size() + 1);
    const std::string_view bytes = text.substr(value.begin, value.end - value.begin);
    if (is_placeholder(bytes) || !is_no_word(bytes)) return std::nullopt;
    return Secret{value.begin, value.end, "password"};
  }
  return std::nullopt;
}

// "MySQL8" and "node12": a name and its number, which may follow the word "password" in a sentence.
bool is_numbered_name(std::string_view word) {
  const size_t digits = word.find_first_of("0123456789");
  return digits != std::string_view::npos &&
         word.find_first_not_of("0123456789", digits) == std::string_view::npos &&
         std::ranges::all_of(word.substr(0, digits), is_letter);
}

// "Login root / Password hunter2": a password beside its name, without a sign between them.
Found beside_name(std::string_view text, size_t i) {
  const size_t end = end_of_run(text, i, is_token_char);
  if (at(text, end) != ' ' || end - i > kMaxNameBytes) return std::nullopt;
  if (kind_of(text.substr(i, end - i)) != NameKind::kPassword) return std::nullopt;
  const Value value = said_value(text, end + 1);
  const std::string_view bytes = text.substr(value.begin, value.end - value.begin);
  const bool address = bytes.contains('@') && bytes.contains('.');
  if (is_placeholder(bytes) || !is_no_word(bytes) || !has_digit(bytes) || address ||
      bytes.contains('='))
    return std::nullopt;
  const bool beside_user = std::ranges::any_of(clause_before(text, i), [](std::string_view word) {
    return is_one_of(word, {"login", "user", "username", "account"});
  });
  if (is_numbered_name(bytes) && !beside_user) return std::nullopt;
  return Secret{value.begin, value.end, "password"};
}

// Whether one of these programs is called before `i`, by the same command.
bool called_before(std::string_view text, size_t i, std::initializer_list<std::string_view> names) {
  const size_t from = i - std::min(i, kMaxUserBytes);
  std::string_view line = text.substr(from, i - from);
  // What stands before these is another line, command or clause.
  if (const size_t end = line.find_last_of("\n\r|;&,"); end != std::string_view::npos)
    line.remove_prefix(end + 1);
  // What a mark stands for may have ended the command: what was left then is left now.
  if (line.contains(kMark)) return false;
  return std::ranges::any_of(names, [&](std::string_view name) {
    const size_t found = line.rfind(name);
    return found != std::string_view::npos && starts_word(line, found);
  });
}

// The word after "--password " is one of a sentence about the option.
bool tells_of_option(std::string_view word) {
  if (word.starts_with('-') || word.size() < 4) return true;
  for (const std::string_view known :
       {"flag",    "option", "argument", "parameter", "switch",  "instead", "from",  "with",
        "when",    "must",   "should",   "will",      "does",    "asks",    "reads", "takes",
        "prompts", "only",   "then",     "which",     "without", "that",    "this"})
    if (iequals(word, known)) return true;
  return false;
}

// "curl -u user:password", "--user user:password", "--password VALUE", "mysql -pVALUE".
Found option_password(std::string_view text, size_t i) {
  if (i > 0 && !is_space(text[i - 1])) return std::nullopt;
  const std::string_view rest = text.substr(i);
  const auto of_word = [&](size_t begin) {
    Value value = value_at(text, begin);
    if (!value.quoted) value.end = end_of_password(text, value, false);
    // What was redacted before has a colon, and is longer than what it was: nothing is left to find.
    if (text.substr(value.begin, value.end - value.begin).contains(kMark)) value.end = value.begin;
    return value;
  };
  for (const std::string_view option : {"-u ", "-u", "--user ", "--user="}) {
    if (!rest.starts_with(option) || !called_before(text, i, {"curl", "wget", "http"})) continue;
    const Value value = of_word(i + option.size());
    const size_t colon = text.substr(0, value.end).find(':', value.begin);
    if (colon == std::string_view::npos || colon + 1 >= value.end) return std::nullopt;
    if (is_placeholder(text.substr(colon + 1, value.end - colon - 1))) return std::nullopt;
    return Secret{colon + 1, value.end, "password"};
  }
  if (rest.starts_with("--password ")) {
    const Value value = of_word(i + std::string_view("--password ").size());
    const std::string_view bytes = text.substr(value.begin, value.end - value.begin);
    if (bytes.empty() || is_placeholder(bytes) || (!value.quoted && tells_of_option(bytes)))
      return std::nullopt;
    return Secret{value.begin, value.end, "password"};
  }
  if (rest.starts_with("-p") && called_before(text, i, {"mysql", "mariadb"})) {
    const Value value = of_word(i + 2);
    const std::string_view bytes = text.substr(value.begin, value.end - value.begin);
    // "-p name" asks for the password, and names the database.
    if (bytes.empty() || is_space(at(text, i + 2)) || is_placeholder(bytes)) return std::nullopt;
    return Secret{value.begin, value.end, "password"};
  }
  return std::nullopt;
}

}  // namespace

Found secret_of_name(std::string_view text, size_t i) {
  const char c = text[i];
  if (c == ':' || c == '=') {
    if (i == 0) return std::nullopt;
    if (c == ':')
      if (auto found = connection_password(text, i)) return found;
    return assigned(text, i);
  }
  if (c == '-') return option_password(text, i);
  if (!is_letter(c) || !starts_word(text, i)) return std::nullopt;
  if (auto found = said_password(text, i)) return found;
  return beside_name(text, i);
}

}  // namespace precedent::secrets
