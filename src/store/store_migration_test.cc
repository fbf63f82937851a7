// A store that moves: from a file to PostgreSQL and back, interrupted, and where it must not go.
#include "store/store_migration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/hash.h"
#include "store/dataset_versions.h"
#include "store/store_lab.h"

namespace precedent {
namespace {

using ::testing::HasSubstr;
using Access = KnowledgeStore::Access;

NewDocument document(std::string id, const std::string& text) {
  NewDocument item;
  item.document.id = std::move(id);
  item.document.kind = Kind::kIncident;
  item.document.body = text;
  item.document.source = "/exports/a.csv";
  item.document.services = {"ledger"};
  item.document.opened_at = TimePoint(std::chrono::seconds(-5));
  item.hash = content_hash(item.document);
  Chunk chunk;
  chunk.text = text;
  item.chunks = {{chunk, content_hash(text)}};
  item.model_id = "m1";
  return item;
}

// Something in every table.
void fill(KnowledgeStore& store) {
  StoreUpdate update;
  update.model_id = "m1";
  for (int i = 0; i < 50; ++i) {
    const std::string text = "text " + std::to_string(i) + " größer";
    update.put.push_back(document("D" + std::to_string(i), text));
    update.vectors.push_back({content_hash(text), {0.5f, static_cast<float>(i)}});
  }
  ASSERT_TRUE(store.apply(update));
  ASSERT_TRUE(store.apply({.remove = {"D7"}}));
  const IndexBuild build = *store.begin_build({3, "m1", 2, {}});
  ASSERT_TRUE(store.activate_build(build.number));
  ASSERT_TRUE(store.apply({.remove = {"D8"}}));
  const GoldenExample golden[] = {{.id = "G-1", .question = "q", .answer = "a"}};
  ASSERT_TRUE(store.put_golden(golden));
  ASSERT_TRUE(store.add_feedback({.question = "q", .answer = "a"}));
  DatasetVersions versions(store);
  ASSERT_TRUE(versions.create({.name = "july"}, {}));
  ASSERT_TRUE(versions.validated(1, {document("D1", "x").document}, {1, 0, 0}, "{}", {}));
  for (const VersionState state : {VersionState::kIngesting, VersionState::kReady})
    ASSERT_TRUE(versions.move(1, state, {}));
  StoreUpdate activation;
  activation.activation = {.number = 1, .by = "ana", .forced = true, .why = "asked for"};
  ASSERT_TRUE(store.apply(activation));
}

class StoreMigrationTest : public ::testing::Test {
 protected:
  Result<std::vector<db::TableContent>> migrate(const StoreLab& from, const StoreLab& to) {
    return migrate_store(from.address(), to.address(), {}, [](const auto&, uint64_t) {}, cancel_);
  }
  static KnowledgeStore open(const StoreLab& lab, Access access = Access::kReadWrite) {
    auto store = KnowledgeStore::open(lab.address(), access);
    EXPECT_TRUE(store) << store.error().text();
    return std::move(*store);
  }
  static void expect_same(const KnowledgeStore& a, const KnowledgeStore& b) {
    EXPECT_EQ(*a.version(), *b.version());
    EXPECT_EQ(*a.list(Kind::kIncident, 100), *b.list(Kind::kIncident, 100));
    EXPECT_EQ(*a.golden_examples(), *b.golden_examples());
    EXPECT_EQ(*a.feedback_list(false), *b.feedback_list(false));
    EXPECT_EQ((*a.active_build())->collection, (*b.active_build())->collection);
    EXPECT_EQ(a.changes_since(0)->removed, b.changes_since(0)->removed);
    EXPECT_EQ(a.counts()->chunks, b.counts()->chunks);
    EXPECT_EQ(a.counts()->vectors, b.counts()->vectors);
    EXPECT_EQ(*DatasetVersions(a).hashes(1), *DatasetVersions(b).hashes(1));
    EXPECT_EQ(DatasetVersions(b).find(1)->activations.size(), 1u);
    EXPECT_THAT(*b.problems(), ::testing::IsEmpty());
  }

