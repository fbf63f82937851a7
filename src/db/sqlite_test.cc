#include "db/sqlite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace precedent::db {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class SqliteTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "precedent-db-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    file_ = folder_ / "test.db";
  }
  void TearDown() override { fs::remove_all(folder_); }

  Connection open(OpenOptions options = {}) {
    auto connection = Connection::open(file_, options);
    EXPECT_TRUE(connection) << connection.error().text();
    return std::move(*connection);
  }

  fs::path folder_, file_;
};

TEST_F(SqliteTest, ValuesComeBackAsTheyWereBound) {
  Connection c = open();
  ASSERT_TRUE(c.script("CREATE TABLE t(a, b, c, d, e, f, g)"));
  const std::string text("a\0b", 3);
  const std::array bytes = {std::byte{0}, std::byte{255}};
  ASSERT_TRUE(c.run("INSERT INTO t VALUES (?,?,?,?,?,?,?)", int64_t{-5},
                    uint64_t{0xffffffffffffffff}, 1.5, text, Bytes(bytes), std::optional<int64_t>(),
                    std::string_view()));
  auto s = c.prepare("SELECT * FROM t");
  ASSERT_TRUE(s && *s->bind().step());
  EXPECT_EQ(s->integer(0), -5);
  EXPECT_EQ(s->natural(1), 0xffffffffffffffff);
  EXPECT_EQ(s->real(2), 1.5);
  EXPECT_EQ(s->text(3), text);
  EXPECT_TRUE(std::ranges::equal(s->bytes(4), bytes));
  EXPECT_TRUE(s->is_null(5));
  EXPECT_FALSE(s->is_null(6)) << "an empty text is not NULL";
  EXPECT_EQ(s->text(6), "");
  EXPECT_FALSE(*s->step());
}

TEST_F(SqliteTest, AStatementCanBeBorrowedTwiceAtOnce) {
  Connection c = open();
  ASSERT_TRUE(c.script("CREATE TABLE t(a); INSERT INTO t VALUES (1), (2)"));
  auto outer = c.prepare("SELECT a FROM t ORDER BY a");
  ASSERT_TRUE(outer);
  std::vector<int64_t> seen;
  while (*outer->step()) {
    auto inner = c.prepare("SELECT a FROM t ORDER BY a");
    while (*inner->step()) seen.push_back(outer->integer(0) * 10 + inner->integer(0));
  }
  EXPECT_THAT(seen, ::testing::ElementsAre(11, 12, 21, 22));
}

TEST_F(SqliteTest, ATransactionThatIsNotCommittedLeavesNothing) {
  Connection c = open();
  ASSERT_TRUE(c.script("CREATE TABLE t(a)"));
  {
    auto transaction = Transaction::begin(c);
    ASSERT_TRUE(transaction);
    ASSERT_TRUE(c.run("INSERT INTO t VALUES (1)"));
  }
  EXPECT_EQ(*c.integer("SELECT count(*) FROM t"), 0);
  {
    auto transaction = Transaction::begin(c);
    ASSERT_TRUE(c.run("INSERT INTO t VALUES (1)"));
    ASSERT_TRUE(transaction->commit());
  }
  EXPECT_EQ(*c.integer("SELECT count(*) FROM t"), 1);
}

TEST_F(SqliteTest, AWrongStatementIsNamed) {
  Connection c = open();
  const auto failed = c.run("SELECT nothing FROM nowhere");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::kInternal);
  EXPECT_THAT(failed.error().message, HasSubstr("SELECT nothing FROM nowhere"));
}

TEST_F(SqliteTest, AFullDiskIsResourceExhaustedAndLosesNothing) {
  Connection c = open();
  ASSERT_TRUE(
      c.script("CREATE TABLE t(a); INSERT INTO t VALUES ('kept'); PRAGMA max_page_count = 10;"));
  auto transaction = Transaction::begin(c);
  const auto failed = c.run("INSERT INTO t VALUES (?)", std::string(1 << 20, 'x'));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::kResourceExhausted);
  EXPECT_THAT(failed.error().message, HasSubstr(file_.string()));
  EXPECT_THAT(failed.error().message, HasSubstr("free space"));
  {
    auto ended = std::move(transaction);
  }
  EXPECT_EQ(*c.integer("SELECT count(*) FROM t WHERE a = 'kept'"), 1);
  ASSERT_TRUE(c.run("INSERT INTO t VALUES ('small')")) << "the connection works on";
}

TEST_F(SqliteTest, ALockHeldElsewhereIsAConflict) {
  Connection a = open();
  Connection b = open({.busy_timeout = std::chrono::milliseconds(1)});
  auto held = Transaction::begin(a);
  ASSERT_TRUE(held);
  const auto refused = Transaction::begin(b);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kConflict);
}

TEST_F(SqliteTest, AReaderSeesTheStateBeforeAnOpenTransaction) {
  Connection writer = open();
  ASSERT_TRUE(writer.script("CREATE TABLE t(a); INSERT INTO t VALUES (1)"));
  Connection reader = open({.read_only = true});
  auto transaction = Transaction::begin(writer);
  ASSERT_TRUE(writer.run("INSERT INTO t VALUES (2)"));
  EXPECT_EQ(*reader.integer("SELECT count(*) FROM t"), 1);
  ASSERT_TRUE(transaction->commit());
  EXPECT_EQ(*reader.integer("SELECT count(*) FROM t"), 2);
  const auto refused = reader.run("INSERT INTO t VALUES (3)");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kPermission);
}

