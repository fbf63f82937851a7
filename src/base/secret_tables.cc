// Tables: a line of names with at least two cells, and lines of as many cells below it.
#include <string>

#include "base/secret_names.h"
#include "base/secret_records.h"

namespace precedent::secrets {
namespace {

// A wider table is no one that people write; a longer line is none that they read.
constexpr size_t kMaxColumns = 64, kMaxHeaderBytes = 2048;

struct Cell {
  size_t begin, end;
};

// The cells of the line [begin, end), without blanks, quotes and backticks around them.
std::vector<Cell> cells_of(std::string_view text, size_t begin, size_t end, char separator) {
  std::vector<Cell> cells;
  char quote = '\0';
  size_t cell = begin;
  const auto add = [&](size_t last) {
    Cell found{cell, last};
    const auto wraps = [&](size_t i) { return is_wrapping(text[i]) || text[i] == '\r'; };
    while (found.begin < found.end && wraps(found.begin)) ++found.begin;
    while (found.end > found.begin && wraps(found.end - 1)) --found.end;
    cells.push_back(found);
    cell = last + 1;
  };
  for (size_t i = begin; i < end && cells.size() <= kMaxColumns; ++i) {
    const char c = text[i];
    if (quote != '\0' ? c == quote : (c == '"' && i == cell)) quote = quote == '\0' ? c : '\0';
    if (c == separator && quote == '\0') add(i);
  }
  if (cells.size() <= kMaxColumns) add(end);
  return cells;
}

// What a column is: the value of a secret name, a name, or the value of that name.
struct Column {
  NameKind kind = NameKind::kNone;
  bool name = false, value = false;
};

bool is_header_cell(std::string_view cell, char separator) {
  // Prose has commas and words; the names of a Markdown table may be two words.
  const bool spaces = separator == '|';
  return cell.size() <= kMaxNameBytes && std::ranges::all_of(cell, [&](char c) {
           return is_token_char(c) || c == '.' || (spaces && c == ' ');
         });
}

// The columns of a header that has something to look for; else empty.
std::vector<Column> columns_of(std::string_view text, const std::vector<Cell>& cells,
                               char separator) {
  std::vector<Column> columns;
  bool secret = false, name = false, value = false;
  if (cells.size() < 2 || cells.size() > kMaxColumns) return {};
  for (const Cell& cell : cells) {
    const std::string_view bytes = text.substr(cell.begin, cell.end - cell.begin);
    if (!is_header_cell(bytes, separator)) return {};
    Column column{kind_of(bytes), is_name_field(bytes), is_value_field(bytes)};
    secret |= column.kind != NameKind::kNone && column.kind != NameKind::kHeader;
    name |= column.name;
    value |= column.value;
    columns.push_back(column);
  }
  if (!secret && !(name && value)) return {};
  return columns;
}

// A cell holds prose more often than a field does: a password of letters alone is a long word.
bool is_secret_cell(NameKind kind, std::string_view cell) {
  constexpr size_t kLongWord = 10;
  if (cell.empty() || std::ranges::any_of(cell, is_blank) || !is_secret_value(kind, cell))
    return false;
  return kind != NameKind::kPassword || looks_secret(cell) || is_no_word(cell) ||
         cell.size() >= kLongWord;
}

void find_in_row(std::string_view text, const std::vector<Column>& columns,
                 const std::vector<Cell>& cells, std::vector<Secret>& found) {
  const auto bytes = [&](size_t i) {
    return text.substr(cells[i].begin, cells[i].end - cells[i].begin);
  };
  NameKind named = NameKind::kNone;
  for (size_t i = 0; i < cells.size(); ++i)
    if (columns[i].name && named == NameKind::kNone && bytes(i).find(' ') == std::string_view::npos)
      named = kind_of(bytes(i));
  for (size_t i = 0; i < cells.size(); ++i) {
    const NameKind kind = columns[i].value ? named : columns[i].kind;
    if (kind != NameKind::kNone && is_secret_cell(kind, bytes(i)))
      found.push_back({cells[i].begin, cells[i].end, kind_text(kind)});
  }
}

// One kind of separator: a header holds until a line has another number of cells.
void find_tables(std::string_view text, char separator, std::vector<Secret>& found) {
  std::vector<Column> columns;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const bool short_enough = end - begin <= kMaxHeaderBytes;
    if (short_enough && text.substr(begin, end - begin).contains(separator)) {
      const std::vector<Cell> cells = cells_of(text, begin, end, separator);
      if (!columns.empty() && cells.size() == columns.size()) {
        find_in_row(text, columns, cells, found);
      } else {
        columns = columns_of(text, cells, separator);
      }
    } else {
      columns.clear();
    }
    begin = end + 1;
  }
}

}  // namespace

std::vector<Secret> secrets_of_tables(std::string_view text) {
  std::vector<Secret> found;
  for (const char separator : {',', ';', '\t', '|'})
    if (text.contains('\n') && text.contains(separator)) find_tables(text, separator, found);
  std::ranges::sort(found, {}, &Secret::begin);
  return found;
}

}  // namespace precedent::secrets