  SqliteStoreLab file_;
  PostgresStoreLab server_;
  CancelToken cancel_;
};

TEST_F(StoreMigrationTest, EverythingGoesOverAndComesBackAndGoesOnCounting) {
  SqliteStoreLab back;
  {
    KnowledgeStore store = open(file_);
    fill(store);
  }
  const auto there = migrate(file_, server_);
  ASSERT_TRUE(there) << there.error().text();
  ASSERT_EQ(there->size(), 15u);
  const auto again = migrate(server_, back);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(*there, *again) << "by number and hash";
  KnowledgeStore a = open(file_), b = open(server_), c = open(back);
  expect_same(a, b);
  expect_same(b, c);
  for (KnowledgeStore* store : {&b, &c}) {
    const IndexBuild build = *store->begin_build({});
    EXPECT_EQ(build.number, 2u);
    EXPECT_NE(build.collection, a.begin_build({})->collection) << "names of its own";
    EXPECT_EQ(*store->add_feedback({.question = "q", .answer = "a"}), 2);
    StoreUpdate update;
    update.put.push_back(document("new", "new"));
    EXPECT_GT(store->apply(update)->points[0],
              a.stored(std::vector<std::string>{"D49"})->at(0).point);
  }
}

TEST_F(StoreMigrationTest, InterruptedItIsNoKnowledgeBaseAndGoesOn) {
  {
    KnowledgeStore store = open(file_);
    fill(store);
  }
  const auto stop_at = [&](std::string_view table) {
    CancelToken cancel;
    return migrate_store(
        file_.address(), server_.address(), {},
        [&](const db::CopiedTable& at, uint64_t) {
          if (at.name == table) cancel.cancel();
        },
        cancel);
  };
  EXPECT_EQ(stop_at("documents").error().code, ErrorCode::kCancelled);
  const auto half = KnowledgeStore::open(server_.address(), Access::kReadOnly);
  EXPECT_EQ(half.error().code, ErrorCode::kConflict);
  EXPECT_THAT(half.error().message, HasSubstr("precedent store migrate"));
  // Half of a table, as a killed process leaves it.
  ASSERT_TRUE(server_.tables()->run("DELETE FROM documents WHERE point > 40"));
  EXPECT_EQ(stop_at("vectors").error().code, ErrorCode::kCancelled);
  ASSERT_TRUE(migrate(file_, server_));
  expect_same(open(file_), open(server_));
}

TEST_F(StoreMigrationTest, AnOriginThatChangedMeanwhileIsCopiedAnew) {
  KnowledgeStore store = open(file_);
  fill(store);
  CancelToken cancel;
  cancel.cancel();
  EXPECT_FALSE(
      migrate_store(file_.address(), server_.address(), {}, [](const auto&, uint64_t) {}, cancel));
  ASSERT_TRUE(migrate_store(
                  file_.address(), server_.address(), {},
                  [&](const db::CopiedTable& table, uint64_t) {
                    if (table.name == "vectors") cancel_.cancel();
                  },
                  cancel_)
                  .error()
                  .code == ErrorCode::kCancelled);
  StoreUpdate update;
  update.put.push_back(document("D3", "another text"));
  ASSERT_TRUE(store.apply(update));
  cancel_.reset();
  const auto done = migrate(file_, server_);
  ASSERT_TRUE(done) << done.error().text();
  expect_same(store, open(server_));
}

TEST_F(StoreMigrationTest, ATargetWithAKnowledgeBaseAndOneThatIsWrittenToAreRefused) {
  {
    KnowledgeStore store = open(file_);
    fill(store);
    KnowledgeStore other = open(server_);
    StoreUpdate update;
    update.put.push_back(document("mine", "mine"));
    ASSERT_TRUE(other.apply(update));
  }
  const auto refused = migrate(file_, server_);
  EXPECT_EQ(refused.error().code, ErrorCode::kConflict);
  EXPECT_THAT(refused.error().message, HasSubstr("has a knowledge base already"));
  EXPECT_TRUE(*open(server_).find("mine"));

  const PostgresStoreLab busy;
  KnowledgeStore writer = open(busy);
  ASSERT_TRUE(writer.lock_for_writing());
  EXPECT_EQ(migrate(file_, busy).error().code, ErrorCode::kConflict);
  EXPECT_EQ(migrate(server_, server_).error().code, ErrorCode::kConflict) << "onto itself";
}

// Two tables in databases of their own, as conversations are.
constexpr db::SqlMigration kNoteFormats[] = {
    {"CREATE TABLE notes(id INTEGER PRIMARY KEY AUTOINCREMENT, body BLOB NOT NULL)",
     "CREATE TABLE notes(id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body BYTEA NOT "
     "NULL)"}};
constexpr db::SqlSchema kNoteSchema = {"notes", 7, kNoteFormats};
constexpr db::TableColumn kNoteColumns[] = {{"id", db::TableColumn::Type::kInteger},
                                            {"body", db::TableColumn::Type::kBlob}};
constexpr db::CopiedTable kNoteTables[] = {{"notes", kNoteColumns, 1, true}};

class AlongTest : public StoreMigrationTest {
 protected:
  AlongTest() {
    KnowledgeStore store = open(file_);
    fill(store);
  }
  TableSet set() { return {"notes", *here_, *there_, kNoteSchema, kNoteTables, "keep them apart"}; }
  static void write(db::SqlDatabase& to, int from, int until) {
    const auto sql = *to.connect();
    ASSERT_TRUE(sql->migrate(kNoteSchema));
    for (int i = from; i < until; ++i) {
      const std::string body = "note " + std::to_string(i) + std::string("\0\xff", 2);
      ASSERT_TRUE(sql->run("INSERT INTO notes(body) VALUES ($1)", {db::Blob{body}}));
    }
  }
  static db::TableContent content(db::SqlDatabase& of) {
    return *db::content_of(**of.connect(), kNoteTables[0]);
  }
  Result<std::vector<db::TableContent>> migrate_with(const TableSet& set,
                                                     std::string_view stop_at = {}) {
    CancelToken cancel;
    return migrate_store(
        file_.address(), server_.address(), {&set, 1},
        [&](const db::CopiedTable& at, uint64_t) {
          if (at.name == stop_at) cancel.cancel();
        },
        cancel);
  }

