// PostgreSQL behind sql.h, through libpqxx. The only header that knows of it, and it hides it.
//
// Tables live in a schema of their own, "precedent". A commit has returned when PostgreSQL has it
// on the disk (its default). Errors: a server that is gone, or goes while we speak to it, is
// kUnavailable; whether a commit that was under way had succeeded is then known by reading again.
// One that does not speak is given up after 5 s, a lock after 10 s (then kConflict), unless the
// connection string says otherwise (connect_timeout); one that stops in the middle of a statement
// after a minute.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "db/sql.h"
#include "db/watchdog.h"

namespace precedent::db {

// What PostgreSQL makes of a text: U+FFFD for each NUL and for what is not UTF-8.
std::string postgres_text(std::string_view text);

class PostgresDatabase final : public SqlDatabase {
 public:
  // A libpq connection string or URL: "postgresql://user@host/name", "host=/run/pg dbname=x".
  // `patience`: for a statement, but those of migrations and of transactions that are alone.
  explicit PostgresDatabase(std::string url,
                            std::chrono::milliseconds patience = std::chrono::minutes(1))
      : url_(std::move(url)), watchdog_(std::make_shared<Watchdog>(patience)) {}
  Result<std::unique_ptr<SqlConnection>> connect() override;
  // An advisory lock, on a connection of its own. It ends with that: then whoever held it is not
  // told.
  Result<std::unique_ptr<SqlLock>> try_lock(std::string_view name) override;
  // Commits that wait for the disk at the same time share one sync. A server with its default of
  // 100 connections then serves a dozen of us.
  size_t max_connections() const override { return 8; }

 private:
  std::string url_;
  std::shared_ptr<Watchdog> watchdog_;  // of all its connections, which may outlive it
};

}  // namespace precedent::db
