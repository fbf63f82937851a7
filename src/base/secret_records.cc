#include "base/secret_records.h"

#include <array>
#include <span>

#include "base/secret_names.h"

namespace precedent::secrets {
namespace {

// A record of a name and its values is short: so far is looked to each side.
constexpr size_t kMaxRecordBytes = 256;

constexpr std::array<std::string_view, 11> kNameFields = {
    "key",       "name",  "setting", "variable",     "field",      "property",
    "parameter", "param", "option",  "parameterkey", "settingname"};
constexpr std::array<std::string_view, 16> kValueFields = {
    "value", "from",          "to",           "old",           "new",     "before",
    "after", "oldvalue",      "newvalue",     "previous",      "current", "default",
    "was",   "previousvalue", "currentvalue", "parametervalue"};

bool is_one(std::string_view field, std::span<const std::string_view> known) {
  std::array<char, 16> bytes;
  size_t size = 0;
  for (const char c : field) {
    if (c == '_' || c == '-' || c == ' ') continue;
    if (size == bytes.size()) return false;
    bytes[size++] = is_upper(c) ? static_cast<char>(c | 0x20) : c;
  }
  return std::ranges::find(known, std::string_view(bytes.data(), size)) != known.end();
}

// Where the line of `i` begins.
size_t line_begin(std::string_view text, size_t i, size_t least) {
  while (i > least && text[i - 1] != '\n') --i;
  return i;
}

// The first byte of a line that is neither blank nor the dash of a list.
size_t first_of_line(std::string_view text, size_t begin) {
  return end_of_run(text, begin, [](char c) { return is_wrapping(c) || c == '\t' || c == '-'; });
}

bool is_item(std::string_view text, size_t line) {
  const size_t dash = end_of_run(text, line, [](char c) { return c == ' ' || c == '\t'; });
  return at(text, dash) == '-' && at(text, dash + 1) == ' ';
}

bool is_bound(char c) { return c == '{' || c == '}' || c == '<' || c == '>'; }

// Where the record of a field at `i` begins: behind a brace, at the dash of a list, below a blank
// line.
size_t record_begin(std::string_view text, size_t i) {
  const size_t least = i - std::min(i, kMaxRecordBytes);
  for (; i > least; --i) {
    if (is_bound(text[i - 1])) break;
    if (text[i - 1] != '\n') continue;
    if (is_item(text, i) || (i > 1 && text[i - 2] == '\n')) break;
  }
  // The dash of the first line.
  return i;
}

size_t record_end(std::string_view text, size_t i) {
  const size_t last = std::min(text.size(), i + kMaxRecordBytes);
  for (; i < last; ++i) {
    if (is_bound(text[i])) break;
    if (text[i] == '\n' && (at(text, i + 1) == '\n' || is_item(text, i + 1))) break;
  }
  return i;
}

// The column of a name that begins its line; none if something stands before it.
std::optional<size_t> column_of(std::string_view text, std::string_view name) {
  const size_t begin = static_cast<size_t>(name.data() - text.data());
  const size_t line = line_begin(text, begin, begin - std::min(begin, kMaxRecordBytes));
  return first_of_line(text, line) == begin ? std::optional(begin - line) : std::nullopt;
}

bool is_plain_name(std::string_view value) {
  return !value.empty() && value.size() <= kMaxNameBytes &&
         std::ranges::all_of(value, [](char c) { return is_token_char(c) || c == '.'; });
}

// variable "db_password" { default = … }: the name stands before the brace.
NameKind kind_before_brace(std::string_view text, size_t begin) {
  if (begin == 0 || text[begin - 1] != '{') return NameKind::kNone;
  const size_t line = line_begin(text, begin - 1, begin - std::min(begin, kMaxRecordBytes));
  if (!text.substr(line).starts_with("variable ")) return NameKind::kNone;
  return kind_of(name_before(text, begin - 1));
}

// What the record around the field `field` names.
NameKind named_kind(std::string_view text, std::string_view field, size_t separator) {
  const size_t begin = record_begin(text, separator), end = record_end(text, separator);
  const auto column = column_of(text, field);
  for (size_t i = begin; i < end; ++i) {
    if (i == separator || (text[i] != ':' && text[i] != '=')) continue;
    const std::string_view name = name_before(text, i);
    if (!is_name_field(name)) continue;
    const auto other = column_of(text, name);
    if (column && other && *column != *other) continue;
    const std::string_view value = bytes_of(text, value_at(text, i + 1));
    if (is_plain_name(value))
      if (const NameKind kind = kind_of(value); kind != NameKind::kNone) return kind;
  }
  return kind_before_brace(text, begin);
}

// The name that the attributes of a tag give it: <property name="db.password">.
NameKind kind_of_tag(std::string_view tag) {
  for (size_t i = 0; i < tag.size(); ++i) {
    if (tag[i] != '=' || !is_name_field(name_before(tag, i))) continue;
    const std::string_view value = bytes_of(tag, value_at(tag, i + 1));
    if (is_plain_name(value)) return kind_of(value);
  }
  return NameKind::kNone;
}

}  // namespace

bool is_name_field(std::string_view field) { return is_one(field, kNameFields); }
bool is_value_field(std::string_view field) { return is_one(field, kValueFields); }

Found secret_of_record(std::string_view text, size_t separator) {
  const std::string_view field = name_before(text, separator);
  if (!is_value_field(field)) return std::nullopt;
  Value value = value_at(text, separator + 1);
  if (value.end == value.begin || text[value.begin] == '\n') return std::nullopt;
  const NameKind kind = named_kind(text, field, separator);
  if (kind == NameKind::kNone || kind == NameKind::kHeader) return std::nullopt;
  if (!value.quoted) value.end = end_of_password(text, value, false);
  if (!is_secret_value(kind, bytes_of(text, value))) return std::nullopt;
  return Secret{value.begin, value.end, kind_text(kind)};
}

Found secret_of_element(std::string_view text, size_t i) {
  const size_t least = i - std::min(i, kMaxRecordBytes);
  const size_t open = text.substr(least, i - least).rfind('<');
  if (open == std::string_view::npos) return std::nullopt;
  const std::string_view tag = text.substr(least + open + 1, i - least - open - 1);
  if (tag.empty() || tag.front() == '/' || tag.back() == '/') return std::nullopt;
  const size_t end = end_of_run(text, i + 1, [](char c) { return c != '<' && c != '\n'; });
  if (text.substr(std::min(end, text.size()), 2) != "</") return std::nullopt;
  const std::string_view value = text.substr(i + 1, end - i - 1);
  const std::string_view own = tag.substr(0, tag.find_first_of(" \t\n"));
  NameKind kind = kind_of(own);
  // A text of a screen may be named "password", too: <string name="password">Password</string>.
  const bool named = kind == NameKind::kNone;
  if (named) kind = kind_of_tag(tag);
  const bool one_word = !value.empty() && std::ranges::none_of(value, is_blank);
  if (!one_word ||
      !is_secret_value(named && kind == NameKind::kPassword ? NameKind::kShort : kind, value))
    return std::nullopt;
  return Secret{i + 1, end, kind_text(kind)};
}

}  // namespace precedent::secrets
