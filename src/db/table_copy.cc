#include "db/table_copy.h"

#include <fmt/format.h>

#include <ranges>

#include "base/hash.h"
#include "base/strings.h"
#include "db/postgres.h"

namespace precedent::db {
namespace {

using Type = TableColumn::Type;

// What one transaction takes: a crash costs no more than that, and the target's log stays small.
constexpr size_t kTransactionBytes = 4 << 20;

std::string names(const CopiedTable& table, size_t count) {
  std::vector<std::string> all;
  for (const TableColumn& column : table.columns.first(count)) all.emplace_back(column.name);
  return join(all, ", ");
}

std::string places(size_t count) {
  std::vector<std::string> all;
  for (size_t i = 1; i <= count; ++i) all.push_back(fmt::format("${}", i));
  return join(all, ", ");
}

// A value that outlives its row.
struct Kept {
  bool null = false;
  int64_t number = 0;
  std::string bytes;
  Type type = Type::kText;

  SqlValue value() const {
    if (null) return nullptr;
    if (type == Type::kInteger) return number;
    if (type == Type::kBlob) return Blob{bytes};
    return std::string_view(bytes);
  }
};
using Key = std::vector<Kept>;

Kept kept(const SqlRow& row, int column, Type type) {
  Kept value;
  value.type = type;
  value.null = row.is_null(column);
  if (value.null) return value;
  if (type == Type::kInteger) {
    value.number = row.integer(column);
  } else {
    value.bytes = type == Type::kBlob ? row.blob(column) : row.text(column);
  }
  return value;
}

std::vector<Kept> kept(const SqlRow& row, const CopiedTable& table, size_t count) {
  std::vector<Kept> all;
  for (size_t i = 0; i < count; ++i)
    all.push_back(kept(row, static_cast<int>(i), table.columns[i].type));
  return all;
}

std::vector<SqlValue> values_of(const std::vector<Kept>& kept) {
  std::vector<SqlValue> values;
  for (const Kept& one : kept) values.push_back(one.value());
  return values;
}

// Adds a row to a hash of rows.
uint64_t with_row(uint64_t hash, const std::vector<Kept>& row) {
  std::string text = fmt::format("{:016x}", hash);
  for (const Kept& value : row) {
    const std::string bytes = value.null                     ? ""
                              : value.type == Type::kInteger ? std::to_string(value.number)
                              : value.type == Type::kText    ? postgres_text(value.bytes)
                                                             : value.bytes;
    text += fmt::format("{}{}:", value.null ? 'n' : 'v', bytes.size());
    text += bytes;
  }
  return hash64(text);
}

// The rows up to a key, or behind it; all of them without one.
std::string select(const CopiedTable& table, std::string_view relation, bool by_key) {
  return fmt::format("SELECT {} FROM {}{} ORDER BY {}", names(table, table.columns.size()),
                     table.name,
                     by_key ? fmt::format(" WHERE ({}) {} ({})", names(table, table.keys), relation,
                                          places(table.keys))
                            : "",
                     names(table, table.keys));
}

Result<TableContent> content_until(SqlConnection& sql, const CopiedTable& table, const Key& last) {
  auto reading = TRY(SqlTransaction::begin_reading(sql));
  TableContent content{.name = table.name};
  TRY(sql.stream_values(
      select(table, "<=", !last.empty()), values_of(last), [&](const SqlRow& row) -> Result<void> {
        content.hash = with_row(content.hash, kept(row, table, table.columns.size()));
        ++content.rows;
        return {};
      }));
  return content;
}

Result<Key> last_key(SqlConnection& sql, const CopiedTable& table) {
  std::vector<std::string> order;
  for (const TableColumn& column : table.columns.first(table.keys))
    order.push_back(fmt::format("{} DESC", column.name));
  Key last;
  TRY(sql.run(fmt::format("SELECT {} FROM {} ORDER BY {} LIMIT 1", names(table, table.keys),
                          table.name, join(order, ", ")),
              {}, [&](const SqlRow& row) -> Result<void> {
                last = kept(row, table, table.keys);
                return {};
              }));
  return last;
}

// Whether what the target has is how the origin begins.
Result<bool> is_beginning(SqlConnection& from, SqlConnection& to, const CopiedTable& table) {
  const Key last = TRY(last_key(to, table));
  if (last.empty()) return true;
  return TRY(content_until(to, table, {})) == TRY(content_until(from, table, last));
}

// Rows that wait for one transaction of the target.
class Batch {
 public:
  Batch(SqlConnection& to, const CopiedTable& table)
      : to_(to),
        insert_(fmt::format(
            "INSERT INTO {}({}){} VALUES ", table.name, names(table, table.columns.size()),
            // Of a number that is otherwise the database's to give.
            table.numbered && to.engine() == Engine::kPostgres ? " OVERRIDING SYSTEM VALUE" : "")),
        row_(fmt::format("({})", join(std::vector<std::string>(table.columns.size(), "?"), ","))) {}

