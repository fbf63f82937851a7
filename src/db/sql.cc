#include "db/sql.h"

#include <algorithm>

namespace precedent::db {
namespace {

// A statement's texts are prepared once each: so they come in few lengths.
constexpr size_t kFewerRows = 8;
// Of values in one statement: a megabyte hides what its turn costs, and the server holds it whole.
constexpr size_t kStatementBytes = size_t{1} << 20;

size_t bytes_of(const SqlValue& value) {
  if (const auto* text = std::get_if<std::string_view>(&value)) return text->size();
  if (const auto* blob = std::get_if<Blob>(&value)) return blob->bytes.size();
  return sizeof value;
}

// The largest number of rows out of `most`, an eighth of it, and so on, that are there and small
// enough; 1 at least.
size_t rows_at_once(std::span<const SqlValue> rows, size_t columns, size_t most) {
  size_t fit = 0, bytes = 0;
  for (; fit < std::min(most, rows.size() / columns); ++fit) {
    for (const SqlValue& value : rows.subspan(fit * columns, columns)) bytes += bytes_of(value);
    if (bytes > kStatementBytes) break;
  }
  while (most > std::max<size_t>(fit, 1)) most = std::max<size_t>(most / kFewerRows, 1);
  return most;
}

}  // namespace

std::string text_of(const SqlRows& rows, size_t count, size_t own) {
  std::string text(rows.before);
  size_t value = own;
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) text += rows.between;
    for (const char c : rows.row) {
      if (c == '?') {
        text.append("$").append(std::to_string(++value));
      } else {
        text += c;
      }
    }
  }
  return text.append(rows.after);
}

Result<int64_t> SqlConnection::run_rows(const SqlRows& statement, std::span<const SqlValue> own,
                                        std::span<const SqlValue> rows, const OnRow& on_row) {
  const auto columns = static_cast<size_t>(std::ranges::count(statement.row, '?'));
  std::string text;
  size_t prepared = 0;  // for so many rows
  std::vector<SqlValue> values;
  int64_t changed = 0;
  while (!rows.empty()) {
    const size_t count = rows_at_once(rows, columns, std::min(statement.most, most_rows()));
    if (count != prepared) text = text_of(statement, count, own.size());
    prepared = count;
    const auto some = rows.first(count * columns);
    values.assign(own.begin(), own.end());
    values.insert(values.end(), some.begin(), some.end());
    changed += TRY(run_values(text, values, on_row));
    rows = rows.subspan(some.size());
  }
  return changed;
}

}  // namespace precedent::db
