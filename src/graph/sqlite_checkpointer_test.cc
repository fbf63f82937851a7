// SqlCheckpointer over SQLite: the contract, damage, a full disk, another process.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "db/sqlite_sql.h"
#include "graph/checkpointer_contract.h"
#include "graph/graph_lab.h"
#include "graph/sql_checkpointer.h"
#include "graph/thread_problems.h"

namespace precedent {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<SqlCheckpointer> open_in(const std::filesystem::path& folder) {
  auto store = open_sqlite_checkpointer(folder / "threads.db");
  EXPECT_TRUE(store) << store.error().text();
  return store ? std::move(*store) : nullptr;
}

struct SqliteHarness final : CheckpointerHarness {
  Checkpointer& store() override { return *checkpointer; }
  void reopen() override {
    checkpointer.reset();
    checkpointer = open_in(folder.path());
  }
  LabFolder folder;
  std::unique_ptr<SqlCheckpointer> checkpointer = open_in(folder.path());
};

INSTANTIATE_TEST_SUITE_P(Sqlite, CheckpointerContract, testing::Values(CheckpointerMaker([] {
                           return std::make_unique<SqliteHarness>();
                         })));

struct SqliteCheckpointerTest : ::testing::Test {
  LabFolder folder;
  std::unique_ptr<SqlCheckpointer> store = open_in(folder.path());

  static std::vector<Step> step(std::string text) {
    return {{StepSource::kLoop, 0, {}, {{{"a", ""}, {{1, std::move(text)}}}}, {}, {}}};
  }
  CheckpointId grow(int n) {
    std::optional<CheckpointId> parent;
    for (int i = 0; i < n; ++i) {
      const auto id = store->put("t", parent, step("x"));
      EXPECT_TRUE(id) << id.error().text();
      parent = id.value_or(0);
    }
    return *parent;
  }
  void change(const char* sql) {
    auto connection = db::Connection::open(folder.path() / "threads.db");
    ASSERT_TRUE(connection);
    const auto changed = connection->script(sql);
    ASSERT_TRUE(changed) << changed.error().text();
  }
};

TEST_F(SqliteCheckpointerTest, ADamagedRowIsAnErrorThatNamesIt) {
  struct Case {
    const char* damage;
    ErrorCode code;
    const char* says;
  };
  for (const Case& c :
       {Case{"UPDATE checkpoints SET body = zeroblob(40) WHERE id = 2", ErrorCode::kCorrupt,
             "thread 't', checkpoint 2: its checksum does not match; restore a backup, or go on "
             "from "
             "the last checkpoint that can be read: `precedent threads fork t --at 1`"},
        Case{"UPDATE checkpoints SET body = zeroblob(40) WHERE id = 1", ErrorCode::kCorrupt,
             "checkpoint 1: its checksum does not match; restore a backup, or delete the thread: "
             "`precedent threads delete t`"},
        Case{"UPDATE checkpoints SET body = zeroblob(40)", ErrorCode::kCorrupt,
             "or delete the thread: `precedent threads delete t`"},
        Case{"UPDATE checkpoints SET body = x'63' || substr(body, 2) WHERE id = 2",
             ErrorCode::kInvalidArgument,
             "checkpoint 2: it has format 99, written by a newer precedent"},
        Case{"DELETE FROM checkpoints WHERE id = 2", ErrorCode::kCorrupt,
             "checkpoint 2: it is missing from the store; restore a backup, or delete the thread"},
        Case{"UPDATE checkpoints SET parent = 3 WHERE id = 2", ErrorCode::kCorrupt,
             "checkpoint 3: it is missing"}}) {
    store.reset();
    std::filesystem::remove(folder.path() / "threads.db");
    std::filesystem::remove(folder.path() / "threads.db-wal");
    std::filesystem::remove(folder.path() / "threads.db-shm");
    store = open_in(folder.path());
    const CheckpointId head = grow(3);
    change(c.damage);
    const auto path = store->path("t", head, {});
    ASSERT_FALSE(path) << c.damage;
    EXPECT_EQ(path.error().code, c.code) << path.error().text();
    EXPECT_THAT(path.error().message, HasSubstr(c.says));
  }
}

TEST_F(SqliteCheckpointerTest, EveryDamagedRowIsFound) {
  struct Case {
    const char* damage;
    std::vector<std::string> problems;
  };
  for (const Case& c : {Case{"SELECT 1", {}},
                        Case{"UPDATE checkpoints SET body = zeroblob(40) WHERE id IN (1, 3)",
                             {"conversation 't', checkpoint 1: its checksum does not match",
                              "conversation 't', checkpoint 3: its checksum does not match"}},
                        Case{"UPDATE pending SET body = zeroblob(40)",
                             {"conversation 't', an unfinished step: its checksum does not match"}},
                        Case{"DELETE FROM checkpoints WHERE id = 2",
                             {"conversation 't', checkpoint 2: it is missing"}},
                        Case{"DELETE FROM checkpoints WHERE id = 3",
                             {"conversation 't', checkpoint 3: it is missing"}},
                        // One that no thread names any more.
                        Case{"UPDATE checkpoints SET body = zeroblob(40), thread = 99 WHERE id = 2",
                             {"checkpoint 2: its checksum does not match"}}}) {
    store.reset();
    for (const char* name : {"threads.db", "threads.db-wal", "threads.db-shm"})
      std::filesystem::remove(folder.path() / name);
    store = open_in(folder.path());
    ASSERT_TRUE(store->put_pending("t", grow(3), {.task = 0}));
    change(c.damage);
    const auto sql = db::SqliteDatabase(folder.path() / "threads.db", {}).connect();
    ASSERT_TRUE(sql);
    EXPECT_EQ(thread_problems(**sql, 20).value(), c.problems) << c.damage;
    EXPECT_LE(thread_problems(**sql, 1)->size(), 1u);
  }
}

TEST_F(SqliteCheckpointerTest, WhatTheErrorOfADamagedRowAdvisesCanBeDone) {
  const CheckpointId head = grow(5);
  ASSERT_TRUE(store->put_pending("t", head, {.task = 0}));
  // Of two damaged rows the older one decides, whichever is met first.
  change("UPDATE checkpoints SET body = zeroblob(40) WHERE id IN (3, 5)");
  for (const auto& error : {store->path("t", head, {}).error(), store->history("t", {}, 1).error(),
                            store->checkpoint("t", 5).error()}) {
    EXPECT_EQ(error.code, ErrorCode::kCorrupt);
    EXPECT_THAT(error.message, HasSubstr("`precedent threads fork t --at 2`"));
  }
  ASSERT_TRUE(store->fork("t", 2, "f", {}));
  EXPECT_EQ(store->path("f", 2, {})->size(), 2u);
  // It is listed all the same, and can be deleted.
  EXPECT_EQ(store->threads(10, 0, {})->size(), 2u);
  ASSERT_TRUE(store->remove("t"));
  EXPECT_EQ(store->path("f", 2, {})->size(), 2u);
}

TEST_F(SqliteCheckpointerTest, DamageAfterTheHeadLeavesTheHeadToForkAt) {
  const CheckpointId head = grow(2);
  ASSERT_TRUE(store->put_pending("t", head, {.task = 0}));
  change("UPDATE pending SET body = zeroblob(40)");
  const auto found = store->head("t");
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message,
              AllOf(HasSubstr("thread 't', what was unfinished after checkpoint 2"),
                    HasSubstr("`precedent threads fork t --at 2`")));
  ASSERT_TRUE(store->fork("t", 2, "f", {}));
  EXPECT_TRUE(store->head("f")->value().pending.empty());
  change("UPDATE checkpoints SET body = zeroblob(40)");
  EXPECT_THAT(store->head("t").error().message, HasSubstr("`precedent threads delete t`"));
  EXPECT_TRUE(store->remove("t"));
}

