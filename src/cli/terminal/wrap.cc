#include "cli/terminal/wrap.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <vector>

#include "base/ascii.h"

namespace precedent {
namespace {

constexpr char kEscape = '\x1b';
// Narrower than this nothing is readable, broken or not.
constexpr size_t kNarrowest = 20;

// The end of the escape sequence that begins at `at`.
size_t past_escape(std::string_view line, size_t at) {
  while (at < line.size() && line[at] != 'm') ++at;
  return at < line.size() ? at + 1 : at;
}

// Characters that are seen.
size_t visible(std::string_view text) {
  size_t count = 0;
  for (size_t at = 0; at < text.size();) {
    if (text[at] == kEscape) {
      at = past_escape(text, at);
      continue;
    }
    if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80) ++count;
    ++at;
  }
  return count;
}

// What the lines below the first begin with: as many blanks as stand before the text, or the bars
// of a quotation themselves.
std::string hanging(std::string_view line) {
  static constexpr std::string_view kBar = "│ ";
  size_t at = 0;
  std::string indent;
  for (bool more = true; more;) {
    more = false;
    while (at < line.size() && line[at] == kEscape) {
      const size_t end = past_escape(line, at);
      // A colour that begins here begins below as well, with its bar.
      if (line.substr(end).starts_with(kBar) || line.substr(at, end - at) == "\x1b[0m")
        indent += line.substr(at, end - at);
      else
        return indent;
      at = end;
      more = true;
    }
    if (line.substr(at).starts_with(kBar)) {
      indent += kBar;
      at += kBar.size();
      more = true;
    }
  }
  if (line.substr(at).starts_with("> ")) {
    indent += "> ";
    at += 2;
  }
  while (at < line.size() && line[at] == ' ') indent += ' ', ++at;
  const std::string_view rest = line.substr(at);
  if (rest.starts_with("- ") || rest.starts_with("* ")) return indent + "  ";
  size_t digits = 0;
  while (digits < rest.size() && is_digit(rest[digits])) ++digits;
  if (digits > 0 && rest.substr(digits).starts_with(". ")) indent.append(digits + 2, ' ');
  return indent;
}

}  // namespace

std::optional<TerminalSize> terminal_size() {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
      size.ws_col == 0)
    return std::nullopt;
  return TerminalSize{size.ws_col, size.ws_row};
}

std::string wrapped(std::string_view line, size_t columns) {
  if (columns < kNarrowest || visible(line) <= columns) return std::string(line);
  const std::string indent = hanging(line);
  const size_t indented = visible(indent);
  std::string out;
  size_t used = 0, at = 0;
  bool first_word = true;
  while (at < line.size()) {
    const size_t begin = at;
    while (at < line.size() && line[at] == ' ') ++at;  // the blanks before a word
    size_t end = at;
    while (end < line.size() && line[end] != ' ') ++end;
    const std::string_view blanks = line.substr(begin, at - begin),
                           word = line.substr(at, end - at);
    const size_t width = blanks.size() + visible(word);
    if (!first_word && used + width > columns && used > indented) {
      out.append("\n").append(indent);
      used = indented;
      out.append(word);
      used += visible(word);
    } else {
      out.append(blanks).append(word);
      used += width;
    }
    first_word = first_word && visible(word) == 0;
    at = end;
  }
  return out;
}

}  // namespace precedent
