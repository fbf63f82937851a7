// How it works: one walk from left to right. At each byte that can begin a secret of a known form
// (and at ':' or '=', which end a name) the finders below are asked for the bytes to replace. A
// finder looks back at most kMaxUserBytes and ahead at most kMaxLookAhead, so the walk is linear.
#include "base/redact.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "base/strings.h"

namespace precedent {
namespace {

// The longest name of a setting that is read backwards from its '=': "AZURE_STORAGE_ACCOUNT_…_KEY".
constexpr size_t kMaxNameBytes = 64;
// A user's name, or a token in its place, before the password of a connection string.
constexpr size_t kMaxUserBytes = 256;
// So far a value is read before it is known to be secret, so that a walk over many candidates stays
// linear. A secret that is longer is followed to its end.
constexpr size_t kMaxLookAhead = 4096;
constexpr std::string_view kMark = "[redacted:";
constexpr size_t kMaxKindBytes = 16;  // "slack-webhook"

// Bytes [begin, end) are a secret.
struct Secret {
  size_t begin, end;
  std::string_view kind;
};
using Found = std::optional<Secret>;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); }
bool is_alnum(char c) { return is_digit(c) || is_letter(c); }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_token_char(char c) { return is_alnum(c) || c == '_' || c == '-'; }
bool is_bearer_char(char c) {
  return is_token_char(c) || c == '.' || c == '~' || c == '+' || c == '/' || c == '=';
}

char at(std::string_view text, size_t i) { return i < text.size() ? text[i] : '\0'; }

template <typename Predicate>
size_t end_of_run(std::string_view text, size_t begin, Predicate is) {
  const size_t last = std::min(text.size(), begin + kMaxLookAhead);
  while (begin < last && is(text[begin])) ++begin;
  return begin;
}

bool starts_word(std::string_view text, size_t i) {
  return i == 0 || !(is_alnum(text[i - 1]) || text[i - 1] == '_');
}

bool istarts_with(std::string_view text, std::string_view lower_prefix) {
  return iequals(text.substr(0, lower_prefix.size()), lower_prefix);
}

// --- Keys with a well-known form.

struct Form {
  std::string_view prefix;
  size_t min_rest;  // bytes after the prefix
  std::string_view kind;
};
constexpr std::array kForms = {
    Form{"AKIA", 16, "aws-key"},        Form{"ASIA", 16, "aws-key"},
    Form{"ghp_", 30, "github-token"},   Form{"gho_", 30, "github-token"},
    Form{"ghu_", 30, "github-token"},   Form{"ghs_", 30, "github-token"},
    Form{"ghr_", 30, "github-token"},   Form{"github_pat_", 22, "github-token"},
    Form{"glpat-", 18, "gitlab-token"}, Form{"gldt-", 18, "gitlab-token"},
    Form{"glrt-", 18, "gitlab-token"},  Form{"xoxb-", 10, "slack-token"},
    Form{"xoxp-", 10, "slack-token"},   Form{"xoxa-", 10, "slack-token"},
    Form{"xoxr-", 10, "slack-token"},   Form{"xoxs-", 10, "slack-token"},
    Form{"xapp-", 10, "slack-token"},   Form{"sk-", 20, "api-key"},
    Form{"sk_live_", 16, "stripe-key"}, Form{"sk_test_", 16, "stripe-key"},
    Form{"rk_live_", 16, "stripe-key"}, Form{"rk_test_", 16, "stripe-key"},
    Form{"whsec_", 16, "stripe-key"},   Form{"AIza", 35, "google-key"},
    Form{"npm_", 36, "npm-token"},      Form{"pypi-", 50, "pypi-token"},
    Form{"hvs.", 20, "vault-token"},    Form{"glsa_", 32, "grafana-token"},
    Form{"dop_v1_", 64, "cloud-token"}, Form{"shpat_", 32, "api-key"},
};

bool has_digit(std::string_view text) { return std::ranges::any_of(text, is_digit); }

Found known_form(std::string_view text, size_t i) {
  for (const Form& form : kForms) {
    if (!text.substr(i).starts_with(form.prefix)) continue;
    const size_t begin = i + form.prefix.size();
    const size_t end = end_of_run(text, begin, is_token_char);
    // A name such as sk-something-in-plain-words has no digit.
    if (end - begin < form.min_rest || !has_digit(text.substr(begin, end - begin))) continue;
    return Secret{i, end, form.kind};
  }
  return std::nullopt;
}

// Three parts of base64url; the first two are JSON, so they begin with "eyJ".
Found json_web_token(std::string_view text, size_t i) {
  if (!text.substr(i).starts_with("eyJ")) return std::nullopt;
  const size_t first = end_of_run(text, i, is_token_char);
  if (first - i < 10 || at(text, first) != '.') return std::nullopt;
  const size_t second = end_of_run(text, first + 1, is_token_char);
  if (second - first < 8 || at(text, second) != '.') return std::nullopt;
  return Secret{i, end_of_run(text, second + 1, is_token_char), "jwt"};
}

