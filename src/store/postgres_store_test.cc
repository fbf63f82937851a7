// What only a store in PostgreSQL has: a server that goes and comes back, one writer among
// machines, roles, and texts that it does not take.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "base/hash.h"
#include "store/schema.h"
#include "store/store_lab.h"

namespace precedent {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Access = KnowledgeStore::Access;

NewDocument document(std::string id, std::string body = "body") {
  NewDocument item;
  item.document.id = std::move(id);
  item.document.body = std::move(body);
  item.document.source = "/runbooks";
  item.hash = content_hash(item.document);
  return item;
}

StoreUpdate put(NewDocument item) {
  StoreUpdate update;
  update.put.push_back(std::move(item));
  return update;
}

class PostgresStoreTest : public ::testing::Test {
 protected:
  Result<KnowledgeStore> try_open(Access access = Access::kReadWrite) const {
    return KnowledgeStore::open(lab_.address(), access);
  }
  KnowledgeStore open(Access access = Access::kReadWrite) const {
    auto store = try_open(access);
    EXPECT_TRUE(store) << store.error().text();
    return std::move(*store);
  }
  const PostgresStoreLab lab_;
};

TEST_F(PostgresStoreTest, WhatCannotBeOpenedSaysWhy) {
  const auto empty = try_open(Access::kReadOnly);
  EXPECT_EQ(empty.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(empty.error().message, HasSubstr("ingest something first"));
  ASSERT_TRUE(lab_.server().go_away());
  const auto gone = try_open();
  EXPECT_EQ(gone.error().code, ErrorCode::kUnavailable) << gone.error().text();
  const auto nowhere = KnowledgeStore::open(
      StoreAddress{"", "postgresql://ana:hunter2@/x?host=/nonexistent"}, Access::kReadOnly);
  EXPECT_EQ(nowhere.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(nowhere.error().message, HasSubstr("/nonexistent"));
  EXPECT_THAT(nowhere.error().message, Not(HasSubstr("hunter2")));
}

TEST_F(PostgresStoreTest, FormatsOfThePastAndTheFutureAreRefusedByReaders) {
  open();
  const auto tables = lab_.tables();
  ASSERT_TRUE(tables->run("UPDATE formats SET version = 1 WHERE name = 'store'"));
  const auto old = try_open(Access::kReadOnly);
  EXPECT_EQ(old.error().code, ErrorCode::kConflict);
  EXPECT_THAT(old.error().message, HasSubstr("run `precedent ingest` once"));
  ASSERT_TRUE(tables->run("UPDATE formats SET version = 99 WHERE name = 'store'"));
  for (const auto access : {Access::kReadOnly, Access::kReadWrite}) {
    const auto future = try_open(access);
    EXPECT_EQ(future.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(future.error().message, HasSubstr("written by a newer precedent"));
  }
}

TEST_F(PostgresStoreTest, AWriterThatANewerPrecedentOvertookWritesNothingMore) {
  KnowledgeStore store = open();
  ASSERT_TRUE(store.apply(put(document("A"))));
  ASSERT_TRUE(lab_.tables()->run("UPDATE formats SET version = 99 WHERE name = 'store'"));
  const auto late = store.apply(put(document("B")));
  EXPECT_EQ(late.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(late.error().message, AllOf(HasSubstr("have format 99, written by a newer precedent"),
                                          HasSubstr("upgrade it, or use another database")));
  EXPECT_EQ(store.add_feedback({.question = "q", .answer = "a"}).error().code,
            ErrorCode::kInvalidArgument);
  ASSERT_TRUE(lab_.tables()->run("UPDATE formats SET version = $1 WHERE name = 'store'",
                                 {db::number(store_schema().migrations.size())}));
  EXPECT_EQ(store.counts()->documents, 1u);
  EXPECT_TRUE(store.apply(put(document("B")))) << "nothing else was lost";
}

// With one connection the second would wait for the first, which waits for it.
TEST_F(PostgresStoreTest, AReaderDoesNotWaitForAnotherOfTheSameStore) {
  ASSERT_TRUE(open().apply(put(document("A"))));
  const auto scoped = KnowledgeStore::open_scoped(lab_.address(), {.kinds = {Kind::kDoc}});
  const KnowledgeStore reader = open(Access::kReadOnly);
  for (const KnowledgeStore* store : {&reader, &*scoped}) {
    size_t seen = 0;
    ASSERT_TRUE(store->visit_bodies(
        Kind::kDoc, [&](const std::string&, const std::string&, std::string_view) {
          std::thread other([&] { seen += store->list(Kind::kDoc, 10)->size(); });
          other.join();
          return true;
        }));
    EXPECT_EQ(seen, 1u);
  }
}

TEST_F(PostgresStoreTest, ManyReadersShareAFewConnections) {
  ASSERT_TRUE(open().apply(put(document("A"))));
  const KnowledgeStore reader = open(Access::kReadOnly);
  std::vector<std::thread> threads;
  for (int i = 0; i < 24; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 20; ++n) EXPECT_TRUE(*reader.find("A"));
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto sessions = lab_.tables()->integer(
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> "
      "pg_backend_pid()");
  EXPECT_LE(**sessions, 8);
}

TEST_F(PostgresStoreTest, AServerThatWasStartedAgainBetweenTwoCallsIsNotNoticed) {
  KnowledgeStore writer = open();
  ASSERT_TRUE(writer.apply(put(document("A"))));
  const KnowledgeStore reader = open(Access::kReadOnly);
  const auto scoped = KnowledgeStore::open_scoped(lab_.address(), {.services = {"other"}});
  ASSERT_TRUE(scoped);
  ASSERT_TRUE(lab_.server().end_sessions());
  EXPECT_TRUE(*reader.find("A"));
  EXPECT_TRUE(writer.apply(put(document("B"))));
  EXPECT_EQ(scoped->counts()->documents, 0u) << "a scope is kept";
  EXPECT_EQ(reader.counts()->documents, 2u);
}

TEST_F(PostgresStoreTest, OneThatGoesInTheMiddleKeepsNothingOfTheCallAndTheNextWorks) {
  KnowledgeStore store = open();
  ASSERT_TRUE(store.apply(put(document("A"))));
  ASSERT_TRUE(store.apply(put(document("B"))));
  const auto read =
      store.visit_bodies(Kind::kDoc, [&](const std::string&, const std::string&, std::string_view) {
        EXPECT_TRUE(lab_.server().end_sessions());
        return true;
      });
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::kUnavailable) << read.error().text();
  EXPECT_EQ(store.counts()->documents, 2u);

  // A writer waits for another's transaction and is thrown out of its own.
  const auto other = lab_.tables();
  ASSERT_TRUE(
      lab_.tables()->run("CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN "
                         "PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END'"));
  ASSERT_TRUE(
      lab_.tables()->run("CREATE TRIGGER die BEFORE INSERT ON bodies FOR EACH ROW EXECUTE "
                         "FUNCTION die()"));
  StoreUpdate update = put(document("C"));
  update.remove = {"A"};
  const auto written = store.apply(update);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::kUnavailable) << written.error().text();
  EXPECT_TRUE(*store.find("A"));
  EXPECT_EQ(*store.version(), 2u);
  ASSERT_TRUE(lab_.tables()->run("DROP TRIGGER die ON bodies"));
  EXPECT_TRUE(store.apply(update));
  EXPECT_FALSE(*store.find("A"));
  EXPECT_EQ(*store.version(), 3u);
}

TEST_F(PostgresStoreTest, WhileItIsGoneEveryCallSaysSoAndThenAllIsWell) {
  KnowledgeStore store = open();
  ASSERT_TRUE(store.apply(put(document("A"))));
  ASSERT_TRUE(lab_.server().go_away());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(store.find("A").error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(store.apply(put(document("B"))).error().code, ErrorCode::kUnavailable);
  ASSERT_TRUE(lab_.server().come_back());
  EXPECT_TRUE(*store.find("A"));
  EXPECT_TRUE(store.apply(put(document("B"))));
}

TEST_F(PostgresStoreTest, OneWriterHoldsItAndLosesItWithItsConnection) {
  KnowledgeStore first = open();
  KnowledgeStore second = open();
  ASSERT_TRUE(first.lock_for_writing());
  const auto refused = second.lock_for_writing();
  EXPECT_EQ(refused.error().code, ErrorCode::kConflict);
  EXPECT_THAT(refused.error().message, HasSubstr("another process is writing"));
  ASSERT_TRUE(first.apply(put(document("A"))));
  ASSERT_TRUE(lab_.server().end_sessions());
  ASSERT_TRUE(second.lock_for_writing()) << "it is free again";
  const auto late = first.apply(put(document("B")));
  EXPECT_EQ(late.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(late.error().message, HasSubstr("the right to write"));
  EXPECT_EQ(second.counts()->documents, 1u);
}

TEST_F(PostgresStoreTest, ReadersWaitForNoWriterAndSeeNothingOfItBeforeItsEnd) {
  KnowledgeStore store = open();
  ASSERT_TRUE(store.apply(put(document("A"))));
  const KnowledgeStore reader = open(Access::kReadOnly);
  const auto other = lab_.tables();
  {
    auto held = db::SqlTransaction::begin(*other);
    ASSERT_TRUE(other->take_turns("precedent store"));
    ASSERT_TRUE(other->run("UPDATE meta SET value = 7 WHERE key = 'version'"));
    ASSERT_TRUE(other->run("DELETE FROM documents"));
    EXPECT_EQ(*reader.version(), 1u);
    EXPECT_TRUE(*reader.find("A"));
  }
  EXPECT_TRUE(store.apply(put(document("B")))) << "its turn";
}

TEST_F(PostgresStoreTest, AReaderCannotWriteEvenPastTheStore) {
  open();
  KnowledgeStore reader = open(Access::kReadOnly);
  const auto refused = reader.apply(put(document("A")));
  EXPECT_EQ(refused.error().code, ErrorCode::kPermission) << refused.error().text();
}

TEST_F(PostgresStoreTest, WhatPostgresqlDoesNotTakeAsTextIsReplaced) {
  KnowledgeStore store = open();
  ASSERT_TRUE(store.apply(put(document("A", std::string("nul\0 bad\xff end", 13)))));
  EXPECT_EQ((*store.find("A"))->body, "nul\xef\xbf\xbd bad\xef\xbf\xbd end");
}

TEST_F(PostgresStoreTest, ALongApplicationNameIsKept) {
  KnowledgeStore store = open();
  NewDocument item = document("A");
  item.document.kind = Kind::kIncident;
  for (int i = 0; i < 3000; ++i) item.document.application += std::to_string(i);
  const std::string name = item.document.application;
  ASSERT_TRUE(store.apply(put(std::move(item))));
  EXPECT_THAT(*store.applications(), testing::ElementsAre(NameCount{name, 1}));
}

TEST_F(PostgresStoreTest, LargeTextsAreReadOneAtATimeAndAllOfThem) {
  KnowledgeStore store = open();
  for (int i = 0; i < 60; ++i)
    ASSERT_TRUE(store.apply(
        put(document("D" + std::to_string(100 + i), std::string(i % 7 == 0 ? 700'000 : 10, 'x')))));
  std::vector<std::string> seen;
  ASSERT_TRUE(store.visit_bodies(
      Kind::kDoc, [&](const std::string& id, const std::string&, std::string_view body) {
        EXPECT_EQ(body.size(), seen.size() % 7 == 0 ? 700'000u : 10u);
        seen.push_back(id);
        return true;
      }));
  EXPECT_EQ(seen.size(), 60u);
  EXPECT_TRUE(std::ranges::is_sorted(seen));
  EXPECT_THAT(*store.problems(), IsEmpty());
}

}  // namespace
}  // namespace precedent
