#include "investigate/report/markdown_line.h"

#include "base/strings.h"

namespace precedent {

std::string markdown_line(std::string_view text) {
  // What makes a block where it begins a line.
  constexpr std::string_view kBlocks = "#>-+*=|~`";
  const std::string line = squeeze(text);
  std::string out;
  if (!line.empty() && kBlocks.contains(line.front())) out += '\\';
  for (size_t i = 0; i < line.size(); ++i) {
    const char before = i > 0 ? line[i - 1] : '\0';
    const bool link = before == ']' && (line[i] == '(' || line[i] == '[' || line[i] == ':');
    if (link || line[i] == '<') out += '\\';
    out += line[i];
  }
  return out;
}

}  // namespace precedent