Found private_key(std::string_view text, size_t i) {
  constexpr std::string_view kBegin = "-----BEGIN ", kKey = "PRIVATE KEY", kEnd = "-----END ";
  if (!text.substr(i).starts_with(kBegin)) return std::nullopt;
  std::string_view line = text.substr(i, 80);
  line = line.substr(0, line.find('\n'));
  if (!line.contains(kKey)) return std::nullopt;
  const size_t last = text.find(kEnd, i);
  // A block that was cut is a key still.
  if (last == std::string_view::npos) return Secret{i, text.size(), "private-key"};
  const size_t dashes = text.find("-----", last + kEnd.size());
  const size_t end = dashes == std::string_view::npos ? text.size() : dashes + 5;
  return Secret{i, end, "private-key"};
}

Found slack_webhook(std::string_view text, size_t i) {
  constexpr std::string_view kHook = "hooks.slack.com/services/";
  if (!text.substr(i).starts_with(kHook)) return std::nullopt;
  const size_t begin = i + kHook.size();
  const size_t end = end_of_run(text, begin, [](char c) { return is_alnum(c) || c == '/'; });
  if (end - begin < 20) return std::nullopt;
  return Secret{begin, end, "slack-webhook"};
}

// "Bearer" and "Basic" before something long that is no word.
Found scheme_token(std::string_view text, size_t i) {
  for (const std::string_view scheme : {"bearer ", "basic "}) {
    if (!istarts_with(text.substr(i), scheme)) continue;
    const size_t begin = i + scheme.size();
    const size_t end = end_of_run(text, begin, is_bearer_char);
    const std::string_view token = text.substr(begin, end - begin);
    if (token.size() >= 16 && has_digit(token)) return Secret{begin, end, "authorization"};
  }
  return std::nullopt;
}

// --- Card numbers.

