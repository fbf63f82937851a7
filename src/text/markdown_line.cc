#include "text/markdown_line.h"

#include <algorithm>
#include <string>

#include "base/ascii.h"
#include "base/strings.h"

namespace precedent {
namespace {

// The tags that begin a block and end no paragraph (CommonMark 4.6, condition 6), ascending.
constexpr std::string_view kBlockTags[] = {
    "address",  "article",  "aside",      "base",    "blockquote", "body",   "caption", "center",
    "col",      "colgroup", "dd",         "details", "dialog",     "dir",    "div",     "dl",
    "dt",       "fieldset", "figcaption", "figure",  "footer",     "form",   "frame",   "frameset",
    "h1",       "h2",       "h3",         "h4",      "h5",         "h6",     "head",    "header",
    "hr",       "html",     "iframe",     "legend",  "li",         "link",   "main",    "menu",
    "menuitem", "nav",      "noframes",   "ol",      "optgroup",   "option", "p",       "param",
    "search",   "section",  "summary",    "table",   "tbody",      "td",     "tfoot",   "th",
    "thead",    "title",    "tr",         "track",   "ul"};

}  // namespace

uint8_t heading_level(std::string_view text) {
  const size_t marks = std::min(text.find_first_not_of('#'), text.size());
  if (marks == 0 || marks > 6) return 0;
  return marks == text.size() || is_blank_char(text[marks]) ? static_cast<uint8_t>(marks) : 0;
}

bool is_rule(std::string_view text) {
  const char mark = text.empty() ? '\0' : text[0];
  if (mark != '-' && mark != '*' && mark != '_') return false;
  size_t marks = 0;
  for (const char c : text) {
    if (c == mark) {
      ++marks;
    } else if (!is_blank_char(c)) {
      return false;
    }
  }
  return marks >= 3;
}

Fence opening_fence(std::string_view text) {
  const char mark = text.empty() ? '\0' : text[0];
  if (mark != '`' && mark != '~') return {};
  const size_t length = std::min(text.find_first_not_of(mark), text.size());
  if (length < 3) return {};
  // A back-tick in the info string means that this is a code span of a paragraph.
  if (mark == '`' && text.find('`', length) != std::string_view::npos) return {};
  return {mark, length};
}

Marker list_marker(std::string_view text) {
  Marker marker;
  size_t i = 0;
  if (!text.empty() && (text[0] == '-' || text[0] == '+' || text[0] == '*')) {
    i = 1;
  } else {
    while (i < text.size() && i < 10 && is_digit(text[i])) ++i;
    if (i == 0 || i > 9 || i == text.size() || (text[i] != '.' && text[i] != ')')) return {};
    marker.starts_at_one = text.substr(0, i) == "1";
    ++i;
  }
  if (i < text.size() && !is_blank_char(text[i])) return {};
  marker.length = i;
  marker.empty = i == text.size();
  return marker;
}

HtmlStart html_start(std::string_view text) {
  if (text.size() < 2 || text[0] != '<') return {};
  if (text.starts_with("<!--")) return {true, true, "-->"};
  if (text.starts_with("<?")) return {true, true, "?>"};
  if (text.starts_with("<![CDATA[")) return {true, true, "]]>"};
  if (text[1] == '!' && text.size() > 2 && is_letter(text[2])) return {true, true, ">"};
  const size_t name_begin = text[1] == '/' ? 2 : 1;
  size_t name_end = name_begin;
  while (name_end < text.size() && (is_letter(text[name_end]) || is_digit(text[name_end])))
    ++name_end;
  if (name_end == name_begin) return {};
  const std::string name = ascii_lower(text.substr(name_begin, name_end - name_begin));
  const char after = name_end < text.size() ? text[name_end] : ' ';
  if (after != ' ' && after != '\t' && after != '>' && after != '/') return {};
  if (name_begin == 1 &&
      (name == "pre" || name == "script" || name == "style" || name == "textarea")) {
    return {true, true,
            name == "pre"      ? "</pre>"
            : name == "script" ? "</script>"
            : name == "style"  ? "</style>"
                               : "</textarea>"};
  }
  if (std::binary_search(std::begin(kBlockTags), std::end(kBlockTags), name))
    return {true, true, ""};
  // Any other tag, alone on its line.
  const size_t close = text.find('>');
  return {close == text.size() - 1, false, ""};
}

std::vector<std::string_view> split_row(std::string_view row) {
  row = trim(row);
  if (row.starts_with('|')) row.remove_prefix(1);
  if (row.ends_with('|') && !row.ends_with("\\|")) row.remove_suffix(1);
  std::vector<std::string_view> cells;
  size_t begin = 0;
  for (size_t i = 0; i <= row.size(); ++i) {
    if (i < row.size() && row[i] == '\\') {
      ++i;
      continue;
    }
    if (i < row.size() && row[i] != '|') continue;
    cells.push_back(trim(row.substr(begin, i - begin)));
    begin = i + 1;
  }
  if (begin <= row.size() && cells.empty()) cells.push_back(trim(row.substr(begin)));
  return cells;
}

size_t delimiter_columns(std::string_view text) {
  if (text.find_first_not_of("|-: \t") != std::string_view::npos) return 0;
  if (text.find('-') == std::string_view::npos) return 0;
  const std::vector<std::string_view> cells = split_row(text);
  for (std::string_view cell : cells) {
    if (cell.starts_with(':')) cell.remove_prefix(1);
    if (cell.ends_with(':')) cell.remove_suffix(1);
    if (cell.empty() || cell.find_first_not_of('-') != std::string_view::npos) return 0;
  }
  return cells.size();
}

}  // namespace precedent
