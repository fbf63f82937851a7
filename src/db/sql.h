// One way to speak to SQLite and to PostgreSQL: statements with numbered values, rows, a
// transaction. For tables that live in either; what is SQLite's alone uses sqlite.h.
//
// Statements are written in what both understand: $1, $2 … for values, in the order of their first
// use (SQLite numbers them so), ON CONFLICT, RETURNING, IS DISTINCT FROM, WITH RECURSIVE.
// sqlite_sql.h and postgres.h implement it. PostgreSQL knows no text with a NUL or with ill-formed
// UTF-8: there such bytes become U+FFFD.
//
// Errors name the database and the remedy: a lost race for a lock is kConflict, a server that is
// gone kUnavailable, a full disk kResourceExhausted. Thread safety: a connection belongs to one
// thread at a time; a SqlDatabase to any.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"

namespace precedent::db {

struct Blob {
  std::string_view bytes;
};
// Lifetime: text and bytes are not copied; they must live until the call returns.
using SqlValue = std::variant<std::nullptr_t, int64_t, std::string_view, Blob>;

inline SqlValue optional_value(std::optional<int64_t> value) {
  return value ? SqlValue(*value) : SqlValue(nullptr);
}
inline SqlValue optional_value(std::optional<std::string_view> value) {
  return value ? SqlValue(*value) : SqlValue(nullptr);
}
// Of a type that int64_t does not hold without being told.
template <std::integral T>
SqlValue number(T value) {
  return static_cast<int64_t>(value);
}

// One row; views are valid until the row function returns. Columns count from 0.
class SqlRow {
 public:
  virtual ~SqlRow() = default;
  virtual bool is_null(int column) const = 0;
  virtual int64_t integer(int column) const = 0;
  virtual std::string_view text(int column) const = 0;
  virtual std::string_view blob(int column) const = 0;

  uint64_t natural(int column) const { return static_cast<uint64_t>(integer(column)); }
  std::string string(int column) const { return std::string(text(column)); }
};
// An error ends the reading and is returned.
using OnRow = std::function<Result<void>(const SqlRow&)>;

// A statement over rows of values: `before`, then `row` once a row with `between` in between, then
// `after`. In `row` each ? stands for the next value; `before` may have values of its own, $1, $2 …
//   {"INSERT INTO t(a, b) VALUES ", "(?, ?)", ", ", " ON CONFLICT(a) DO NOTHING"}
//   {"SELECT a, b FROM t WHERE b = $1 AND a IN (", "?", ", ", ")"}
//   {"DELETE FROM t WHERE ", "(a > ? AND a <= ?)", " OR ", "", kRanges}
struct SqlRows {
  std::string_view before;
  std::string_view row;
  std::string_view between = ", ";
  std::string_view after = "";
  size_t most = 256;  // rows at once
};
// SqlRows::most where a row is a range. PostgreSQL guesses how much each of them holds, half a
// hundredth of a new table: of many, that is all of it, and it would read the whole table.
inline constexpr size_t kRanges = 8;
// The text of `rows` for so many rows; `own`: how many values `before` has.
std::string text_of(const SqlRows& rows, size_t count, size_t own);

// The format of a set of tables: the number of migrations applied. Format: append only.
struct SqlMigration {
  std::string_view sqlite;
  std::string_view postgres;
};
struct SqlSchema {
  std::string_view name;       // of the tables together; PostgreSQL keeps the format under it
  int32_t application_id = 0;  // SQLite keeps it in the file
  std::span<const SqlMigration> migrations;
};

enum class Engine : uint8_t { kSqlite, kPostgres };

class SqlConnection {
 public:
  virtual ~SqlConnection() = default;
  virtual Engine engine() const = 0;
  // For people: the file, or server and database. Never a password.
  virtual const std::string& place() const = 0;

  // Runs one statement; returns how many rows it changed (of a query: that it returned, if any).
  virtual Result<int64_t> run_values(std::string_view sql, std::span<const SqlValue> values,
                                     const OnRow& on_row) = 0;
  Result<int64_t> run(std::string_view sql, std::initializer_list<SqlValue> values,
                      const OnRow& on_row) {
    return run_values(sql, {values.begin(), values.size()}, on_row);
  }
  Result<int64_t> run(std::string_view sql, std::initializer_list<SqlValue> values = {}) {
    return run(sql, values, [](const SqlRow&) -> Result<void> { return {}; });
  }

