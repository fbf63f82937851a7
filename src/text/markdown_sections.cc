// Tables and sections of markdown.h.
#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "text/markdown.h"
#include "text/markdown_line.h"

namespace precedent {

Table read_table(std::string_view source, const Block& block) {
  Table table;
  uint32_t line = block.first_line;
  for (uint32_t begin = block.bytes.begin; begin < block.bytes.end; ++line) {
    const auto end =
        static_cast<uint32_t>(std::min<size_t>(source.find('\n', begin), block.bytes.end));
    TableRow row{.cells = {}, .bytes = {begin, end}, .line = line};
    if (line != block.first_line + 1) {
      for (const std::string_view cell : split_row(row.bytes.in(source)))
        row.cells.push_back(plain_text(cell));
      if (line == block.first_line) {
        table.header = std::move(row);
      } else {
        table.rows.push_back(std::move(row));
      }
    }
    begin = end + 1;
  }
  return table;
}

std::string heading_text(std::string_view source, const Block& block) {
  // Markup takes room, too: three times the text is enough for any real heading.
  const std::string_view inline_markdown =
      utf8_prefix(block.content.in(source), 3 * kMaxHeadingBytes);
  return std::string(utf8_prefix(plain_text(inline_markdown), kMaxHeadingBytes));
}

std::vector<Section> find_sections(std::string_view source, const std::vector<Block>& blocks) {
  std::vector<Section> sections;
  std::array<uint32_t, 7> open;  // by level, the section under way
  open.fill(Section::kNoParent);
  for (uint32_t i = 0; i < blocks.size(); ++i) {
    const Block& block = blocks[i];
    if (block.kind == BlockKind::kHeading && block.depth == 0) {
      Section section{.level = block.level, .first_block = i};
      for (int level = block.level - 1; level > 0 && section.parent == Section::kNoParent;
           --level) {
        section.parent = open[static_cast<size_t>(level)];
      }
      if (section.parent != Section::kNoParent) section.path = sections[section.parent].path;
      section.path.push_back(heading_text(source, block));
      for (size_t level = block.level; level < open.size(); ++level)
        open[level] = Section::kNoParent;
      open[block.level] = static_cast<uint32_t>(sections.size());
      sections.push_back(std::move(section));
    } else if (sections.empty()) {
      sections.push_back({.first_block = i});
    }
    sections.back().end_block = i + 1;
  }
  return sections;
}

}  // namespace precedent
