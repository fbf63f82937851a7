#include "base/secret_values.h"

#include <string>
#include <vector>

#include "base/secret_commands.h"
#include "base/secret_names.h"
#include "base/secret_records.h"

namespace precedent::secrets {
namespace {

// A header's value reaches to the end of the line, or of the string that holds it.
Found header_value(std::string_view text, size_t begin) {
  begin = end_of_run(text, begin, [](char c) { return c == ' ' || c == '"' || c == '\''; });
  size_t end = end_of_run(text, begin,
                          [](char c) { return c != '\n' && c != '\r' && c != '"' && c != '\''; });
  while (end > begin && is_blank(text[end - 1])) --end;
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
  const auto is_padding = [](char c) { return c == ' ' || c == '\t' || c == '*' || c == '\r'; };
  begin = end_of_run(text, begin, is_padding);
  if (at(text, begin) != '\n') return std::nullopt;
  Value value = value_at(text, end_of_run(text, begin, is_blank));
  if (!value.quoted) value.end = end_of_password(text, value, false);
  const size_t after = end_of_run(text, value.end, [](char c) { return c == '`' || c == ' '; });
  const bool alone = after >= text.size() || at(text, after) == '\n' || at(text, after) == '\r';
  const std::string_view bytes = text.substr(value.begin, value.end - value.begin);
  if (!alone || is_placeholder(bytes) || !is_no_word(bytes)) return std::nullopt;
  return Secret{value.begin, value.end, "password"};
}

// Behind a name that has other meanings, too, only what looks secret is one.
Found of_strict_name(std::string_view text, size_t begin, NameKind kind) {
  Value value = value_at(text, begin);
  if (kind == NameKind::kShort && !value.quoted) value.end = end_of_password(text, value, false);
  if (!is_secret_value(kind, bytes_of(text, value))) return std::nullopt;
  return Secret{value.begin, value.end, kind_text(kind)};
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
  if (kind == NameKind::kLongKey || kind == NameKind::kAuth || kind == NameKind::kShort)
    return of_strict_name(text, begin, kind);
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
  return Secret{value.begin, value.end, kind_text(kind)};
}

// postgres://user:password@host; `colon` is the one before the password.
Found connection_password(std::string_view text, size_t colon) {
  const auto is_part = [](char c) {
    return !is_blank(c) && c != '/' && c != '@' && c != ':' && c != '"' && c != '\'' && c != '<';
  };
  size_t user = colon;
  while (user > 0 && colon - user < kMaxUserBytes && is_part(text[user - 1])) --user;
  if (user < 3 || text.substr(user - 3, 3) != "://") return std::nullopt;
  // A password may hold ':' and even '/', but a host with a port comes before the path.
  const size_t end = end_of_run(text, colon + 1, [](char c) {
    return !is_blank(c) && c != '@' && c != '"' && c != '\'' && c != '/' && c != '<';
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
  if (verb == "now" && !is_one_of(last, {"is"})) return false;
  return (verb == "now" && between == 1) ||
         is_one_of(words[name], {"for", "of", "on", "at", "to", "in"});
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

// Whether the clause before `i` names whose password it is: "login root", "log in as root".
bool beside_user(std::string_view text, size_t i) {
  std::string before;
  for (const std::string_view word : clause_before(text, i)) {
    for (const std::string& name : {std::string(word), before + std::string(word)})
      if (is_one_of(name, {"login", "user", "username", "account"})) return true;
    before = word;
  }
  return false;
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
  const char after = at(text, value.end);
  const bool ends_clause = after == '\0' || std::string_view(".,;!?\n\r").contains(after);
  if (is_numbered_name(bytes) && !ends_clause && !beside_user(text, i)) return std::nullopt;
  return Secret{value.begin, value.end, "password"};
}

}  // namespace

Found secret_of_name(std::string_view text, size_t i) {
  const char c = text[i];
  if (c == ':' || c == '=') {
    if (i == 0) return std::nullopt;
    if (c == ':')
      if (auto found = connection_password(text, i)) return found;
    if (auto found = assigned(text, i)) return found;
    return secret_of_record(text, i);
  }
  if (c == '>') return secret_of_element(text, i);
  if (c == '-') return secret_of_option(text, i);
  if (!is_letter(c) || !starts_word(text, i)) return std::nullopt;
  if (auto found = secret_of_statement(text, i)) return found;
  if (auto found = said_password(text, i)) return found;
  return beside_name(text, i);
}

}  // namespace precedent::secrets
