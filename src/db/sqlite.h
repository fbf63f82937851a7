// SQLite: a connection, statements, a transaction. The only header that knows sqlite3.h exists, and
// it hides it.
//
// No tables of the domain: store/ and graph/ bring their schema (migrations.h) and their SQL.
//
// Errors name the database file, what SQLite said, the remedy and the statement: a full disk is
// kResourceExhausted, a lock held by somebody else kConflict, a damaged or foreign file kCorrupt,
// missing rights kPermission. Thread safety: a connection with its statements and transactions
// belongs to one thread at a time. Lifetime: statements and transactions must not outlive their
// connection.
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "db/sql.h"

struct sqlite3;
struct sqlite3_stmt;

namespace precedent::db {

using Bytes = std::span<const std::byte>;

struct OpenOptions {
  // Read-only needs no right to write, neither to the file nor to its folder, and works beside a
  // writer.
  bool read_only = false;
  // How long a statement waits for another process's lock before kConflict. A commit takes
  // milliseconds; five seconds also outlast a checkpoint on a slow disk.
  std::chrono::milliseconds busy_timeout{5000};
  // Page cache; SQLite's default of 2 MB makes large transactions spill into the log twice.
  size_t cache_kb = 16 * 1024;
  // What a commit waits for. kDisk: it survives a power cut. kSystem: it survives the end of the
  // process, however it ends; a power cut may cost the last commits, never the file.
  enum class Durable { kDisk, kSystem };
  Durable durable = Durable::kDisk;
  // Pages of 4 KB in the log before they are copied into the file. 16 MB, so that the hot pages of
  // several large transactions are copied once; a store of small ones wants a smaller log.
  int log_pages = 4000;
};

class Connection;

// One prepared statement, borrowed from its connection's cache; reset and given back on
// destruction.
//   auto s = TRY(connection.prepare("SELECT title FROM documents WHERE id = ?"));
//   s.bind(id);
//   while (TRY(s.step())) use(s.text(0));
class Statement {
 public:
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  // Binds all parameters from the first on: integers, doubles, text, Bytes, optionals of these, and
  // nullptr. Lifetime: text and bytes are not copied; they must live until the last step().
  template <typename... Values>
  Statement& bind(const Values&... values) {
    rewind();
    int index = 0;
    (bind_one(++index, values), ...);
    return *this;
  }

  // The same with values of a type that is known at run time (sql.h).
  Statement& bind_values(std::span<const SqlValue> values) {
    rewind();
    int index = 0;
    for (const SqlValue& value : values) {
      std::visit([&, at = ++index](const auto& v) { bind_one(at, v); }, value);
    }
    return *this;
  }

  // True: there is a row, read it with the functions below. False: done. Starts over after the end.
  Result<bool> step();
  // For statements without rows. Errors: those of step().
  Result<void> run();

  bool is_null(int column) const;
  int64_t integer(int column) const;
  uint64_t natural(int column) const { return static_cast<uint64_t>(integer(column)); }
  double real(int column) const;
  // Views are valid until the next step() or bind().
  std::string_view text(int column) const;
  Bytes bytes(int column) const;
  std::string string(int column) const { return std::string(text(column)); }

 private:
  friend class Connection;
  Statement(Connection* connection, sqlite3_stmt* statement, std::string_view sql)
      : connection_(connection), statement_(statement), sql_(sql) {}

  void rewind();
  void bind_one(int index, std::nullptr_t);
  void bind_one(int index, double value);
  void bind_one(int index, std::string_view value);
  void bind_one(int index, Bytes value);
  void bind_one(int index, const Blob& value) {
    bind_one(index, std::as_bytes(std::span(value.bytes)));
  }
  void bind_integer(int index, int64_t value);
  template <std::integral T>
  void bind_one(int index, T value) {
    bind_integer(index, static_cast<int64_t>(value));
  }
  template <typename T>
  void bind_one(int index, const std::optional<T>& value) {
    value ? bind_one(index, *value) : bind_one(index, nullptr);
  }

  Connection* connection_;
  sqlite3_stmt* statement_;
  std::string_view sql_;  // the key in the connection's cache
  int bind_error_ = 0;    // the first one; reported by step()
};

class Connection {
 public:
  // Creates the file unless read-only. ":memory:" is a private database that vanishes with the
  // connection.
  static Result<Connection> open(const std::filesystem::path& path,
                                 const OpenOptions& options = {});

  Connection(Connection&&) noexcept;
  Connection& operator=(Connection&&) noexcept;
  ~Connection();

  // `sql` must be one statement. Prepared once per text and cached: the texts are the program's
  // own, so that the cache is bounded by the program.
  Result<Statement> prepare(std::string_view sql);
  // One statement without rows, with its values.
  template <typename... Values>
  Result<void> run(std::string_view sql, const Values&... values) {
    Statement statement = TRY(prepare(sql));
    return statement.bind(values...).run();
  }
  // Several statements separated by semicolons, without values.
  Result<void> script(std::string_view sql);
  // The first column of the first row as an integer; nothing if there is no row.
  template <typename... Values>
  Result<std::optional<int64_t>> integer(std::string_view sql, const Values&... values) {
    Statement statement = TRY(prepare(sql));
    if (!TRY(statement.bind(values...).step())) return std::nullopt;
    return statement.integer(0);
  }

  // Rows changed by the last statement.
  int64_t changes() const;
  const std::filesystem::path& path() const { return path_; }
  bool in_transaction() const;

  // The Error for what SQLite just reported on this connection.
  Error error(int code, std::string_view sql) const;

 private:
  friend class Statement;
  struct Cache;

  Connection(std::filesystem::path path, bool read_only);
  Result<void> configure(const OpenOptions& options);
  Result<void> configure_writer(const OpenOptions& options);
  void give_back(std::string_view sql, sqlite3_stmt* statement);

  std::filesystem::path path_;
  bool read_only_;
  sqlite3* handle_ = nullptr;
  std::unique_ptr<Cache> cache_;
};

// All or nothing: rolled back on destruction unless commit() succeeded.
class Transaction {
 public:
  // kWrite takes the write lock at once, so that a conflict shows before any work is done.
  enum class Kind { kRead, kWrite };
  static Result<Transaction> begin(Connection& connection, Kind kind = Kind::kWrite);

  Transaction(Transaction&& other) noexcept
      : connection_(std::exchange(other.connection_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();

  Result<void> commit();

 private:
  explicit Transaction(Connection* connection) : connection_(connection) {}
  Connection* connection_;
};

// What `PRAGMA integrity_check` finds, at most `limit` lines; empty if all is well. Reads the whole
// file.
Result<std::vector<std::string>> integrity_problems(Connection& connection, size_t limit);

// `PRAGMA quick_check`: reads every page, at the speed of the disk. Errors: kCorrupt with what it
// found first.
Result<void> check_pages(Connection& connection);

}  // namespace precedent::db
