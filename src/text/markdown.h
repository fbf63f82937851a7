// Markdown → blocks with their place in the source, sections with their heading paths, and plain
// text.
//
// A line scanner for the structure that matters to a reader of runbooks: every line that is not
// blank belongs to exactly one block. It follows CommonMark 0.31 and GitHub's tables, and is
// checked against md4c, which knows the blocks but not where they are. Deliberately simpler: a
// quote is one block whatever it holds, reference definitions are paragraphs, and a list item's own
// blocks carry its depth instead of being a tree.
//
// Front matter is not known here. Thread safety: pure functions. Errors: none, every text is
// Markdown. Time is linear; lists nest at most kMaxListDepth deep.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace precedent {

// Deeper items are taken as items of this depth; nobody reads a tenth level.
inline constexpr size_t kMaxListDepth = 16;

struct TextRange {
  uint32_t begin = 0, end = 0;  // bytes, half-open
  uint32_t size() const { return end - begin; }
  std::string_view in(std::string_view source) const { return source.substr(begin, size()); }
  bool operator==(const TextRange&) const = default;
};

enum class BlockKind : uint8_t {
  kHeading,
  kParagraph,
  kListItem,
  kCode,
  kTable,
  kQuote,
  kHtml,
  kRule
};

struct Block {
  BlockKind kind = BlockKind::kParagraph;
  uint8_t level = 0;    // of a heading: 1–6
  uint8_t depth = 0;    // how many list items it stands in, itself included: 0 outside of lists
  bool fenced = false;  // a code block between fences rather than an indented one
  uint32_t first_line = 0, last_line = 0;  // 1-based, inclusive
  TextRange bytes;                         // whole lines, with the last newline
  // What a reader reads: without the heading's marks, the item's marker, the fences. Lines in
  // between keep their indentation and quote marks.
  TextRange content;
  std::string label;  // of a list item its marker ("-", "3."), of a code block its language
};

// In the order of the source. REQUIRES: source.size() < 4 GiB.
std::vector<Block> parse_blocks(std::string_view source);

struct TableRow {
  std::vector<std::string> cells;  // plain text, trimmed
  TextRange bytes;                 // the line, without its newline
  uint32_t line = 0;
};
struct Table {
  TableRow header;
  std::vector<TableRow> rows;
};
// REQUIRES: block.kind == kTable, found in this source.
Table read_table(std::string_view source, const Block& block);

// A heading and the blocks under it up to the next heading of any level. The first section may have
// no heading.
struct Section {
  static constexpr uint32_t kNoParent = UINT32_MAX;
  uint8_t level = 0;            // 0: the text before the first heading
  uint32_t parent = kNoParent;  // the section whose heading is the nearest above with a lower level
  std::vector<std::string> path = {};  // plain text of the headings, outermost first, this one last
  uint32_t first_block = 0, end_block = 0;  // half-open; the heading is the first
};
// Headings inside lists open no section.
std::vector<Section> find_sections(std::string_view source, const std::vector<Block>& blocks);

// The plain text of a heading, at most kMaxHeadingBytes of it: paths are copied to every section
// and chunk below. REQUIRES: block.kind == kHeading.
inline constexpr size_t kMaxHeadingBytes = 300;
std::string heading_text(std::string_view source, const Block& block);

// Inline Markdown as a reader sees it: no emphasis marks, links and images by their text, code
// spans by their content, entities decoded, inline HTML left out, white space squeezed. A marker at
// the beginning ("1.", "#") stays.
std::string plain_text(std::string_view inline_markdown);

}  // namespace precedent
