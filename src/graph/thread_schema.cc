#include "graph/thread_schema.h"

#include <array>

namespace precedent {
namespace {

// "prth" in ASCII.
constexpr int32_t kApplicationId = 0x70727468;

// Format 1. AUTOINCREMENT: an id that was given out once names one checkpoint for ever, since
// other processes remember by it what they have read.
constexpr std::string_view kSqlite1 = R"sql(
CREATE TABLE threads(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  head INTEGER NOT NULL,
  created INTEGER NOT NULL
);
CREATE TABLE checkpoints(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  parent INTEGER,
  thread INTEGER NOT NULL,
  refs INTEGER NOT NULL,
  body BLOB NOT NULL
);
CREATE TABLE pending(
  thread INTEGER NOT NULL,
  task INTEGER NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY (thread, task)
) WITHOUT ROWID;
)sql";

constexpr std::string_view kPostgres1 = R"sql(
CREATE TABLE threads(
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  head BIGINT NOT NULL,
  created BIGINT NOT NULL
);
CREATE TABLE checkpoints(
  id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  parent BIGINT,
  thread BIGINT NOT NULL,
  refs BIGINT NOT NULL,
  body BYTEA NOT NULL
);
CREATE TABLE pending(
  thread BIGINT NOT NULL,
  task BIGINT NOT NULL,
  body BYTEA NOT NULL,
  PRIMARY KEY (thread, task)
);
)sql";

constexpr std::array<db::SqlMigration, 1> kMigrations = {{{kSqlite1, kPostgres1}}};
using db::TableColumn;
using enum db::TableColumn::Type;
constexpr TableColumn kThreads[] = {
    {"id", kInteger}, {"name", kText}, {"head", kInteger}, {"created", kInteger}};
constexpr TableColumn kCheckpoints[] = {{"id", kInteger},
                                        {"parent", kInteger},
                                        {"thread", kInteger},
                                        {"refs", kInteger},
                                        {"body", kBlob}};
constexpr TableColumn kPending[] = {{"thread", kInteger}, {"task", kInteger}, {"body", kBlob}};
constexpr db::CopiedTable kTables[] = {{"threads", kThreads, 1, true},
                                       {"checkpoints", kCheckpoints, 1, true},
                                       {"pending", kPending, 2}};

constexpr db::SqlSchema kSchema = {"threads", kApplicationId, kMigrations};

}  // namespace

const db::SqlSchema& thread_schema() { return kSchema; }

std::span<const db::CopiedTable> thread_tables() { return kTables; }

}  // namespace precedent