TEST_F(SqliteTest, WhatIsNoDatabaseIsCorruptAndNamed) {
  std::ofstream(file_) << std::string(8192, 'x');
  for (const bool read_only : {false, true}) {
    const auto opened = Connection::open(file_, {.read_only = read_only});
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, ErrorCode::kCorrupt);
    EXPECT_THAT(opened.error().message, HasSubstr(file_.string()));
    EXPECT_THAT(opened.error().message, HasSubstr("ingest the sources again"));
  }
}

TEST_F(SqliteTest, DamageInsideIsCorrupt) {
  {
    Connection c = open();
    ASSERT_TRUE(c.script("CREATE TABLE t(a); CREATE INDEX i ON t(a);"));
    for (int i = 0; i < 500; ++i)
      ASSERT_TRUE(c.run("INSERT INTO t VALUES (?)", std::string(100, 'a' + i % 26)));
  }
  {
    std::fstream file(file_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(4096);
    file << std::string(16 * 4096, '\x7f');
  }
  Connection c = open();
  const auto read = c.integer("SELECT sum(length(a)) FROM t");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::kCorrupt);
  const auto problems = integrity_problems(c, 10);
  EXPECT_TRUE(!problems || !problems->empty());
}

TEST_F(SqliteTest, AMissingFileIsNotFoundByAReaderAndNotCreated) {
  const auto opened = Connection::open(file_, {.read_only = true});
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(fs::exists(file_));
  const auto nowhere = Connection::open(folder_ / "no" / "such" / "x.db");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, ErrorCode::kUnavailable);
}

TEST_F(SqliteTest, NamesWithUriCharactersAreNames) {
  file_ = folder_ / "a?mode=memory#100%.db";
  ASSERT_TRUE(open().script("CREATE TABLE t(a)"));
  EXPECT_TRUE(fs::exists(file_));
}

// Runs `body` in a process without rights (nobody) and gives its exit code; 0 is success.
int as_nobody(const std::function<bool()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(2);
    ::_exit(body() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class SqliteWithoutRights : public SqliteTest {
 protected:
  void SetUp() override {
    SqliteTest::SetUp();
    Connection c = open();
    ASSERT_TRUE(c.script("CREATE TABLE t(a); INSERT INTO t VALUES (1)"));
  }
  void TearDown() override {
    fs::permissions(folder_, fs::perms::all);
    SqliteTest::TearDown();
  }
  // Somebody may give the files to others: then nothing must be written to read them.
  void lock_folder() {
    for (const char* part : {"", "-wal", "-shm"})
      if (fs::exists(file_.string() + part))
        fs::permissions(file_.string() + part, fs::perms::group_read | fs::perms::others_read,
                        fs::perm_options::add);
    fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec | fs::perms::group_read |
                                 fs::perms::group_exec | fs::perms::others_read |
                                 fs::perms::others_exec);
  }
  bool nobody_reads(int64_t expected) {
    return as_nobody([&] {
             auto c = Connection::open(file_, {.read_only = true});
             if (!c) return false;
             const auto count = c->integer("SELECT count(*) FROM t");
             return count && *count == expected;
           }) == 0;
  }
};

TEST_F(SqliteWithoutRights, AReaderNeedsNoRightToWrite) {
  lock_folder();
  EXPECT_TRUE(nobody_reads(1));
}

TEST_F(SqliteWithoutRights, AReaderFollowsAWriterThatIsAtWork) {
  Connection writer = open();
  ASSERT_TRUE(writer.run("INSERT INTO t VALUES (2)"));
  lock_folder();
  EXPECT_TRUE(nobody_reads(2)) << "what is committed to the log only";
  auto transaction = Transaction::begin(writer);
  ASSERT_TRUE(writer.run("INSERT INTO t VALUES (3)"));
  EXPECT_TRUE(nobody_reads(2));
}

TEST_F(SqliteWithoutRights, ACopyWithoutItsLogCanBeRead) {
  fs::remove(file_.string() + "-wal");
  fs::remove(file_.string() + "-shm");
  lock_folder();
  EXPECT_TRUE(nobody_reads(1));
}

TEST_F(SqliteTest, ANewDatabaseIsItsOwnersAlone) {
  const auto umask_before = ::umask(0);
  {
    Connection c = open();
    ASSERT_TRUE(c.script("CREATE TABLE t(a); INSERT INTO t VALUES (1)"));
  }
  ::umask(umask_before);
  constexpr auto kOwner = fs::perms::owner_read | fs::perms::owner_write;
  for (const char* part : {"", "-wal", "-shm"})
    EXPECT_EQ(fs::status(file_.string() + part).permissions(), kOwner) << part;
}

TEST_F(SqliteTest, AFolderOfSomebodyElseIsNotToldAsMissing) {
  {
    Connection c = open();
  }
  fs::permissions(folder_, fs::perms::owner_all);
  const int code = as_nobody([&] {
    const auto c = Connection::open(file_, {.read_only = true});
    return !c && c.error().code == ErrorCode::kPermission &&
           c.error().message.contains("who owns the folder");
  });
  EXPECT_EQ(code, 0);
}

}  // namespace
}  // namespace precedent::db