TEST_F(SqliteCheckpointerTest, AFileOfANewerPrecedentIsRefused) {
  change("PRAGMA user_version = 99");
  const auto opened = open_sqlite_checkpointer(folder.path() / "threads.db");
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(opened.error().message, HasSubstr("written by a newer precedent"));
}

TEST_F(SqliteCheckpointerTest, AFullDiskIsAClearErrorAndLosesNothing) {
  const CheckpointId head = grow(3);
  store.reset();  // SQLite's locks are not for carrying over a fork
  const pid_t child = ::fork();
  if (child == 0) {
    auto mine = open_sqlite_checkpointer(folder.path() / "threads.db");
    // The log may not grow: what a full disk says as well.
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{48 * 1024, 48 * 1024};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto put = (*mine)->put("t", head, step(std::string(1'000'000, 'x')));
    ::_exit(!put && put.error().code == ErrorCode::kResourceExhausted &&
                    put.error().message.find("free space") != std::string::npos
                ? 0
                : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  store = open_in(folder.path());
  EXPECT_EQ(store->path("t", head, {})->size(), 3u);
  EXPECT_TRUE(store->put("t", head, step("goes on")));
}

TEST_F(SqliteCheckpointerTest, OfTwoProcessesThatAppendEachStepIsWonByOne) {
  constexpr int kSteps = 50;
  grow(1);
  store.reset();
  std::vector<pid_t> children;
  for (int c = 0; c < 2; ++c) {
    children.push_back(::fork());
    if (children.back() != 0) continue;
    auto mine = open_in(folder.path());
    int conflicts = 0;
    for (int i = 0; i < kSteps;) {
      const auto put = mine->put("t", (*mine->head("t"))->checkpoint, step("x"));
      if (put) {
        ++i;
      } else if (put.error().code != ErrorCode::kConflict || ++conflicts > 100'000) {
        ::_exit(1);
      }
    }
    ::_exit(0);
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  store = open_in(folder.path());
  EXPECT_EQ(store->path("t", (*store->head("t"))->checkpoint, {})->size(), 1u + 2 * kSteps);
}

TEST_F(SqliteCheckpointerTest, RemovingEverythingLeavesNoRow) {
  const CheckpointId head = grow(5);
  ASSERT_TRUE(store->put_pending("t", head, {}));
  ASSERT_TRUE(store->fork("t", head - 2, "f", {}));
  ASSERT_TRUE(store->remove("t"));
  ASSERT_TRUE(store->remove("f"));
  auto connection = db::Connection::open(folder.path() / "threads.db");
  for (const char* table : {"threads", "checkpoints", "pending"}) {
    EXPECT_EQ(connection->integer(std::string("SELECT count(*) FROM ") + table).value(), 0)
        << table;
  }
}

}  // namespace
}  // namespace precedent
