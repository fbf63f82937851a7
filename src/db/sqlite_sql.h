// SQLite behind sql.h: one file, one connection for writing and reading.
#pragma once

#include <filesystem>

#include "db/sql.h"
#include "db/sqlite.h"

namespace precedent::db {

class SqliteDatabase final : public SqlDatabase {
 public:
  explicit SqliteDatabase(std::filesystem::path path, OpenOptions options = {})
      : path_(std::move(path)), options_(options) {}
  Result<std::unique_ptr<SqlConnection>> connect() override;
  // In a file beside the database, ".locks" behind its name, since SQLite's own locks are of a
  // whole file.
  Result<std::unique_ptr<SqlLock>> try_lock(std::string_view name) override;
  // There is one writer at a time, and reading takes microseconds.
  size_t max_connections() const override { return 1; }

 private:
  std::filesystem::path path_;
  OpenOptions options_;
};

}  // namespace precedent::db
