// sql.h over SQLite and over PostgreSQL: the same statements, the same answers.
#include "db/sql.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>

#include "db/postgres_lab.h"
#include "db/sqlite_sql.h"

namespace precedent::db {
namespace {

using ::testing::HasSubstr;

// One database for the length of a test.
struct SqlHarness {
  virtual ~SqlHarness() = default;
  virtual SqlDatabase& database() = 0;
};

struct SqliteHarness final : SqlHarness {
  ~SqliteHarness() override { std::filesystem::remove_all(folder); }
  SqlDatabase& database() override { return sqlite; }
  static std::filesystem::path make() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "precedent-sql-XXXXXX").string();
    return ::mkdtemp(pattern.data());
  }
  std::filesystem::path folder = make();
  SqliteDatabase sqlite{folder / "t.db"};
};

struct PostgresHarness final : SqlHarness {
  PostgresHarness() { EXPECT_EQ(lab.problem(), ""); }
  SqlDatabase& database() override { return *postgres; }
  PostgresLab lab;
  std::unique_ptr<SqlDatabase> postgres = lab.database();
};

using Maker = std::unique_ptr<SqlHarness> (*)();

constexpr std::array<SqlMigration, 1> kFirst = {
    {{"CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b BLOB)",
      "CREATE TABLE t(id BIGINT PRIMARY KEY, a TEXT, b BYTEA)"}}};
constexpr std::array<SqlMigration, 2> kSecond = {
    {kFirst[0],
     {"CREATE TABLE u(id INTEGER PRIMARY KEY)", "CREATE TABLE u(id BIGINT PRIMARY KEY)"}}};

struct SqlTest : ::testing::TestWithParam<Maker> {
  std::unique_ptr<SqlHarness> harness = GetParam()();
  std::unique_ptr<SqlConnection> connect() {
    auto connection = harness->database().connect();
    EXPECT_TRUE(connection) << connection.error().text();
    return std::move(*connection);
  }
  std::unique_ptr<SqlConnection> sql = connect();

  void SetUp() override {
    const auto migrated = sql->migrate({"things", 7, kFirst});
    ASSERT_TRUE(migrated) << migrated.error().text();
  }
  bool locks(std::string_view name) {
    const auto lock = harness->database().try_lock(name);
    EXPECT_TRUE(lock) << lock.error().text();
    return lock && *lock != nullptr;
  }
  int64_t count(SqlConnection& connection) {
    int64_t rows = -1;
    const auto read =
        connection.run("SELECT count(*) FROM t", {}, [&](const SqlRow& row) -> Result<void> {
          rows = row.integer(0);
          return {};
        });
    EXPECT_TRUE(read) << read.error().text();
    return rows;
  }
};

INSTANTIATE_TEST_SUITE_P(Databases, SqlTest,
                         ::testing::Values(Maker([]() -> std::unique_ptr<SqlHarness> {
                                             return std::make_unique<SqliteHarness>();
                                           }),
                                           Maker([]() -> std::unique_ptr<SqlHarness> {
                                             return std::make_unique<PostgresHarness>();
                                           })),
                         [](const auto& database) {
                           return database.index == 0 ? "Sqlite" : "Postgres";
                         });

TEST_P(SqlTest, ValuesComeBackAsTheyWere) {
  const std::string bytes("\0\xff'\\x", 5);
  ASSERT_TRUE(sql->run("INSERT INTO t(id, a, b) VALUES ($1, $2, $3)",
                       {INT64_MIN, "täxt '\\x", Blob{bytes}}));
  ASSERT_TRUE(
      sql->run("INSERT INTO t(id, a, b) VALUES ($1, $2, $3)", {INT64_MAX, nullptr, Blob{""}}));
  int rows = 0;
  ASSERT_TRUE(
      sql->run("SELECT id, a, b FROM t ORDER BY id", {}, [&](const SqlRow& row) -> Result<void> {
        EXPECT_EQ(row.integer(0), rows == 0 ? INT64_MIN : INT64_MAX);
        EXPECT_EQ(row.is_null(1), rows == 1);
        EXPECT_EQ(row.text(1), rows == 0 ? "täxt '\\x" : "");
        EXPECT_FALSE(row.is_null(2));
        EXPECT_EQ(row.blob(2), rows == 0 ? bytes : "");
        ++rows;
        return {};
      }));
  EXPECT_EQ(rows, 2);
}

