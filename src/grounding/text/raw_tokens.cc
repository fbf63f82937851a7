#include "grounding/text/raw_tokens.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/characters.h"

namespace precedent {
namespace {

// Prose that is wrapped has lines of about such lengths, and list items in it are indented so far.
constexpr size_t kMinProseLine = 48, kMaxProseLine = 130, kMaxIndent = 4;
constexpr char32_t kTimesSign = 0xD7, kMiddleDot = 0xB7;

// One code point as the scanner sees it: ASCII as it is, dashes and apostrophes as ASCII, other
// letters as 'a' with their bytes kept, the rest as a blank.
//
// Words of one size: bytes written one by one and read together wait for each other.
struct Seen {
  Seen(char c, uint32_t its_bytes, bool is_foreign, bool is_upper)
      : as(static_cast<unsigned char>(c)), bytes(its_bytes), foreign(is_foreign), upper(is_upper) {}
  char c() const { return static_cast<char>(as); }

  uint32_t as;
  uint32_t bytes;
  uint32_t foreign;  // a letter beyond ASCII
  uint32_t upper;
};

Seen see_foreign(std::string_view text, size_t pos) {
  const CodePoint point = code_point_at(text, pos);
  if (point.value == kMiddleDot) return {'|', static_cast<uint32_t>(point.bytes), false, false};
  if (point.value == kTimesSign) return {'x', static_cast<uint32_t>(point.bytes), false, false};
  const auto bytes = static_cast<uint32_t>(point.bytes);
  switch (char_class(point.value)) {
    case CharClass::kLower:
    case CharClass::kIdeograph: return {'a', bytes, true, false};
    case CharClass::kUpper: return {'a', bytes, true, true};
    case CharClass::kDigit: return {'0', bytes, true, false};
    case CharClass::kJoiner: return {'-', bytes, false, false};
    case CharClass::kApostrophe: return {'\'', bytes, false, false};
    case CharClass::kSeparator:
    case CharClass::kInvisible: break;
  }
  return {' ', bytes, false, false};
}

inline Seen see(std::string_view text, size_t pos) {
  const char c = text[pos];
  if (static_cast<unsigned char>(c) < 0x80) [[likely]]
    return {c, 1, false, is_upper(c)};
  return see_foreign(text, pos);
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {
    out_.folded.reserve(text.size());
    out_.tokens.reserve(text.size() / 4);
  }

  RawText run() {
    size_t pos = 0;
    while (pos < text_.size()) {
      const Seen seen = see(text_, pos);
      if (starts_chunk(seen, pos)) {
        pos = chunk(pos);
        continue;
      }
      add_break(seen.c(), pos);
      previous_ = seen.c();
      pos += seen.bytes;
    }
    return std::move(out_);
  }

 private:
  char at(size_t pos) const { return pos < text_.size() ? see(text_, pos).c() : ' '; }

  bool starts_chunk(const Seen& seen, size_t pos) const {
    const char c = seen.c();
    if (is_alnum(c) || c == '_' || c == '%') return true;
    const char next = at(pos + seen.bytes);
    if (c == '/') return is_alnum(next) && previous_ != '/';
    // A sign; what marks a list item has a blank behind it.
    if (c == '-' || c == '+')
      return is_digit(next) && (previous_ == ' ' || previous_ == '=' || previous_ == '(' ||
                                previous_ == '\n' || previous_ == '*');
    return false;
  }

  // Whether a line of prose goes on behind its end at `pos`: it is as long as lines of prose are,
  // ends without a mark, and the next begins with a small letter and is neither a field nor
  // indented code.
  bool wraps(size_t pos) const {
    const size_t newline = pos == 0 ? std::string_view::npos : text_.rfind('\n', pos - 1);
    const size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
    const std::string_view line = text_.substr(begin, pos - begin);
    if (line.size() < kMinProseLine || line.size() > kMaxProseLine ||
        line.find("   ") != std::string_view::npos || line.starts_with('\t'))
      return false;
    const char last = line.back();
    if (!is_alnum(last) && last != ',' && last != '`' && last != ')' && last != ']') return false;
    size_t next = pos + 1;
    while (next < text_.size() && next <= pos + kMaxIndent && text_[next] == ' ') ++next;
    if (next >= text_.size() || !is_lower(text_[next])) return false;
    size_t word = next;
    while (word < text_.size() && (is_alnum(text_[word]) || text_[word] == '_')) ++word;
    return word < text_.size() && text_[word] != ':' && text_[word] != '=' && text_[word] != '(';
  }

  void add_break(char c, size_t pos) {
    BreakStrength strength;
    switch (c) {
      case '\n':
        if (wraps(pos)) return;
        strength = BreakStrength::kLine;
        break;
      case '.':
      case '!':
      case '?': {
        const char next = at(pos + 1);
        if (next != ' ' && next != '\n' && next != '*' && next != '"' && next != '\'' &&
            next != ')')
          return;
        strength = BreakStrength::kSentence;
        break;
      }
      case ',':
      case ';':
      case ':':
      case '(':
      case ')':
      case '|':
      case '-':
      case '[':
      case ']': strength = BreakStrength::kClause; break;
      default: return;
    }
    // A dash between spaces; not the marker of a list item.
    if (c == '-' && previous_ != ' ') return;
    RawToken token;
    token.begin = static_cast<uint32_t>(pos);
    token.end = token.begin + 1;
    token.strength = strength;
    token.mark = c;
    out_.tokens.push_back(token);
  }

  // Whether the joiner `c` at `pos` holds the chunk together.
  bool joins(char c, size_t pos, char before) const {
    const char next = at(pos + see(text_, pos).bytes);
    const bool next_word = is_alnum(next) || next == '_';
    switch (c) {
      case '.': return next_word;
      case '\'':
        return (is_lower(before) || is_upper(before)) && (is_lower(next) || is_upper(next));
      case '-': return is_alnum(before) && next_word;
      case '/': return next_word && before != '/';
      case '@':
      case '+': return is_alnum(before) && is_alnum(next);
      case ',':
        return is_digit(before) && is_digit(next) && is_digit(at(pos + 2)) &&
               is_digit(at(pos + 3)) && !is_digit(at(pos + 4)) && plain_number_;
      case ':': return is_digit(next) && ((is_digit(before) && times_) || path_like_);
      case '%': return is_digit(before);
      default: return false;
    }
  }

  size_t chunk(size_t pos) {
    RawToken token;
    token.begin = static_cast<uint32_t>(pos);
    token.folded = static_cast<uint32_t>(out_.folded.size());
    token.mark = previous_;
    token.letters_only = true;
    plain_number_ = times_ = true;
    path_like_ = false;
    bool small = false, large = false, first = true, done = false;
    size_t small_letters = 0;
    char before = ' ';
    while (pos < text_.size() && !done) {
      const Seen seen = see(text_, pos);
      const char c = seen.c();
      const bool word = is_alnum(c) || c == '_';
      if (!word && !first && !joins(c, pos, before)) break;
      if (c == '/' || c == '.') path_like_ = true;
      if (!is_digit(c) && c != ',') plain_number_ = false;
      if (!is_digit(c) && c != ':' && c != '-' && c != 't' && c != 'T' && c != '+') times_ = false;
      const bool letter = is_lower(c) || is_upper(c);
      if (!letter && c != '-' && c != '\'') token.letters_only = false;
      if (seen.upper != 0) {
        if (first) token.first_upper = true;
        if (small) token.inner_upper = true;
        large = true;
      } else if (letter) {
        small = true;
        small_letters += 1;
      }
      if (seen.foreign != 0) {
        out_.folded.append(text_.substr(pos, seen.bytes));
      } else if (c != ',') {
        out_.folded += is_upper(c) ? static_cast<char>(c + 32) : c;
      }
      if (c == '%') done = true;
      before = c;
      first = false;
      pos += seen.bytes;
    }
    token.end = static_cast<uint32_t>(pos);
    token.length = static_cast<uint32_t>(out_.folded.size()) - token.folded;
    // "APIs" is one as "API" is.
    token.all_upper =
        large && (!small || (small_letters == 1 && before == 's' && token.length > 2));
    out_.tokens.push_back(token);
    previous_ = before;
    return pos;
  }

  std::string_view text_;
  RawText out_;
  char previous_ = '\n';
  bool plain_number_ = true, times_ = true, path_like_ = false;
};

}  // namespace

RawText split_raw(std::string_view text) { return Scanner(text).run(); }

}  // namespace precedent
