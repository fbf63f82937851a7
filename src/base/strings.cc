#include "base/strings.h"

#include <algorithm>

#include "base/ascii.h"

namespace precedent {
namespace {
char lower(char c) { return is_upper(c) ? static_cast<char>(c + 32) : c; }
}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string ascii_lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

bool iequals(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](char x, char y) { return lower(x) == lower(y); });
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0;;) {
    const size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines = split(text, '\n');
  if (lines.back().empty()) lines.pop_back();
  for (std::string_view& line : lines) {
    if (line.ends_with('\r')) line.remove_suffix(1);
  }
  return lines;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += separator;
    out += parts[i];
  }
  return out;
}

std::string bare_name(std::string_view text) {
  std::string out;
  for (const char c : ascii_lower(text)) {
    if (is_lower(c) || is_digit(c) || (c & 0x80) != 0) out += c;
  }
  return out;
}

std::string squeeze(std::string_view text) {
  std::string out;
  bool gap = false;
  for (const char c : text) {
    if (is_space(c)) {
      gap = !out.empty();
    } else {
      if (gap) out += ' ';
      gap = false;
      out += c;
    }
  }
  return out;
}

}  // namespace precedent
