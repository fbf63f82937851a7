#include "base/ids.h"

#include <charconv>
#include <unordered_set>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace precedent {
namespace {

bool is_hyphen(char32_t c) {
  return (c >= 0x2010 && c <= 0x2015) || c == 0x2212 || c == 0xFE58 || c == 0xFE63 || c == 0xFF0D;
}

// The hyphens that typography sets between words rather than inside them.
bool is_dash(char32_t c) { return c == 0x2014 || c == 0x2015; }

constexpr char kLetter = '\x80';  // stands for any letter beyond ASCII

// `c` as find_ids keeps it.
bool is_word(char c) { return is_alnum(c) || c == '_' || c == kLetter; }

// Latin, Greek and Cyrillic letters continue a word; quotation marks, dashes and scripts that write
// no spaces do not.
bool is_foreign_letter(char32_t c) { return c >= 0xC0 && c <= 0x52F && c != 0xD7 && c != 0xF7; }

std::string ascii_upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (is_lower(c)) c = static_cast<char>(c - 32);
  }
  return out;
}

// White space, quotes, brackets and punctuation that people and Markdown put around an id.
bool surrounds(char32_t c) {
  constexpr std::u32string_view kAround =
      U" \t\r\n\"'`*_()[]{}<>,.;:!?#“”‘’«»‹›…\u00A0\u200B\uFEFF-";
  return kAround.find(c) != std::u32string_view::npos;
}

}  // namespace

std::string fold_hyphens(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const CodePoint c = code_point_at(text, i);
    if (is_hyphen(c.value)) {
      out += '-';
    } else {
      out.append(text, i, c.bytes);
    }
    i += c.bytes;
  }
  return out;
}

std::string normalize_id(std::string_view id) {
  const std::string folded = fold_hyphens(id);
  std::string_view rest = folded;
  while (!rest.empty()) {
    const CodePoint c = code_point_at(rest, 0);
    if (!surrounds(c.value)) break;
    rest.remove_prefix(c.bytes);
  }
  while (!rest.empty()) {
    size_t last = rest.size() - 1;
    while (last > 0 && (static_cast<unsigned char>(rest[last]) & 0xC0) == 0x80) --last;
    if (!surrounds(code_point_at(rest, last).value)) break;
    rest.remove_suffix(rest.size() - last);
  }
  return ascii_upper(rest);
}

std::vector<IdMention> find_ids(std::string_view text) {
  // Works on the original bytes so that offsets need no mapping back.
  struct Char {
    char c;  // '-' for any hyphen, kLetter for other letters, 0 for the rest beyond ASCII
    size_t begin, end;
  };
  std::vector<Char> chars;
  chars.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const CodePoint c = code_point_at(text, i);
    const char kept = is_hyphen(c.value)           ? '-'
                      : c.value < 0x80             ? static_cast<char>(c.value)
                      : is_foreign_letter(c.value) ? kLetter
                                                   : '\0';
    chars.push_back({kept, i, i + c.bytes});
    i += c.bytes;
  }
  // A hyphen that joins an id to the word before it ("x-INC-1"); a dash between words does not.
  const auto joined = [&](size_t i) {
    const bool hyphen = i > 1 && chars[i - 1].c == '-' && is_word(chars[i - 2].c);
    return hyphen && !is_dash(code_point_at(text, chars[i - 1].begin).value);
  };
  std::vector<IdMention> found;
  std::unordered_set<std::string> seen;
  for (size_t i = 0; i < chars.size(); ++i) {
    if (!is_letter(chars[i].c) || (i > 0 && is_word(chars[i - 1].c)) || joined(i)) continue;
    size_t j = i;
    while (j < chars.size() && (is_letter(chars[j].c) || (j > i && is_digit(chars[j].c)))) ++j;
    // Letters first ("INC", "OPS2"), then groups of "-digits".
    size_t end = j;
    while (end + 1 < chars.size() && chars[end].c == '-' && is_digit(chars[end + 1].c)) {
      size_t k = end + 1;
      while (k < chars.size() && is_digit(chars[k].c)) ++k;
      end = k;
    }
    if (end == j || (end < chars.size() && is_word(chars[end].c))) {
      i = j - 1 > i ? j - 1 : i;
      continue;
    }
    IdMention mention{
        normalize_id(text.substr(chars[i].begin, chars[end - 1].end - chars[i].begin)),
        chars[i].begin, chars[end - 1].end};
    if (seen.insert(mention.id).second) found.push_back(std::move(mention));
    i = end - 1;
  }
  return found;
}

std::optional<TimePoint> date_in_id(std::string_view id) {
  if (!id.starts_with("INC-")) return std::nullopt;
  const std::vector<std::string_view> parts = split(id.substr(4), '-');
  if (parts.size() < 4 || parts[0].size() != 4 || parts[1].size() != 2 || parts[2].size() != 2) {
    return std::nullopt;
  }
  int numbers[3];
  for (int i = 0; i < 3; ++i) {
    const auto [end, error] =
        std::from_chars(parts[i].data(), parts[i].data() + parts[i].size(), numbers[i]);
    if (error != std::errc() || end != parts[i].data() + parts[i].size()) return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year(numbers[0]),
                                         std::chrono::month(static_cast<unsigned>(numbers[1])),
                                         std::chrono::day(static_cast<unsigned>(numbers[2]))};
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date);
}

}  // namespace precedent
