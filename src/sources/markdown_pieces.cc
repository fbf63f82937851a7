#include "sources/markdown_pieces.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/strings.h"

namespace precedent {

std::string fenced(std::string_view text, std::string_view language) {
  size_t longest = 2, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  while (text.starts_with('\n')) text.remove_prefix(1);
  while (text.ends_with('\n')) text.remove_suffix(1);
  const std::string fence(longest + 1, '`');
  std::string plain_language;
  for (const char c : language)
    if (is_alnum(c) || c == '+' || c == '#' || c == '-') plain_language += c;
  return fmt::format("{}{}\n{}\n{}", fence, plain_language, text, fence);
}

std::string as_paragraph(std::string_view text) {
  std::string out;
  for (const std::string_view line : split_lines(text)) {
    if (!out.empty()) out += '\n';
    const std::string_view trimmed = trim(line);
    if (trimmed.starts_with('#') || trimmed.starts_with('>') || trimmed.starts_with("```") ||
        trimmed.starts_with("~~~") || trimmed.starts_with("---") || trimmed.starts_with("==="))
      out += '\\';
    out += trimmed;
  }
  return out;
}

std::string indented(std::string_view text, size_t spaces) {
  std::string out;
  for (const std::string_view line : split_lines(text)) {
    if (!out.empty()) out += '\n';
    if (!out.empty() && !line.empty()) out.append(spaces, ' ');
    out += line;
  }
  return out;
}

std::string prefixed(std::string_view text, std::string_view prefix) {
  std::string out;
  for (const std::string_view line : split_lines(text)) {
    if (!out.empty()) out += '\n';
    out.append(prefix).append(line);
  }
  return out;
}

void add_block(std::string& out, std::string_view block) {
  if (trim(block).empty()) return;
  if (!out.empty()) out += "\n\n";
  out += block;
}

std::string emphasised(const std::string& text, std::string_view mark) {
  const std::string_view word = trim(text);
  if (word.empty() || word.contains('\n')) return text;
  const size_t before = static_cast<size_t>(word.data() - text.data());
  return fmt::format("{}{}{}{}{}", text.substr(0, before), mark, word, mark,
                     text.substr(before + word.size()));
}

std::string collapsed(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = is_space(c);
    if (!blank)
      out += c;
    else if (!out.ends_with(' '))
      out += ' ';
  }
  return out;
}

}  // namespace precedent