bool luhn(std::string_view digits) {
  int sum = 0;
  for (size_t i = 0; i < digits.size(); ++i) {
    int digit = digits[digits.size() - 1 - i] - '0';
    if (i % 2 == 1) digit = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return sum % 10 == 0;
}

bool is_card(std::string_view digits) {
  if (digits.size() < 15 || !luhn(digits)) return false;
  const int two = (digits[0] - '0') * 10 + (digits[1] - '0');
  if (two == 34 || two == 37) return digits.size() == 15;
  if (digits[0] == '4' || digits[0] == '6') return digits.size() == 16 || digits.size() == 19;
  return digits.size() == 16 && ((two >= 51 && two <= 55) || (two >= 22 && two <= 27));
}

// The number of a card goes no further at `end`: no digit, name or fraction follows.
bool number_ends(std::string_view text, size_t end) {
  const char after = at(text, end), next = at(text, end + 1);
  return !is_alnum(after) && after != '_' && !(after == '-' && is_alnum(next)) &&
         !(after == '.' && is_digit(next));
}

// Digits, alone or in groups of four (4-6-5 for American Express) with one kind of separator. Other
// numbers may follow after a space: of two cards in a row, each is found.
Found card_number(std::string_view text, size_t i) {
  const char before = i > 0 ? text[i - 1] : ' ';
  if (is_alnum(before) || before == '-' || before == '.' || before == '_') return std::nullopt;
  std::string digits, groups;
  char separator = '\0';
  for (size_t end = i; digits.size() < 19 && groups.size() < 4;) {
    const size_t group = end_of_run(text, end, is_digit);
    digits += text.substr(end, group - end);
    groups += static_cast<char>('0' + std::min<size_t>(group - end, 9));
    end = group;
    const bool grouped = groups.size() == 1 || groups == "4444" || groups == "465";
    if (grouped && number_ends(text, end) && is_card(digits)) return Secret{i, end, "card-number"};
    const char next = at(text, end);
    if (next != ' ' && next != '-') break;
    if (!is_digit(at(text, end + 1)) || (separator != '\0' && separator != next)) break;
    separator = next;
    ++end;
  }
  return std::nullopt;
}

// --- What a name says.

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

// "db.apiKey", "API-KEY" → "dbapikey", "apikey".
NameKind kind_of(std::string_view name) {
  std::string folded = ascii_lower(name);
  std::erase_if(folded, [](char c) { return c == '_' || c == '-' || c == '.'; });
  if (folded == "authorization" || folded == "proxyauthorization" || folded == "cookie" ||
      folded == "setcookie")
    return NameKind::kHeader;
  for (const std::string_view end : {"password", "passwd", "passphrase", "pwd"})
    if (folded.ends_with(end)) return NameKind::kPassword;
  for (const std::string_view end :
       {"apikey", "secret", "token", "secretkey", "accesskey", "privatekey", "clientsecret",
        "encryptionkey", "signingkey", "accountkey"})
    if (folded.ends_with(end)) return NameKind::kKey;
  return NameKind::kNone;
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

// What prose does not write after "the password is": letters with digits or with signs among them.
bool is_no_word(std::string_view value) {
  if (value.size() < 6 || is_term(value)) return false;
  // Paths, times, names of hosts and calls have their own signs; so have compound words.
  if (value.find_first_of("/:()[]{}<>|\\`") != std::string_view::npos) return false;
  if (value.contains('-') || value.contains('.') || value.contains('_')) {
    size_t strange = 0;
    for (const std::string_view part : split(value, value.contains('-')   ? '-'
                                                    : value.contains('.') ? '.'
                                                                          : '_'))
      strange += has_digit(part) && std::ranges::any_of(part, is_letter) && !is_term(part);
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

// "The password is hunter2": what follows the verb is no word of prose.
Found said_password(std::string_view text, size_t i) {
  for (const std::string_view verb : {"is ", "was "}) {
    if (!istarts_with(text.substr(i), verb) || i == 0) continue;
    if (kind_of(name_before(text, i)) != NameKind::kPassword) return std::nullopt;
    Value value = value_at(text, i + verb.size());
    if (!value.quoted) {
      value.end = end_of_password(text, value, false);
      while (value.end > value.begin && std::string_view(".,;:!?").contains(text[value.end - 1]))
        --value.end;
    }
    const std::string_view bytes = text.substr(value.begin, value.end - value.begin);
    if (is_placeholder(bytes) || !is_no_word(bytes)) return std::nullopt;
    return Secret{value.begin, value.end, "password"};
  }
  return std::nullopt;
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

Found secret_at(std::string_view text, size_t i) {
  const char c = text[i];
  if (c == ':' || c == '=') {
    if (i == 0) return std::nullopt;
    if (c == ':')
      if (auto found = connection_password(text, i)) return found;
    return assigned(text, i);
  }
  if (c == '-') {
    if (auto found = private_key(text, i)) return found;
    return option_password(text, i);
  }
  if (!starts_word(text, i)) return std::nullopt;
  if (is_digit(c)) return card_number(text, i);
  if (!is_letter(c)) return std::nullopt;
  for (const auto finder :
       {&known_form, &json_web_token, &slack_webhook, &scheme_token, &said_password})
    if (auto found = finder(text, i)) return found;
  return std::nullopt;
}

// The end of a secret that was only read as far as the look-ahead.
size_t full_end(std::string_view text, const Secret& secret) {
  size_t end = secret.end;
  if (end - secret.begin < kMaxLookAhead) return end;
  while (end < text.size() && !is_space(text[end]) && text[end] != '"' && text[end] != '\'') ++end;
  return end;
}

// The length of the mark of an earlier redaction at `i`; 0 if there is none. A mark is passed over
// whole: its colon ends no name and begins no password.
size_t mark_at(std::string_view text, size_t i) {
  if (!text.substr(i).starts_with(kMark)) return 0;
  const size_t end =
      end_of_run(text, i + kMark.size(), [](char c) { return is_letter(c) || c == '-'; });
  const bool whole = at(text, end) == ']' && end - i <= kMark.size() + kMaxKindBytes;
  return whole ? end + 1 - i : 0;
}

Redaction redact_once(std::string_view text) {
  Redaction redaction;
  redaction.text.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    if (const size_t mark = mark_at(text, i)) {
      redaction.text += text.substr(i, mark);
      i += mark;
      continue;
    }
    const Found found = secret_at(text, i);
    if (!found) {
      redaction.text += text[i++];
      continue;
    }
    redaction.text += text.substr(i, found->begin - i);
    redaction.text += kMark;
    redaction.text += found->kind;
    redaction.text += ']';
    redaction.kinds.emplace_back(found->kind);
    i = full_end(text, *found);
  }
  return redaction;
}

}  // namespace

// What is redacted may have hidden another secret, or what tells one: "-u TOKEN:password". So again,
// until nothing is found; ordinary text needs one look, or two.
Redaction find_and_redact(std::string_view text) {
  constexpr int kMostLooks = 16;
  Redaction all = redact_once(text);
  bool found = !all.kinds.empty();
  for (int look = 1; found && look < kMostLooks; ++look) {
    Redaction next = redact_once(all.text);
    found = !next.kinds.empty();
    all.text = std::move(next.text);
    all.kinds.insert(all.kinds.end(), next.kinds.begin(), next.kinds.end());
  }
  return all;
}

std::string redact(std::string_view text) { return find_and_redact(text).text; }

}  // namespace precedent
