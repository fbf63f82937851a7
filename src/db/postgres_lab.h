// For tests and benches: a database of its own on the private server of scripts/postgres, which
// ctest starts and stops (fixture "postgres").
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <memory>
#include <string>

#include "db/postgres.h"

namespace precedent::db {

class PostgresLab {
 public:
  PostgresLab() : PostgresLab(nullptr) {}
  // With all that another holds, to which nobody may be connected. Null: empty.
  explicit PostgresLab(const PostgresLab* origin) {
    static std::atomic<int> count{0};
    name_ = "lab_" + std::to_string(::getpid()) + "_" + std::to_string(++count);
    const std::string how = origin == nullptr ? "" : " TEMPLATE " + origin->name_;
    if (const auto made = run("CREATE DATABASE " + name_ + how); !made)
      problem_ = made.error().text();
  }
  PostgresLab(const PostgresLab&) = delete;
  PostgresLab& operator=(const PostgresLab&) = delete;
  ~PostgresLab() { static_cast<void>(run("DROP DATABASE IF EXISTS " + name_ + " WITH (FORCE)")); }

  // Empty unless the server is not there; then what to do.
  const std::string& problem() const { return problem_; }

  // The last parameter of a name counts.
  std::string url() const { return server() + " dbname=" + name_; }
  std::unique_ptr<SqlDatabase> database() const {
    return std::make_unique<PostgresDatabase>(url());
  }

  // Nobody can connect any more, and whoever was connected is thrown out; and back again.
  Result<void> go_away() const {
    TRY(run("ALTER DATABASE " + name_ + " WITH ALLOW_CONNECTIONS false"));
    TRY(end_sessions());
    return {};
  }
  Result<void> come_back() const {
    TRY(run("ALTER DATABASE " + name_ + " WITH ALLOW_CONNECTIONS true"));
    return {};
  }

  // As an operator would: every session of this database but our own ends.
  Result<int64_t> end_sessions() const {
    return run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + name_ +
               "'");
  }

 private:
  static std::string server() {
    std::string url;
    FILE* pipe = ::popen("scripts/postgres url '" PRECEDENT_POSTGRES_NAME "'", "r");
    if (pipe == nullptr) return url;
    for (int c = std::fgetc(pipe); c != EOF && c != '\n'; c = std::fgetc(pipe))
      url.push_back(static_cast<char>(c));
    ::pclose(pipe);
    return url;
  }

  Result<int64_t> run(const std::string& sql) const {
    auto connection = PostgresDatabase(server()).connect();
    if (!connection) {
      Error error = std::move(connection).error();
      error.message +=
          "; `ctest` starts it, or scripts/postgres start '" PRECEDENT_POSTGRES_NAME "'";
      return std::unexpected(std::move(error));
    }
    return (*connection)->run(sql);
  }

  std::string name_;
  std::string problem_;
};

}  // namespace precedent::db
