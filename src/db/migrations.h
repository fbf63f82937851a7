// Migrations: how a database file gets the tables that this program expects.
//
// The number of migrations applied is the file's format (`PRAGMA user_version`); `PRAGMA
// application_id` says whose file it is. Each migration runs in a transaction of its own: a crash
// leaves the format before it or after it. Format: append only; a migration that was ever released
// is never edited.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/error.h"
#include "db/sqlite.h"

namespace precedent::db {

struct Schema {
  int32_t application_id = 0;
  std::span<const std::string_view> migrations;  // SQL scripts, oldest first
};

// Brings the file to the newest format; an empty file becomes one of this schema.
// Errors: kInvalidArgument if it is another program's, or was written by a newer precedent.
Result<void> migrate(Connection& connection, const Schema& schema);

// For readers, who may not change it. Errors: as above, and kConflict if it has an older format.
Result<void> check_format(Connection& connection, const Schema& schema);

}  // namespace precedent::db
