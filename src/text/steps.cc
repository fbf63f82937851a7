#include "text/steps.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/strings.h"

namespace precedent {
namespace {

// "[Restarting](restart.md)" and nothing else.
bool is_link(std::string_view item) {
  const std::string_view text = trim(item);
  return text.starts_with('[') && text.ends_with(')') && text.contains("](") &&
         text.find("](") == text.rfind("](");
}

}  // namespace

std::optional<int> step_number(std::string_view text) {
  size_t at = 0;
  while (at < text.size() && is_letter(text[at])) ++at;
  while (at < text.size() && (text[at] == ' ' || text[at] == '(' || text[at] == '#')) ++at;
  int number = 0;
  const size_t begin = at;
  for (; at < text.size() && is_digit(text[at]) && at - begin < 3; ++at)
    number = number * 10 + (text[at] - '0');
  // "5xx errors", "2026-03: what changed" and "3.1 Scope" count nothing.
  if (at == begin || (at < text.size() && (is_digit(text[at]) || is_letter(text[at])))) return {};
  if (at + 1 < text.size() && (text[at] == '.' || text[at] == '-') && is_digit(text[at + 1]))
    return {};
  return number;
}

std::optional<int> item_number(const Block& block) {
  if (block.kind != BlockKind::kListItem || block.label.empty() || !is_digit(block.label[0]))
    return std::nullopt;
  return step_number(block.label);
}

size_t counted_lines(const Block& block, std::string_view source) {
  if (block.kind != BlockKind::kParagraph) return 0;
  int last = 0;
  size_t counted = 0;
  for (std::string_view rest = block.content.in(source); !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const std::string_view text = trim(line);
    if (text.empty() || !is_letter(text.front()) || step_number(text) != last + 1) continue;
    ++last;
    ++counted;
  }
  return counted;
}

std::optional<int> paragraph_number(const Block& block, std::string_view source) {
  if (block.kind != BlockKind::kParagraph) return std::nullopt;
  const std::string_view text = block.content.in(source);
  const size_t chapter = text.find_first_not_of("0123456789");
  if (chapter == 0 || chapter > 2 || chapter == text.npos || text[chapter] != '.') return {};
  const std::string_view own = text.substr(chapter + 1);
  const size_t end = own.find_first_not_of("0123456789");
  if (end == 0 || end > 2 || end == own.npos) return std::nullopt;
  // "3.5 kW" is a number, too, but one alone.
  if (own[end] != ' ' && own[end] != '.' && own[end] != ')') return std::nullopt;
  return step_number(own);
}

bool tells_steps(std::span<const Block> blocks, std::string_view source) {
  size_t numbered = 0, with_command = 0, items = 0, links = 0, commands = 0, headings = 0;
  int paragraph = 0;  // the number of the last one that has one
  for (const Block& block : blocks) {
    if (block.kind == BlockKind::kCode) ++commands;
    if (block.kind == BlockKind::kHeading && step_number(block.content.in(source))) ++headings;
    if (const auto number = paragraph_number(block, source)) {
      if (number == paragraph + 1) ++numbered;
      paragraph = *number;
    }
    numbered += counted_lines(block, source);
    if (block.kind != BlockKind::kListItem) continue;
    const std::string_view content = block.content.in(source);
    ++items;
    if (is_link(content)) ++links;
    if (item_number(block)) ++numbered;
    if (content.contains('`')) ++with_command;
  }
  if (links * 2 > items) return false;
  // Headings are counted in any document that has chapters: they are steps only where no list is,
  // and something is to be typed.
  if (headings >= 2 && numbered == 0 && with_command + commands > 0) return true;
  return numbered >= 2 || with_command >= 2 || (items > 0 && commands > 0);
}

bool tells_steps(std::string_view markdown) {
  return tells_steps(parse_blocks(markdown), markdown);
}

}  // namespace precedent
