// What one line of Markdown may begin: the rules of CommonMark 0.31 and of GitHub's tables that
// need no context.
//
// All take a line's text without its indentation and trailing blanks; whether the line may begin
// the block where it stands is for the scanner of markdown.cc to say. Internal to text/. Thread
// safety: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace precedent {

inline bool is_blank_char(char c) { return c == ' ' || c == '\t'; }

// 1–6, or 0 if it is no ATX heading.
uint8_t heading_level(std::string_view text);
// A thematic break.
bool is_rule(std::string_view text);

// length 0: none
struct Fence {
  char mark = '\0';
  size_t length = 0;
};
Fence opening_fence(std::string_view text);

struct Marker {
  size_t length = 0;  // "-" 1, "12." 3; 0: none
  bool starts_at_one = true;
  bool empty = false;  // nothing follows it
};
Marker list_marker(std::string_view text);

// How an HTML block ends (CommonMark 4.6): at this string, or at a blank line if it is empty.
struct HtmlStart {
  bool found = false;
  bool may_interrupt = true;  // a paragraph
  std::string_view end;
};
HtmlStart html_start(std::string_view text);

// The cells of a table row; pipes in code spans separate too, as GitHub has it, but not escaped
// ones.
std::vector<std::string_view> split_row(std::string_view row);
// The number of columns of "|---|:--:|", or 0.
size_t delimiter_columns(std::string_view text);

}  // namespace precedent