  // One query with a long answer: rows come as they are read, a few at a time. REQUIRES: a
  // transaction is open, and no other stream. `on_row` may run() other statements.
  virtual Result<void> stream_values(std::string_view sql, std::span<const SqlValue> values,
                                     const OnRow& on_row) = 0;
  Result<void> stream(std::string_view sql, std::initializer_list<SqlValue> values,
                      const OnRow& on_row) {
    return stream_values(sql, {values.begin(), values.size()}, on_row);
  }
  // Runs a statement over `rows`, one row after the other: as many at once as the database likes,
  // so that what a turn costs is not paid for each. Rows of an answer come in any order. Where
  // `after` changes what is there already (ON CONFLICT … DO UPDATE), no two rows may be the same
  // one. Stops at the first error: all or nothing is a transaction's to promise. Returns how many
  // rows it changed, or gave. REQUIRES: rows.size() is a multiple of the values of a row.
  Result<int64_t> run_rows(const SqlRows& statement, std::span<const SqlValue> own,
                           std::span<const SqlValue> rows, const OnRow& on_row);
  Result<int64_t> run_rows(const SqlRows& statement, std::span<const SqlValue> rows) {
    return run_rows(statement, {}, rows, [](const SqlRow&) -> Result<void> { return {}; });
  }
  // The first column of the first row; nothing if there is no row, or it is NULL.
  Result<std::optional<int64_t>> integer(std::string_view sql,
                                         std::initializer_list<SqlValue> values = {});
  // Several statements separated by semicolons, without values.
  virtual Result<void> script(std::string_view sql) = 0;

  // For writing. REQUIRES: none is open. See SqlTransaction.
  virtual Result<void> begin() = 0;
  // For reading: every statement until roll_back() sees the same state. Nobody waits for it.
  virtual Result<void> begin_reading() = 0;
  virtual Result<void> commit() = 0;
  // Also after an error, and where nothing is open.
  virtual void roll_back() = 0;

  // Until the end of the transaction nobody else comes past this call: for changes of what several
  // rows mean together.
  virtual Result<void> be_alone() = 0;
  // The same among those who call it with this name.
  virtual Result<void> take_turns(std::string_view name) = 0;
  // Until this connection ends: false if somebody else has the name, in this process or another.
  // Waits a second at most. SQLite: always true, since its writers lock files (SqlDatabase).
  virtual Result<bool> hold(std::string_view name) = 0;

  // Brings the tables to the newest format. Errors: kInvalidArgument if they were written by a
  // newer precedent, or the file is another program's.
  virtual Result<void> migrate(const SqlSchema& schema) = 0;
  // For readers, who change nothing. Errors: as above, kConflict if the format is an older one,
  // kNotFound if there are no tables yet.
  virtual Result<void> check_format(const SqlSchema& schema) = 0;

  // Whether every page is sound. Errors: kCorrupt. PostgreSQL checks its own pages as it reads
  // them: there is nothing to do.
  virtual Result<void> check_pages() = 0;
  // What the database itself finds wrong, at most `limit` sentences. Reads everything.
  virtual Result<std::vector<std::string>> integrity_problems(size_t limit) = 0;

 private:
  // For run_rows(): how many rows one statement may take at the most.
  virtual size_t most_rows() const = 0;
};

inline Result<std::optional<int64_t>> SqlConnection::integer(
    std::string_view sql, std::initializer_list<SqlValue> values) {
  std::optional<int64_t> found;
  bool first = true;
  TRY(run(sql, values, [&](const SqlRow& row) -> Result<void> {
    if (std::exchange(first, false) && !row.is_null(0)) found = row.integer(0);
    return {};
  }));
  return found;
}

// Held until destruction, or the end of the process, however that ends.
class SqlLock {
 public:
  virtual ~SqlLock() = default;
};

class SqlDatabase {
 public:
  virtual ~SqlDatabase() = default;
  virtual Result<std::unique_ptr<SqlConnection>> connect() = 0;
  // The lock of this name in this database; null if somebody has it, in this process or another.
  // Waits a second at most.
  virtual Result<std::unique_ptr<SqlLock>> try_lock(std::string_view name) = 0;
  // How many connections at once do some good.
  virtual size_t max_connections() const = 0;
};

// All or nothing: rolled back on destruction unless commit() succeeded.
class SqlTransaction {
 public:
  static Result<SqlTransaction> begin(SqlConnection& connection) {
    TRY(connection.begin());
    return SqlTransaction(&connection);
  }
  // Ends without a commit.
  static Result<SqlTransaction> begin_reading(SqlConnection& connection) {
    TRY(connection.begin_reading());
    return SqlTransaction(&connection);
  }
  SqlTransaction(SqlTransaction&& other) noexcept
      : connection_(std::exchange(other.connection_, nullptr)) {}
  SqlTransaction& operator=(SqlTransaction&&) = delete;
  ~SqlTransaction() {
    if (connection_ != nullptr) connection_->roll_back();
  }
  Result<void> commit() {
    TRY(connection_->commit());
    connection_ = nullptr;
    return {};
  }

 private:
  explicit SqlTransaction(SqlConnection* connection) : connection_(connection) {}
  SqlConnection* connection_;
};

}  // namespace precedent::db
