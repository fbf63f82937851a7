// One way to speak to SQLite and to PostgreSQL: statements with numbered values, rows, a
// transaction. For tables that live in either; what is SQLite's alone uses sqlite.h.
//
// Statements are written in what both understand: $1, $2 … for values, in the order of their first
// use (SQLite numbers them so), RETURNING, WITH RECURSIVE. sqlite_sql.h and postgres.h implement
// it.
//
// Errors name the database and the remedy: a lost race for a lock is kConflict, a server that is
// gone kUnavailable, a full disk kResourceExhausted. Thread safety: a connection belongs to one
// thread at a time; a SqlDatabase to any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

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

// One row; views are valid until the row function returns. Columns count from 0.
class SqlRow {
 public:
  virtual ~SqlRow() = default;
  virtual bool is_null(int column) const = 0;
  virtual int64_t integer(int column) const = 0;
  virtual std::string_view text(int column) const = 0;
  virtual std::string_view blob(int column) const = 0;
};
// An error ends the reading and is returned.
using OnRow = std::function<Result<void>(const SqlRow&)>;

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

class SqlConnection {
 public:
  virtual ~SqlConnection() = default;

  // Runs one statement; returns how many rows it changed (of a query: that it returned, if any).
  virtual Result<int64_t> run(std::string_view sql, std::initializer_list<SqlValue> values,
                              const OnRow& on_row) = 0;
  Result<int64_t> run(std::string_view sql, std::initializer_list<SqlValue> values = {}) {
    return run(sql, values, [](const SqlRow&) -> Result<void> { return {}; });
  }

  // For writing. REQUIRES: none is open. See SqlTransaction.
  virtual Result<void> begin() = 0;
  virtual Result<void> commit() = 0;
  // Also after an error, and where nothing is open.
  virtual void roll_back() = 0;

  // Until the end of the transaction nobody else comes past this call: for changes of what several
  // rows mean together.
  virtual Result<void> be_alone() = 0;

  // Brings the tables to the newest format. Errors: kInvalidArgument if they were written by a
  // newer precedent, or the file is another program's.
  virtual Result<void> migrate(const SqlSchema& schema) = 0;
};

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
