// Copies tables from one database into another, of the same kind or not: what `store migrate` is
// made of.
//
// Rows go over in the order of their keys, in transactions of some megabytes. A copy that was
// interrupted goes on where it was: what is there already is compared with its origin by number and
// hash. Then all of it is read once more on both sides. REQUIRES: both sides have the tables, and
// nobody else writes to either. Thread safety: one thread.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/cancel.h"
#include "db/sql.h"

namespace precedent::db {

struct TableColumn {
  std::string_view name;
  enum class Type : uint8_t { kInteger, kText, kBlob } type = Type::kText;
};

struct CopiedTable {
  std::string_view name;
  std::span<const TableColumn> columns;
  size_t keys = 1;        // so many columns, from the first, name a row and sort them
  bool numbered = false;  // the first column is given by the database to new rows
};

struct TableContent {
  std::string_view name;
  uint64_t rows = 0;
  uint64_t hash = 0;  // of every value, in the order of the keys
  bool operator==(const TableContent&) const = default;
};

// Told now and then, with the rows of this table so far.
using CopyProgress = std::function<void(const CopiedTable& table, uint64_t rows)>;

// What becomes of rows of the target that the origin does not begin with.
enum class Foreign : bool { kRefused, kDeleted };

// `tables`: those that others refer to come first. Returns what is now on both sides. Errors:
// kConflict naming a table with foreign rows that are not to be deleted; kCorrupt naming one that
// differs although everything was copied.
Result<std::vector<TableContent>> copy_tables(SqlConnection& from, SqlConnection& to,
                                              std::span<const CopiedTable> tables, Foreign foreign,
                                              const CopyProgress& progress,
                                              const CancelToken& cancel);

// What a table holds. A text counts as PostgreSQL keeps it (postgres.h).
Result<TableContent> content_of(SqlConnection& sql, const CopiedTable& table);

}  // namespace precedent::db