  SqliteStoreLab notes_;
  std::unique_ptr<db::SqlDatabase> here_ = notes_.database(), there_ = server_.database();
};

TEST_F(AlongTest, WhatGoesAlongIsComparedAndCountsOn) {
  write(*here_, 0, 700);
  const auto done = migrate_with(set());
  ASSERT_TRUE(done) << done.error().text();
  ASSERT_EQ(done->size(), 16u);
  EXPECT_EQ(done->back().rows, 700u);
  EXPECT_EQ(done->back(), content(*here_));
  write(*there_, 700, 701);
  EXPECT_EQ(*(*there_->connect())->integer("SELECT max(id) FROM notes"), 701);

  // And back, into a place that has neither.
  SqliteStoreLab back;
  const auto empty = std::make_unique<db::SqliteDatabase>(back.address().file.string() + ".notes");
  const TableSet home{"notes", *there_, *empty, kNoteSchema, kNoteTables, ""};
  const auto again = migrate_store(
      server_.address(), back.address(), {&home, 1}, [](const auto&, uint64_t) {}, cancel_);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(content(*empty), content(*there_));
}

TEST_F(AlongTest, InterruptedItGoesOnAndTakesUpWhatChangedMeanwhile) {
  write(*here_, 0, 300);
  EXPECT_EQ(migrate_with(set(), "vectors").error().code, ErrorCode::kCancelled);
  // Half of it is there, as a killed process leaves it; and what was read already is another now.
  write(*there_, 0, 120);
  ASSERT_TRUE(
      (*here_->connect())->run("UPDATE notes SET body = $1 WHERE id = 5", {db::Blob{"changed"}}));
  const auto half = KnowledgeStore::open(server_.address(), Access::kReadOnly);
  EXPECT_EQ(half.error().code, ErrorCode::kConflict);
  const auto done = migrate_with(set());
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(content(*there_), content(*here_));
  EXPECT_TRUE(KnowledgeStore::open(server_.address(), Access::kReadOnly));
}

TEST_F(AlongTest, ATargetWithSomeOfItsOwnIsRefusedBeforeAnythingIsMarked) {
  write(*here_, 0, 3);
  write(*there_, 0, 1);
  const auto refused = migrate_with(set());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kConflict);
  EXPECT_THAT(refused.error().message, HasSubstr("has notes of its own already; keep them apart"));
  EXPECT_EQ(content(*there_).rows, 1u);
  EXPECT_TRUE(KnowledgeStore::open(server_.address(), Access::kReadOnly)) << "still a free place";
}

TEST_F(AlongTest, WithoutAnyThereIsNothingToCarry) {
  db::SqliteDatabase nowhere(notes_.address().file, {.read_only = true});
  const PostgresStoreLab untouched;
  const auto empty = untouched.database();
  for (db::SqlDatabase* from : {static_cast<db::SqlDatabase*>(&nowhere), empty.get()}) {
    PostgresStoreLab fresh;
    const auto there = fresh.database();
    const TableSet none{"notes", *from, *there, kNoteSchema, kNoteTables, ""};
    const auto done = migrate_store(
        file_.address(), fresh.address(), {&none, 1}, [](const auto&, uint64_t) {}, cancel_);
    ASSERT_TRUE(done) << done.error().text();
    EXPECT_EQ(done->size(), 15u);
  }
}

}  // namespace
}  // namespace precedent
