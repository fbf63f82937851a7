#include "db/migrations.h"

#include <fmt/format.h>

namespace precedent::db {
namespace {

struct Format {
  int64_t application_id;
  int64_t version;
};

Result<Format> format_of(Connection& connection) {
  const auto application_id = TRY(connection.integer("PRAGMA application_id"));
  const auto version = TRY(connection.integer("PRAGMA user_version"));
  return Format{application_id.value_or(0), version.value_or(0)};
}

Result<bool> has_tables(Connection& connection) {
  return TRY(connection.integer("SELECT count(*) FROM sqlite_schema")).value_or(0) > 0;
}

// Errors unless the file is empty or ours, and not from the future.
Result<Format> checked_format(Connection& connection, const Schema& schema) {
  const Format format = TRY(format_of(connection));
  const bool empty = format.version == 0 && !TRY(has_tables(connection));
  if (!empty && format.application_id != schema.application_id) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} is a database of another program; choose another data directory",
                            connection.path().string()));
  }
  const auto known = static_cast<int64_t>(schema.migrations.size());
  if (format.version > known) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format(
            "{} has format {}, written by a newer precedent; this one knows formats up to {}: "
            "upgrade it, or choose another data directory",
            connection.path().string(), format.version, known));
  }
  return format;
}

}  // namespace

Result<void> migrate(Connection& connection, const Schema& schema) {
  const auto known = static_cast<int64_t>(schema.migrations.size());
  if (TRY(checked_format(connection, schema)).version == known) return {};
  for (;;) {
    Transaction transaction = TRY(Transaction::begin(connection));
    // Read again under the lock: another process may have migrated it meanwhile.
    const int64_t version = TRY(checked_format(connection, schema)).version;
    if (version == known) return {};
    TRY(connection.script(schema.migrations[static_cast<size_t>(version)]));
    TRY(connection.script(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};",
                                      schema.application_id, version + 1)));
    TRY(transaction.commit());
  }
}

Result<void> check_format(Connection& connection, const Schema& schema) {
  const Format format = TRY(checked_format(connection, schema));
  if (format.version < static_cast<int64_t>(schema.migrations.size())) {
    return fail(ErrorCode::kConflict,
                fmt::format("{} has format {}, this precedent reads format {}; run `precedent "
                            "ingest` once, it brings "
                            "the file up to date",
                            connection.path().string(), format.version, schema.migrations.size()));
  }
  return {};
}

}  // namespace precedent::db
