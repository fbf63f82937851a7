#include "db/sqlite_sql.h"

#include <vector>

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
  using SqlConnection::run;
  explicit SqliteConnection(Connection connection) : connection_(std::move(connection)) {}

  Result<int64_t> run(std::string_view sql, std::initializer_list<SqlValue> values,
                      const OnRow& on_row) override {
    Statement statement = TRY(connection_.prepare(sql));
    statement.bind_values(std::span(values.begin(), values.size()));
    int64_t rows = 0;
    for (; TRY(statement.step()); ++rows) TRY(on_row(Row(statement)));
    return rows > 0 ? rows : connection_.changes();
  }

  Result<void> begin() override { return connection_.run("BEGIN IMMEDIATE"); }
  Result<void> commit() override { return connection_.run("COMMIT"); }
  void roll_back() override {
    // SQLite itself rolls back on some errors (a full disk); then there is nothing left to do.
    if (connection_.in_transaction()) static_cast<void>(connection_.run("ROLLBACK"));
  }
  // BEGIN IMMEDIATE has the only write lock there is.
  Result<void> be_alone() override { return {}; }

  Result<void> migrate(const SqlSchema& schema) override {
    std::vector<std::string_view> scripts;
    for (const SqlMigration& migration : schema.migrations) scripts.push_back(migration.sqlite);
    return db::migrate(connection_, {schema.application_id, scripts});
  }

 private:
  Connection connection_;
};

}  // namespace

Result<std::unique_ptr<SqlConnection>> SqliteDatabase::connect() {
  return std::make_unique<SqliteConnection>(TRY(Connection::open(path_, options_)));
}

}  // namespace precedent::db
