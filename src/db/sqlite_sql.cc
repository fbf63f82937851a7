#include "db/sqlite_sql.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "base/hash.h"
#include "db/migrations.h"

namespace precedent::db {
namespace {

class Row final : public SqlRow {
 public:
  explicit Row(const Statement& statement) : statement_(statement) {}
  bool is_null(int column) const override { return statement_.is_null(column); }
  int64_t integer(int column) const override { return statement_.integer(column); }
  std::string_view text(int column) const override { return statement_.text(column); }
  std::string_view blob(int column) const override {
    const Bytes bytes = statement_.bytes(column);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

 private:
  const Statement& statement_;
};

class SqliteConnection final : public SqlConnection {
 public:
  explicit SqliteConnection(Connection connection)
      : connection_(std::move(connection)), place_(connection_.path().string()) {}

  Engine engine() const override { return Engine::kSqlite; }
  const std::string& place() const override { return place_; }

  Result<int64_t> run_values(std::string_view sql, std::span<const SqlValue> values,
                             const OnRow& on_row) override {
    Statement statement = TRY(connection_.prepare(sql));
    statement.bind_values(values);
    int64_t rows = 0;
    for (; TRY(statement.step()); ++rows) TRY(on_row(Row(statement)));
    return rows > 0 ? rows : connection_.changes();
  }
  Result<void> stream_values(std::string_view sql, std::span<const SqlValue> values,
                             const OnRow& on_row) override {
    TRY(run_values(sql, values, on_row));
    return {};
  }
  Result<void> script(std::string_view sql) override { return connection_.script(sql); }

  Result<void> begin_reading() override { return connection_.run("BEGIN"); }
  Result<void> begin() override { return connection_.run("BEGIN IMMEDIATE"); }
  Result<void> commit() override { return connection_.run("COMMIT"); }
  void roll_back() override {
    // SQLite itself rolls back on some errors (a full disk); then there is nothing left to do.
    if (connection_.in_transaction()) static_cast<void>(connection_.run("ROLLBACK"));
  }
  // BEGIN IMMEDIATE has the only write lock there is.
  Result<void> be_alone() override { return {}; }
  Result<void> take_turns(std::string_view) override { return {}; }
  Result<bool> hold(std::string_view) override { return true; }

  Result<void> migrate(const SqlSchema& schema) override {
    const auto scripts = scripts_of(schema);
    return db::migrate(connection_, {schema.application_id, scripts});
  }
  Result<void> check_format(const SqlSchema& schema) override {
    const auto scripts = scripts_of(schema);
    return db::check_format(connection_, {schema.application_id, scripts});
  }

  Result<void> check_pages() override { return db::check_pages(connection_); }
  Result<std::vector<std::string>> integrity_problems(size_t limit) override {
    return db::integrity_problems(connection_, limit);
  }

 private:
  // A statement costs no turn of a network here, and one text for all is prepared once.
  size_t most_rows() const override { return 1; }

  static std::vector<std::string_view> scripts_of(const SqlSchema& schema) {
    std::vector<std::string_view> scripts;
    for (const SqlMigration& migration : schema.migrations) scripts.push_back(migration.sqlite);
    return scripts;
  }

  Connection connection_;
  const std::string place_;
};

struct FileRangeLock final : SqlLock {
  explicit FileRangeLock(int file) : fd(file) {}
  ~FileRangeLock() override {
    if (fd >= 0) ::close(fd);
  }
  const int fd;
};

}  // namespace

Result<std::unique_ptr<SqlConnection>> SqliteDatabase::connect() {
  return std::make_unique<SqliteConnection>(TRY(Connection::open(path_, options_)));
}

// Each name is a byte far behind the end of the file, which stays empty. The lock is of the open
// file, not of the process, so that two threads exclude each other, too.
Result<std::unique_ptr<SqlLock>> SqliteDatabase::try_lock(std::string_view name) {
  const std::string path = path_.string() + ".locks";
  auto lock =
      std::make_unique<FileRangeLock>(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  struct flock range = {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  range.l_start = static_cast<off_t>(hash64(name) >> 2);
  range.l_len = 1;
  if (lock->fd >= 0 && ::fcntl(lock->fd, F_OFD_SETLK, &range) == 0) return lock;
  const int error = errno;
  if (lock->fd >= 0 && (error == EAGAIN || error == EACCES)) return nullptr;
  return fail(error == EACCES ? ErrorCode::kPermission : ErrorCode::kUnavailable,
              fmt::format("cannot lock {}: {}; check who may write to its folder, and its disk",
                          path, std::generic_category().message(error)));
}

}  // namespace precedent::db
