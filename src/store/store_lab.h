// For tests: an empty place for a knowledge store, in a file or in a PostgreSQL, and the suites of
// this folder that run over both.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <string>

#include "db/postgres_lab.h"
#include "db/sqlite_sql.h"
#include "store/knowledge_store.h"

namespace precedent {

class StoreLab {
 public:
  virtual ~StoreLab() = default;
  virtual StoreAddress address() const = 0;
  virtual std::unique_ptr<db::SqlDatabase> database() const = 0;

  // Past the store, to its tables.
  std::unique_ptr<db::SqlConnection> tables() const {
    auto connection = database()->connect();
    EXPECT_TRUE(connection) << connection.error().text();
    return std::move(*connection);
  }
};

class SqliteStoreLab final : public StoreLab {
 public:
  ~SqliteStoreLab() override { std::filesystem::remove_all(folder_); }
  StoreAddress address() const override { return {store_file(folder_)}; }
  std::unique_ptr<db::SqlDatabase> database() const override {
    return std::make_unique<db::SqliteDatabase>(address().file);
  }

 private:
  static std::filesystem::path make() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "precedent-store-XXXXXX").string();
    return ::mkdtemp(pattern.data());
  }
  const std::filesystem::path folder_ = make();
};

class PostgresStoreLab final : public StoreLab {
 public:
  PostgresStoreLab() : PostgresStoreLab(nullptr) {}
  // With all that another holds, which nobody has open.
  explicit PostgresStoreLab(const PostgresStoreLab* origin)
      : lab_(origin == nullptr ? nullptr : &origin->lab_) {
    EXPECT_EQ(lab_.problem(), "");
  }
  StoreAddress address() const override { return {"", lab_.url()}; }
  std::unique_ptr<db::SqlDatabase> database() const override { return lab_.database(); }
  const db::PostgresLab& server() const { return lab_; }

 private:
  db::PostgresLab lab_;
};

// A suite over both: `class MyTest : public StoreContract {…}; OVER_EVERY_STORE(MyTest);`
class StoreContract : public ::testing::TestWithParam<db::Engine> {
 protected:
  using Access = KnowledgeStore::Access;

  Result<KnowledgeStore> try_open(Access access = Access::kReadWrite) const {
    return KnowledgeStore::open(lab_->address(), access);
  }
  KnowledgeStore open(Access access = Access::kReadWrite) const {
    auto store = try_open(access);
    EXPECT_TRUE(store) << store.error().text();
    return std::move(*store);
  }

  const std::unique_ptr<StoreLab> lab_ =
      GetParam() == db::Engine::kSqlite
          ? std::unique_ptr<StoreLab>(std::make_unique<SqliteStoreLab>())
          : std::make_unique<PostgresStoreLab>();
};

#define OVER_EVERY_STORE(suite)                                                                  \
  INSTANTIATE_TEST_SUITE_P(Stores, suite,                                                        \
                           ::testing::Values(db::Engine::kSqlite, db::Engine::kPostgres),        \
                           [](const auto& engine) {                                              \
                             return engine.param == db::Engine::kSqlite ? "Sqlite" : "Postgres"; \
                           })

}  // namespace precedent