TEST_P(SqlTest, SaysHowManyRowsAStatementChanged) {
  ASSERT_TRUE(sql->run("INSERT INTO t(id) VALUES (1), (2), (3)"));
  EXPECT_EQ(sql->run("UPDATE t SET a = $1 WHERE id >= $2", {"x", int64_t{2}}).value(), 2);
  EXPECT_EQ(sql->run("DELETE FROM t WHERE id = $1", {int64_t{9}}).value(), 0);
  EXPECT_EQ(
      sql->run("INSERT INTO t(id) VALUES (1) ON CONFLICT(id) DO NOTHING RETURNING id").value(), 0);
}

TEST(SqlRows, ValuesAreNumberedRowByRowBehindTheStatementsOwn) {
  EXPECT_EQ(text_of({"INSERT INTO t(a, b) VALUES ", "(?, ?)", ", ", " RETURNING a"}, 2, 0),
            "INSERT INTO t(a, b) VALUES ($1, $2), ($3, $4) RETURNING a");
  EXPECT_EQ(text_of({"DELETE FROM t WHERE a = $1 AND b IN (", "?", ", ", ")"}, 3, 1),
            "DELETE FROM t WHERE a = $1 AND b IN ($2, $3, $4)");
}

// Every number of rows around those that go at once, and rows too large to go together.
TEST_P(SqlTest, AStatementRunsOverRowsHoweverMany) {
  constexpr SqlRows kInsert = {"INSERT INTO t(id, a, b) VALUES ", "(?, ?, ?)", ", ",
                               " ON CONFLICT(id) DO UPDATE SET a = excluded.a"};
  constexpr SqlRows kFind = {"SELECT id, a, b FROM t WHERE id < $1 AND id IN (", "?", ", ", ")"};
  constexpr SqlRows kBetween = {"DELETE FROM t WHERE ", "(id >= ? AND id < ?)", " OR ", "", 4};
  const std::string large(700'000, 'x');
  for (const size_t size :
       std::initializer_list<size_t>{0, 1, 2, 3, 4, 5, 33, 255, 256, 257, 600}) {
    ASSERT_TRUE(sql->run("DELETE FROM t"));
    std::vector<SqlValue> rows, ids;
    for (size_t i = 0; i < size; ++i) {
      const bool odd = i % 2 == 1;
      rows.push_back(number(i));
      rows.push_back(odd ? SqlValue(nullptr)
                         : SqlValue(i % 100 == 50 ? std::string_view(large) : "a"));
      rows.push_back(Blob{"\xff"});
      ids.push_back(number(i));
    }
    const auto inserted = sql->run_rows(kInsert, rows);
    ASSERT_TRUE(inserted) << inserted.error().text();
    EXPECT_EQ(*inserted, static_cast<int64_t>(size));
    EXPECT_EQ(count(*sql), static_cast<int64_t>(size));
    EXPECT_EQ(sql->run_rows(kInsert, rows).value(), static_cast<int64_t>(size)) << "again";
    const SqlValue own[] = {int64_t{400}};
    std::vector<int64_t> found;
    ASSERT_TRUE(sql->run_rows(kFind, own, ids, [&](const SqlRow& row) -> Result<void> {
      found.push_back(row.integer(0));
      EXPECT_EQ(row.is_null(1), row.integer(0) % 2 == 1);
      EXPECT_EQ(row.blob(2), "\xff");
      return {};
    }));
    EXPECT_EQ(found.size(), std::min<size_t>(size, 400));
    const std::vector<SqlValue> blocks = {int64_t{0},  int64_t{2},  int64_t{2},   int64_t{3},
                                          int64_t{90}, int64_t{95}, int64_t{500}, int64_t{501},
                                          int64_t{7},  int64_t{7}};
    ASSERT_TRUE(sql->run_rows(kBetween, blocks));
    const auto left =
        sql->integer("SELECT count(*) FROM t WHERE id < 3 OR (id >= 90 AND id < 95) OR id = 500");
    EXPECT_EQ(**left, 0);
    if (size > 7) EXPECT_EQ(**sql->integer("SELECT count(*) FROM t WHERE id = 7"), 1);
  }
}

TEST_P(SqlTest, WhatFailsOrHasHadEnoughOfManyRowsSaysSo) {
  constexpr SqlRows kInsert = {"INSERT INTO t(id) VALUES ", "(?)"};
  constexpr SqlRows kFind = {"SELECT id FROM t WHERE id IN (", "?", ", ", ")"};
  std::vector<SqlValue> ids;
  for (int64_t i = 0; i < 300; ++i) ids.push_back(i);
  ASSERT_TRUE(sql->run_rows(kInsert, ids));
  {
    auto transaction = *SqlTransaction::begin(*sql);
    EXPECT_FALSE(sql->run_rows(kInsert, std::vector<SqlValue>{int64_t{300}, int64_t{3}}));
  }
  EXPECT_EQ(count(*sql), 300);
  size_t seen = 0;
  const auto ended = sql->run_rows(kFind, {}, ids, [&](const SqlRow&) -> Result<void> {
    if (++seen == 10) return fail(ErrorCode::kCancelled, "enough");
    return {};
  });
  EXPECT_EQ(ended.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(seen, 10u);
}

TEST_P(SqlTest, ALockIsOfOneAtATimeAndGoesWithItsProcess) {
  {
    const auto lock = harness->database().try_lock("a");
    ASSERT_TRUE(lock) << lock.error().text();
    ASSERT_NE(*lock, nullptr);
    EXPECT_FALSE(locks("a"));
    EXPECT_TRUE(locks("b"));
  }
  EXPECT_TRUE(locks("a"));
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto lock = harness->database().try_lock("a");
    const char held = lock && *lock != nullptr ? '1' : '0';
    static_cast<void>(::write(ready[1], &held, 1) == 1);
    for (;;) ::pause();
  }
  char held = '?';
  EXPECT_EQ(::read(ready[0], &held, 1), 1);
  EXPECT_EQ(held, '1');
  EXPECT_FALSE(locks("a"));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(locks("a"));
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_P(SqlTest, ATransactionIsAllOrNothing) {
  {
    auto transaction = SqlTransaction::begin(*sql);
    ASSERT_TRUE(transaction);
    ASSERT_TRUE(sql->be_alone());
    ASSERT_TRUE(sql->run("INSERT INTO t(id) VALUES (1)"));
  }
  EXPECT_EQ(count(*sql), 0);
  auto transaction = SqlTransaction::begin(*sql);
  ASSERT_TRUE(sql->run("INSERT INTO t(id) VALUES (1)"));
  ASSERT_TRUE(transaction->commit());
  EXPECT_EQ(count(*connect()), 1);
}

TEST_P(SqlTest, AfterAFailedStatementTheConnectionCanBeUsed) {
  {
    auto transaction = SqlTransaction::begin(*sql);
    EXPECT_FALSE(sql->run("SELECT nonsense FROM t"));
  }
  EXPECT_EQ(count(*sql), 0);
  const auto stopped = sql->run("SELECT 1", {}, [](const SqlRow&) -> Result<void> {
    return fail(ErrorCode::kCorrupt, "mine");
  });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().message, "mine");
  EXPECT_EQ(count(*sql), 0);
}

TEST_P(SqlTest, TablesAreBroughtToTheNewestFormatAndTheFutureIsRefused) {
  ASSERT_TRUE(sql->run("INSERT INTO t(id) VALUES (1)"));
  ASSERT_TRUE(sql->migrate({"things", 7, kFirst}));
  ASSERT_TRUE(connect()->migrate({"things", 7, kSecond}));
  EXPECT_TRUE(sql->run("INSERT INTO u(id) VALUES (1)"));
  EXPECT_EQ(count(*sql), 1);
  const auto old = sql->migrate({"things", 7, kFirst});
  ASSERT_FALSE(old);
  EXPECT_EQ(old.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(old.error().message, HasSubstr("format 2, written by a newer precedent"));
}

TEST_P(SqlTest, ReadersSeeOneStateAndWaitForNobody) {
  ASSERT_TRUE(sql->run("INSERT INTO t(id) VALUES (1)"));
  const auto reader = connect();
  {
    auto reading = SqlTransaction::begin_reading(*reader);
    ASSERT_TRUE(reading);
    EXPECT_EQ(count(*reader), 1);
    ASSERT_TRUE(sql->run("INSERT INTO t(id) VALUES (2)"));
    EXPECT_EQ(count(*reader), 1) << "as when it began";
    auto writing = SqlTransaction::begin(*sql);
    ASSERT_TRUE(sql->take_turns("x"));
    ASSERT_TRUE(sql->run("DELETE FROM t"));
    EXPECT_EQ(count(*reader), 1);
  }
  EXPECT_EQ(count(*reader), 2);
}

TEST_P(SqlTest, ALongAnswerComesWholeAndOtherStatementsMayRunMeanwhile) {
  ASSERT_TRUE(sql->begin());
  for (int i = 0; i < 3000; ++i) {
    const std::string text(i % 500 == 3 ? 400'000 : 5, 'x');
    ASSERT_TRUE(sql->run("INSERT INTO t(id, a) VALUES ($1, $2)", {i, text}));
  }
  ASSERT_TRUE(sql->commit());
  auto reading = SqlTransaction::begin_reading(*sql);
  for (int round = 0; round < 2; ++round) {
    int64_t next = 10;
    const auto read = sql->stream("SELECT id, a FROM t WHERE id >= $1 ORDER BY id", {next},
                                  [&](const SqlRow& row) -> Result<void> {
                                    EXPECT_EQ(row.integer(0), next);
                                    EXPECT_EQ(row.text(1).size(), next % 500 == 3 ? 400'000u : 5u);
                                    ++next;
                                    EXPECT_TRUE(next % 1000 != 0 || count(*sql) == 3000);
                                    return {};
                                  });
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_EQ(next, 3000);
    const auto stopped = sql->stream("SELECT id FROM t", {}, [](const SqlRow&) -> Result<void> {
      return fail(ErrorCode::kCancelled, "enough");
    });
    EXPECT_EQ(stopped.error().message, "enough");
  }
}

TEST_P(SqlTest, ReadersAreToldOfTablesThatAreNotThereYetOrOfAnotherFormat) {
  EXPECT_TRUE(sql->check_format({"things", 7, kFirst}));
  const auto old = sql->check_format({"things", 7, kSecond});
  EXPECT_EQ(old.error().code, ErrorCode::kConflict) << old.error().text();
  ASSERT_TRUE(connect()->migrate({"things", 7, kSecond}));
  EXPECT_EQ(sql->check_format({"things", 7, kFirst}).error().code, ErrorCode::kInvalidArgument);
}

TEST(Postgres, ANameIsHeldByOneConnectionUntilItsEnd) {
  const PostgresLab lab;
  ASSERT_EQ(lab.problem(), "");
  auto first = lab.database()->connect(), second = lab.database()->connect();
  ASSERT_TRUE(first && second);
  EXPECT_EQ((*first)->check_format({"things", 7, kFirst}).error().code, ErrorCode::kNotFound);
  EXPECT_TRUE(*(*first)->hold("writer"));
  EXPECT_FALSE(*(*second)->hold("writer"));
  EXPECT_TRUE(*(*second)->hold("another"));
  first->reset();
  EXPECT_TRUE(*(*second)->hold("writer"));
}

TEST(Postgres, AServerThatIsNotThereIsAnErrorThatNamesIt) {
  const auto connection = PostgresDatabase("host=/nonexistent dbname=x").connect();
  ASSERT_FALSE(connection);
  EXPECT_EQ(connection.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(connection.error().message, HasSubstr("/nonexistent"));
}

// Takes connections and says nothing.
class SilentServer {
 public:
  SilentServer() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    listens_ = ::bind(socket_, generic, size) == 0 && ::listen(socket_, 8) == 0 &&
               ::getsockname(socket_, generic, &size) == 0;
    port_ = ntohs(address.sin_port);
  }
  SilentServer(const SilentServer&) = delete;
  SilentServer& operator=(const SilentServer&) = delete;
  ~SilentServer() { ::close(socket_); }
  bool listens() const { return listens_; }
  int port() const { return port_; }

 private:
  int socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
  bool listens_ = false;
  int port_ = 0;
};

TEST(Postgres, AServerThatSaysNothingIsNotWaitedForForEver) {
  const SilentServer server;
  ASSERT_TRUE(server.listens());
  const std::string place = "127.0.0.1:" + std::to_string(server.port());
  for (const std::string& url :
       {"postgresql://x@" + place + "/x?sslmode=disable",
        "host=127.0.0.1 dbname=x sslmode=disable port=" + std::to_string(server.port())}) {
    const auto connection = PostgresDatabase(url).connect();
    ASSERT_FALSE(connection) << url;
    EXPECT_EQ(connection.error().code, ErrorCode::kUnavailable) << url;
    EXPECT_THAT(connection.error().message, HasSubstr("timeout")) << url;
  }
}

// A session of the server that is stopped, and goes on in the end.
class Stopped {
 public:
  explicit Stopped(pid_t session) : session_(session) { ::kill(session_, SIGSTOP); }
  ~Stopped() { ::kill(session_, SIGCONT); }
  Stopped(const Stopped&) = delete;
  Stopped& operator=(const Stopped&) = delete;

 private:
  const pid_t session_;
};

TEST(Postgres, AServerThatStopsInTheMiddleIsGivenUp) {
  const PostgresLab lab;
  ASSERT_EQ(lab.problem(), "");
  PostgresDatabase database(lab.url(), std::chrono::milliseconds(200));
  auto connection = database.connect();
  ASSERT_TRUE(connection) << connection.error().text();
  pid_t session = 0;
  ASSERT_TRUE(
      (*connection)->run("SELECT pg_backend_pid()", {}, [&](const SqlRow& row) -> Result<void> {
        session = static_cast<pid_t>(row.integer(0));
        return {};
      }));
  {
    const Stopped stopped(session);
    const auto run = (*connection)->run("SELECT 1");
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().code, ErrorCode::kUnavailable);
    EXPECT_THAT(run.error().message, HasSubstr("no answer within 0.2 s"));
    EXPECT_FALSE((*connection)->run("SELECT 1")) << "it stays given up";
  }
  auto next = database.connect();
  ASSERT_TRUE(next);
  EXPECT_TRUE((*next)->run("SELECT 1"));
  // What takes its time on purpose is not given up.
  auto transaction = SqlTransaction::begin(**next);
  ASSERT_TRUE(transaction);
  ASSERT_TRUE((*next)->be_alone());
  EXPECT_TRUE((*next)->run("SELECT pg_sleep(0.5)"));
  EXPECT_TRUE(transaction->commit());
  const auto slow = (*next)->run("SELECT pg_sleep(5)");
  ASSERT_FALSE(slow);
  EXPECT_THAT(slow.error().message, HasSubstr("no answer within 0.2 s"));
}

TEST(Postgres, ALostSessionIsNeverReplacedBehindOurBack) {
  const PostgresLab lab;
  ASSERT_EQ(lab.problem(), "");
  auto connection = lab.database()->connect();
  ASSERT_TRUE(connection);
  {
    auto reading = SqlTransaction::begin_reading(**connection);
    ASSERT_TRUE(reading);
    ASSERT_TRUE(lab.end_sessions());
  }  // Nobody is told that this failed.
  for (int i = 0; i < 2; ++i) {
    const auto run = (*connection)->run("SELECT 1");
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().code, ErrorCode::kUnavailable);
  }
}

TEST(Postgres, ASessionThatWasEndedIsUnavailableAndANewOneWorks) {
  PostgresLab lab;
  ASSERT_EQ(lab.problem(), "");
  auto connection = lab.database()->connect();
  ASSERT_TRUE(connection);
  ASSERT_TRUE(lab.end_sessions());
  const auto run = (*connection)->run("SELECT 1");
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::kUnavailable) << run.error().text();
  EXPECT_TRUE((*lab.database()->connect())->run("SELECT 1"));
}

TEST(PostgresSession, CompilesNoStatementsAndCompressesFastWhereTheServerCan) {
  const PostgresLab lab;
  ASSERT_EQ(lab.problem(), "");
  const auto sql = *lab.database()->connect();
  EXPECT_EQ(sql->integer("SELECT 1 WHERE current_setting('jit') = 'off'").value(), 1);
  EXPECT_EQ(sql->integer("SELECT count(*) FROM pg_settings WHERE name = "
                         "'default_toast_compression' AND 'lz4' = ANY(enumvals) AND setting <> "
                         "'lz4'")
                .value(),
            0);
}

}  // namespace
}  // namespace precedent::db
