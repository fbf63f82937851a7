// What only a store in a file has: pages, formats of the past, a file of somebody else's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/hash.h"
#include "db/migrations.h"
#include "store/dataset_versions.h"
#include "store/schema.h"
#include "store/store_lab.h"

namespace precedent {
namespace {

using ::testing::HasSubstr;
using Access = KnowledgeStore::Access;

Document runbook() {
  Document d;
  d.id = "A";
  d.title = "title of A";
  d.body = "body of A";
  d.source = "/runbooks";
  return d;
}

class SqliteStoreTest : public ::testing::Test {
 protected:
  // A file of a format of the past, with these rows.
  void make(size_t format, const std::string& rows) const {
    std::vector<std::string_view> scripts;
    for (const db::SqlMigration& migration : store_schema().migrations.first(format))
      scripts.push_back(migration.sqlite);
    auto connection = db::Connection::open(file_);
    ASSERT_TRUE(connection);
    ASSERT_TRUE(db::migrate(*connection, {store_schema().application_id, scripts}));
    ASSERT_TRUE(connection->script(rows));
  }
  Result<KnowledgeStore> open(Access access = Access::kReadWrite) const {
    return KnowledgeStore::open(file_, access);
  }
  const SqliteStoreLab lab_;
  const std::filesystem::path file_ = lab_.address().file;
};

TEST_F(SqliteStoreTest, WhatCannotBeOpenedSaysWhy) {
  const auto missing = KnowledgeStore::open(file_, Access::kReadOnly);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  std::ofstream(file_) << std::string(5000, 'z');
  for (const auto access : {Access::kReadOnly, Access::kReadWrite}) {
    const auto opened = KnowledgeStore::open(file_, access);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::kCorrupt);
    EXPECT_THAT(opened.error().message, HasSubstr("precedent.db"));
  }
}

TEST_F(SqliteStoreTest, APageThatNothingReadsIsChecked) {
  int64_t page = 0, bytes = 0;
  {
    const auto store = open();
    const StoreUpdate update{.put = {{.document = runbook(), .hash = content_hash(runbook())}}};
    ASSERT_TRUE(open()->apply(update));
    EXPECT_TRUE(store->check_pages());
    auto connection = db::Connection::open(file_);
    page = *connection->integer("SELECT rootpage FROM sqlite_schema WHERE name = 'bodies'").value();
    bytes = *connection->integer("PRAGMA page_size").value();
    ASSERT_TRUE(connection->script("PRAGMA wal_checkpoint(TRUNCATE)"));
  }
  std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp((page - 1) * bytes);
  file << std::string(static_cast<size_t>(bytes), '\xff');
  file.close();
  const auto checked = open()->check_pages();
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(checked.error().message, HasSubstr("precedent.db"));
  EXPECT_THAT(checked.error().message, HasSubstr("ingest the sources again"));
}

TEST_F(SqliteStoreTest, AFileOfFormat1IsBroughtUpToDateAndKeepsItsDocuments) {
  make(1,
       "INSERT INTO sources VALUES (1, '/runbooks');"
       "INSERT INTO documents VALUES (1, 'RB-1', 'hash', 1, 1, NULL, 'runbook', NULL, 1, 1, 0, 0, "
       "0, 2, 'Old runbook', 'rb.md', 1, '[\"payu\"]', '[]', '[]', '', '', '', '', NULL, NULL, "
       "NULL, '{}');"
       "INSERT INTO bodies VALUES (1, 'Rotate the key.');"
       "INSERT INTO chunks VALUES (2, 'key', 1, 1, '[]', 'Rotate the key.');"
       "UPDATE meta SET value = 1 WHERE key = 'version';"
       "UPDATE meta SET value = 3 WHERE key = 'next_point';");
  const auto too_old = open(Access::kReadOnly);
  ASSERT_FALSE(too_old);
  EXPECT_THAT(too_old.error().message, HasSubstr("has format 1"));
  auto store = open();
  ASSERT_TRUE(store) << store.error().text();
  const auto kept = store->find("RB-1");
  ASSERT_TRUE(kept && *kept);
  EXPECT_EQ((*kept)->title, "Old runbook");
  EXPECT_EQ((*kept)->body, "Rotate the key.");
  EXPECT_EQ(store->stored(std::vector<std::string>{"RB-1"})->at(0).chunks.size(), 1u);
  EXPECT_EQ(*store->version(), 1u);
  EXPECT_TRUE(store->golden_examples()->empty());
  const GoldenExample e{.id = "G-1", .question = "q", .answer = "a"};
  EXPECT_TRUE(store->put_golden({&e, 1}));
  EXPECT_TRUE(open(Access::kReadOnly));
}

TEST_F(SqliteStoreTest, WhoForcedAVersionInFormat5IsStillKnown) {
  make(5,
       "INSERT INTO incident_dataset_versions(name, state, created_at, changed_at, created_by, "
       "notes, sources, mapping_path, mapping, forced_by, forced_why, turn) VALUES "
       "('july', 'active', 1, 2, 'mia', '', '[]', '', '', 'ana', 'a harbour was sold', 1), "
       "('august', 'ready', 1, 2, 'mia', '', '[]', '', '', '', '', 0)");
  const auto store = open();
  ASSERT_TRUE(store) << store.error().text();
  const DatasetVersions versions(*store);
  const auto july = versions.find(1);
  ASSERT_TRUE(july && july->forced() != nullptr);
  EXPECT_EQ(july->forced()->by, "ana");
  EXPECT_EQ(july->forced()->why, "a harbour was sold");
  EXPECT_TRUE(versions.find(2)->activations.empty());
}

}  // namespace
}  // namespace precedent
