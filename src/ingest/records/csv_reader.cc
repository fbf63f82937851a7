#include "ingest/records/csv_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>
#include <vector>

#include "base/strings.h"

namespace precedent {
namespace {

constexpr std::array<char, 4> kDelimiters = {',', '\t', ';', '|'};

// How often `delimiter` separates fields in the first row of `text`; quoted text does not count.
size_t count_in_first_row(std::string_view text, char delimiter) {
  size_t count = 0;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '\n' || c == '\r') break;
    if (c == delimiter) ++count;
  }
  return count;
}

// The one that separates most fields of the header; a comma if none does.
char guess_delimiter(std::string_view text) {
  return *std::ranges::max_element(kDelimiters, {},
                                   [&](char c) { return count_in_first_row(text, c); });
}

struct Cell {
  std::string text;
  uint64_t offset = 0;  // of its first byte in the file
};

struct Row {
  size_t line = 0;
  std::vector<Cell> cells;
  std::string problem;  // why it cannot be used; "" if it can

  bool blank() const {
    return std::ranges::all_of(cells, [](const Cell& cell) { return trim(cell.text).empty(); });
  }
};

class CsvReader {
 public:
  CsvReader(ByteSource& in, const CsvOptions& options, const RecordSink& sink,
            const BadRecordSink& bad)
      : in_(in), options_(options), sink_(sink), bad_(bad) {}

  Result<void> read();

 private:
  enum class CellEnd { kDelimiter, kRow };

  void choose_delimiter();
  bool read_header();
  std::optional<Row> read_row();
  CellEnd read_cell(Row& row);
  bool read_quoted(Row& row, Cell& cell);
  void keep(Row& row, Cell& cell, char c);
  std::string check(const Row& row, std::string& field) const;
  Record to_record(Row&& row) const;

  void report(size_t line, std::string message, std::string field = "") {
    bad_({options_.path, line, std::move(field), std::move(message)});
  }

  ByteSource& in_;
  const CsvOptions& options_;
  const RecordSink& sink_;
  const BadRecordSink& bad_;
  char delimiter_ = ',';
  std::vector<std::string> header_;
  size_t row_bytes_ = 0;
};

Result<void> CsvReader::read() {
  choose_delimiter();
  if (read_header()) {
    while (std::optional<Row> row = read_row()) {
      std::string field;
      if (row->problem.empty() && row->blank()) continue;
      const std::string problem = row->problem.empty() ? check(*row, field) : row->problem;
      if (problem.empty()) {
        TRY(sink_(to_record(std::move(*row))));
      } else {
        report(row->line, problem, field);
      }
    }
  }
  if (in_.error()) return std::unexpected(*in_.error());
  return {};
}

void CsvReader::choose_delimiter() {
  const std::string_view text = in_.ahead();
  // What Excel writes and reads above the header.
  if (text.starts_with("sep=") && text.size() > 5 && (text[5] == '\n' || text[5] == '\r')) {
    delimiter_ = text[4];
    std::string line;
    in_.read_line(line, ByteSource::kWindow);
    return;
  }
  const size_t begin = text.find_first_not_of("\r\n");
  delimiter_ = options_.delimiter != 0
                   ? options_.delimiter
                   : guess_delimiter(begin == std::string_view::npos ? "" : text.substr(begin));
}

bool CsvReader::read_header() {
  std::optional<Row> row = read_row();
  while (row && row->problem.empty() && row->blank()) row = read_row();
  if (!row) {
    report(1, "there is no header row; the first row must name the columns");
    return false;
  }
  std::string problem = row->problem;
  for (size_t i = 0; i < row->cells.size() && problem.empty(); ++i) {
    problem = check_utf8(row->cells[i].text, row->cells[i].offset).value_or("");
  }
  if (problem.empty() && row->cells.size() > kMaxFields) {
    problem = fmt::format("more than {} columns", kMaxFields);
  }
  if (!problem.empty()) {
    report(row->line, fmt::format("the header row cannot be read: {}", problem));
    return false;
  }
  std::unordered_set<std::string> taken;
  for (size_t i = 0; i < row->cells.size(); ++i) {
    std::string name(trim(row->cells[i].text));
    if (name.empty()) name = fmt::format("column {}", i + 1);
    if (!taken.insert(name).second) name = fmt::format("{} (column {})", name, i + 1);
    header_.push_back(std::move(name));
  }
  return true;
}