  Result<void> add(std::vector<Kept> row) {
    for (const Kept& value : row) bytes_ += sizeof value + value.bytes.size();
    rows_.push_back(std::move(row));
    return bytes_ < kTransactionBytes ? Result<void>() : flush();
  }
  Result<void> flush() {
    if (rows_.empty()) return {};
    auto transaction = TRY(SqlTransaction::begin(to_));
    std::vector<SqlValue> values;
    for (const std::vector<Kept>& row : rows_)
      for (const Kept& value : row) values.push_back(value.value());
    TRY(to_.run_rows({insert_, row_}, values));
    TRY(transaction.commit());
    rows_.clear();
    bytes_ = 0;
    return {};
  }

 private:
  SqlConnection& to_;
  const std::string insert_, row_;
  std::vector<std::vector<Kept>> rows_;
  size_t bytes_ = 0;
};

Result<void> copy_rest(SqlConnection& from, SqlConnection& to, const CopiedTable& table,
                       const CopyProgress& progress, const CancelToken& cancel) {
  constexpr uint64_t kToldEvery = 1000;
  const Key last = TRY(last_key(to, table));
  auto reading = TRY(SqlTransaction::begin_reading(from));
  Batch batch(to, table);
  uint64_t rows = 0;
  TRY(from.stream_values(select(table, ">", !last.empty()), values_of(last),
                         [&](const SqlRow& row) -> Result<void> {
                           if (++rows % kToldEvery == 0) progress(table, rows);
                           if (auto go_on = cancel.check(); !go_on) return go_on;
                           return batch.add(kept(row, table, table.columns.size()));
                         }));
  TRY(batch.flush());
  progress(table, rows);
  return {};
}

// New rows get numbers behind those that were copied.
Result<void> go_on_counting(SqlConnection& to, const CopiedTable& table) {
  if (!table.numbered || to.engine() != Engine::kPostgres) return {};
  const std::string_view key = table.columns.front().name;
  TRY(
      to.run(fmt::format("SELECT setval(pg_get_serial_sequence('{0}', '{1}'), "
                         "coalesce((SELECT max({1}) FROM {0}), 0) + 1, false)",
                         table.name, key)));
  return {};
}

}  // namespace

Result<TableContent> content_of(SqlConnection& sql, const CopiedTable& table) {
  return content_until(sql, table, {});
}

Result<std::vector<TableContent>> copy_tables(SqlConnection& from, SqlConnection& to,
                                              std::span<const CopiedTable> tables, Foreign foreign,
                                              const CopyProgress& progress,
                                              const CancelToken& cancel) {
  bool goes_on = true;
  for (const CopiedTable& table : tables) {
    goes_on = goes_on && TRY(is_beginning(from, to, table));
    if (!goes_on && foreign == Foreign::kRefused)
      return fail(ErrorCode::kConflict,
                  fmt::format("{} has rows of its own in the table '{}'; give an empty database",
                              to.place(), table.name));
  }
  if (!goes_on) {
    for (const CopiedTable& table : tables | std::views::reverse)
      TRY(to.run(fmt::format("DELETE FROM {}", table.name)));
  }
  std::vector<TableContent> contents;
  for (const CopiedTable& table : tables) {
    TRY(copy_rest(from, to, table, progress, cancel));
    TRY(go_on_counting(to, table));
  }
  for (const CopiedTable& table : tables) {
    const TableContent there = TRY(content_of(from, table)), here = TRY(content_of(to, table));
    if (there != here)
      return fail(
          ErrorCode::kCorrupt,
          fmt::format("the table '{}' has {} rows in {} and {} in {}, or others; nobody may "
                      "write to either meanwhile: run this again",
                      table.name, there.rows, from.place(), here.rows, to.place()));
    contents.push_back(here);
  }
  return contents;
}

}  // namespace precedent::db
