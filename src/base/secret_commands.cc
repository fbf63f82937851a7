#include "base/secret_commands.h"

#include <array>
#include <string>

#include "base/secret_names.h"

namespace precedent::secrets {
namespace {

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

// The value of an option, whole.
Value option_value(std::string_view text, size_t begin) {
  Value value = value_at(text, begin);
  if (!value.quoted) value.end = end_of_password(text, value, false);
  // What was redacted before has a colon, and is longer than what it was: nothing is left to find.
  if (bytes_of(text, value).contains(kMark)) value.end = value.begin;
  return value;
}

// "curl -u user:password", "--user user:password".
Found user_and_password(std::string_view text, size_t i) {
  for (const std::string_view option : {"-u ", "-u", "--user ", "--user="}) {
    if (!text.substr(i).starts_with(option) || !called_before(text, i, {"curl", "wget", "http"}))
      continue;
    const Value value = option_value(text, i + option.size());
    const size_t colon = text.substr(0, value.end).find(':', value.begin);
    if (colon == std::string_view::npos || colon + 1 >= value.end) return std::nullopt;
    if (is_placeholder(text.substr(colon + 1, value.end - colon - 1))) return std::nullopt;
    return Secret{colon + 1, value.end, "password"};
  }
  return std::nullopt;
}

// Programs that take a password behind a short option.
struct ShortOption {
  std::string_view program, option;
  bool apart;   // "-a VALUE"
  bool joined;  // "-pVALUE"
  bool first;   // the option belongs to the program only before its first other word
};
constexpr std::array kShortOptions = {
    // "mysql -p name" asks for the password, and names the database.
    ShortOption{"mysql", "-p", false, true, false},
    ShortOption{"mysqldump", "-p", false, true, false},
    ShortOption{"mysqladmin", "-p", false, true, false},
    ShortOption{"mariadb", "-p", false, true, false},
    ShortOption{"sshpass", "-p", true, true, true},
    ShortOption{"redis-cli", "-a", true, false, false},
    ShortOption{"docker login", "-p", true, false, false},
    ShortOption{"mongo", "-p", true, false, false},
    ShortOption{"mongosh", "-p", true, false, false},
    ShortOption{"mongodump", "-p", true, false, false},
    ShortOption{"ldapsearch", "-w", true, false, false},
    ShortOption{"ldapmodify", "-w", true, false, false},
    ShortOption{"ldapadd", "-w", true, false, false},
};

// Whether only options stand between the program and `i`.
bool only_options_between(std::string_view text, std::string_view program, size_t i) {
  const size_t from = i - std::min(i, kMaxUserBytes);
  const std::string_view before = text.substr(from, i - from);
  const size_t found = before.rfind(program);
  if (found == std::string_view::npos) return false;
  for (const std::string_view word : split(before.substr(found + program.size()), ' '))
    if (!word.empty() && !word.starts_with('-')) return false;
  return true;
}

Found short_option(std::string_view text, size_t i) {
  const std::string_view rest = text.substr(i);
  for (const ShortOption& known : kShortOptions) {
    if (!rest.starts_with(known.option)) continue;
    const size_t begin = i + known.option.size();
    const bool apart = is_blank(at(text, begin));
    if (apart ? !known.apart : !known.joined) continue;
    if (!called_before(text, i, {known.program})) continue;
    if (known.first && !only_options_between(text, known.program, i)) continue;
    const Value value = option_value(text, begin);
    const std::string_view bytes = bytes_of(text, value);
    if (bytes.empty() || is_placeholder(bytes) || bytes.starts_with('-')) return std::nullopt;
    return Secret{value.begin, value.end, "password"};
  }
  return std::nullopt;
}

// The word that ends before `end`, and where it begins.
std::string_view word_before(std::string_view text, size_t& end) {
  const size_t least = end - std::min(end, kMaxNameBytes);
  while (end > least && is_blank(text[end - 1])) --end;
  size_t begin = end;
  while (begin > least && !is_blank(text[begin - 1])) --begin;
  const std::string_view word = text.substr(begin, end - begin);
  end = begin;
  return word;
}

// "ENV DB_PASSWORD value" of a Dockerfile, "login alba password value" of .netrc, "bindpw value".
bool takes_value_after_space(std::string_view text, size_t i, std::string_view name) {
  size_t at = i;
  const std::string_view before = word_before(text, at);
  if (before == "ENV" || before == "ARG") return true;
  if (word_before(text, at) == "login" && name == "password") return true;
  const bool begins_line = i == 0 || text[i - 1] == '\n';
  return begins_line && (name == "bindpw" || name == "requirepass" || name == "masterauth");
}

}  // namespace

Found secret_of_option(std::string_view text, size_t i) {
  if (i > 0 && !is_blank(text[i - 1])) return std::nullopt;
  if (auto found = user_and_password(text, i)) return found;
  for (const std::string_view option : {"--password ", "--passphrase "}) {
    if (!text.substr(i).starts_with(option)) continue;
    const Value value = option_value(text, i + option.size());
    const std::string_view bytes = bytes_of(text, value);
    if (bytes.empty() || is_placeholder(bytes) || (!value.quoted && tells_of_option(bytes)))
      return std::nullopt;
    return Secret{value.begin, value.end, "password"};
  }
  return short_option(text, i);
}

Found secret_of_statement(std::string_view text, size_t i) {
  // SQL: IDENTIFIED BY 'value', PASSWORD 'value', PASSWORD('value').
  for (const std::string_view words : {"IDENTIFIED BY '", "PASSWORD '", "PASSWORD('"}) {
    if (text[i] != words.front() || !text.substr(i).starts_with(words)) continue;
    const Value value = value_at(text, i + words.size() - 1);
    if (is_placeholder(bytes_of(text, value))) return std::nullopt;
    return Secret{value.begin, value.end, "password"};
  }
  const size_t end = end_of_run(text, i, is_token_char);
  if (at(text, end) != ' ' || end - i > kMaxNameBytes) return std::nullopt;
  const std::string_view name = text.substr(i, end - i);
  const NameKind kind = kind_of(name);
  if (kind == NameKind::kNone || !takes_value_after_space(text, i, name)) return std::nullopt;
  Value value = value_at(text, end + 1);
  if (!value.quoted) value.end = end_of_password(text, value, false);
  if (!is_secret_value(kind, bytes_of(text, value))) return std::nullopt;
  return Secret{value.begin, value.end, kind_text(kind)};
}

}  // namespace precedent::secrets