void CsvReader::keep(Row& row, Cell& cell, char c) {
  if (++row_bytes_ > options_.max_record_bytes) {
    if (row.problem.empty()) row.problem = too_large(options_.max_record_bytes);
    cell.text.clear();
    return;
  }
  cell.text += c;
}

// Nothing at the end of the file.
std::optional<Row> CsvReader::read_row() {
  if (in_.peek() == ByteSource::kEnd) return std::nullopt;
  const ByteSource::Mark start = in_.mark();
  Row row{in_.line(), {}, ""};
  row_bytes_ = 0;
  while (read_cell(row) == CellEnd::kDelimiter) {
  }
  const bool quote_trouble = row.problem.starts_with("a quoted field");
  if (quote_trouble && in_.line() > start.line) {
    // The quote may have swallowed good rows: read them again, as rows.
    in_.go_back(start);
    for (int c = in_.get(); c != '\n' && c != ByteSource::kEnd;) c = in_.get();
  }
  return row;
}

CsvReader::CellEnd CsvReader::read_cell(Row& row) {
  Cell cell;
  bool quoted = false;
  if (in_.peek() == '"') {
    in_.get();
    quoted = true;
    cell.offset = in_.offset();
    if (!read_quoted(row, cell)) {
      row.cells.push_back(std::move(cell));
      return CellEnd::kRow;
    }
  } else {
    cell.offset = in_.offset();
  }
  CellEnd end = CellEnd::kRow;
  for (int c = in_.get(); c != ByteSource::kEnd && c != '\n'; c = in_.get()) {
    if (c == delimiter_) {
      end = CellEnd::kDelimiter;
      break;
    }
    if (c == '\r' && (in_.peek() == '\n' || in_.peek() == ByteSource::kEnd)) continue;
    if (!quoted) {
      keep(row, cell, static_cast<char>(c));
    } else if (c != ' ' && row.problem.empty()) {
      row.problem = fmt::format(
          "a quoted field is followed by text at column {}; double the quotes inside it",
          in_.column() - 1);
    }
  }
  // A hostile row of delimiters alone must not cost a Cell each without end.
  if (row.cells.size() <= kMaxFields) row.cells.push_back(std::move(cell));
  return end;
}

// Past the closing quote. False if there is none.
bool CsvReader::read_quoted(Row& row, Cell& cell) {
  const size_t opened = in_.line();
  for (int c = in_.get(); c != ByteSource::kEnd; c = in_.get()) {
    if (c != '"') {
      keep(row, cell, static_cast<char>(c));
    } else if (in_.peek() == '"') {
      in_.get();
      keep(row, cell, '"');
    } else {
      return true;
    }
  }
  row.problem = fmt::format(
      "a quoted field that begins on line {} is never closed; close or double the quote", opened);
  return false;
}

// Why the row is no record, and which field is to blame; "" if all is well.
std::string CsvReader::check(const Row& row, std::string& field) const {
  const size_t columns = header_.size();
  const bool extra = std::any_of(
      row.cells.begin() + static_cast<std::ptrdiff_t>(std::min(columns, row.cells.size())),
      row.cells.end(), [](const Cell& cell) { return !trim(cell.text).empty(); });
  if (row.cells.size() < columns || extra) {
    return fmt::format(
        "the row has {} fields, the header {}; quote fields that hold '{}' or line breaks",
        row.cells.size(), columns, delimiter_ == '\t' ? "\\t" : std::string(1, delimiter_));
  }
  for (size_t i = 0; i < columns; ++i) {
    field = header_[i];
    if (auto problem = check_utf8(row.cells[i].text, row.cells[i].offset)) return *problem;
    if (row.cells[i].text.find('\0') != std::string::npos)
      return "the text holds a NUL character; remove it";
  }
  field.clear();
  return "";
}

Record CsvReader::to_record(Row&& row) const {
  Record record{{}, options_.path, row.line};
  record.fields.reserve(header_.size());
  for (size_t i = 0; i < header_.size(); ++i) {
    record.fields.push_back({header_[i], {Value::Type::kText, std::move(row.cells[i].text)}});
  }
  return record;
}

}  // namespace

Result<void> read_csv(ByteSource& in, const CsvOptions& options, const RecordSink& sink,
                      const BadRecordSink& bad) {
  return CsvReader(in, options, sink, bad).read();
}

}  // namespace precedent
