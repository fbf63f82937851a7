// A `Checkpointer` in SQL tables: SQLite or PostgreSQL, with the same statements.
//
// Format: docs/format/checkpoints.md. A checkpoint is a row of integers and one blob; it counts its
// references (children, and threads that stand at it), so that removing a thread touches only what
// is its own. Thread safety: all members; as many calls run at once as the database has use for.
// Ownership: owns the database and its connections, which are made again after they broke.
#pragma once

#include <memory>
#include <vector>

#include "db/connection_pool.h"
#include "db/sql.h"
#include "graph/checkpointer.h"

namespace precedent {

class SqlCheckpointer final : public Checkpointer {
 public:
  // Connects and brings the tables to the newest format.
  static Result<std::unique_ptr<SqlCheckpointer>> open(std::unique_ptr<db::SqlDatabase> database);

  Result<ThreadLease> lease(std::string_view thread) override;
  Result<std::optional<Head>> head(std::string_view thread) override;
  Result<std::vector<Checkpoint>> path(std::string_view thread, CheckpointId last,
                                       std::optional<CheckpointId> after) override;
  Result<CheckpointId> put(std::string_view thread, std::optional<CheckpointId> parent,
                           std::span<const Step> steps) override;
  Result<void> put_pending(std::string_view thread, CheckpointId head,
                           const Pending& pending) override;
  Result<Checkpoint> checkpoint(std::string_view thread, CheckpointId id) override;
  Result<std::vector<Checkpoint>> history(std::string_view thread,
                                          std::optional<CheckpointId> before,
                                          size_t limit) override;
  Result<void> fork(std::string_view thread, CheckpointId checkpoint, std::string_view new_thread,
                    TimePoint at) override;
  Result<void> copy(std::string_view thread, std::string_view new_thread, TimePoint at) override;
  Result<void> rewind(std::string_view thread, CheckpointId checkpoint, std::string_view left,
                      TimePoint at) override;
  Result<void> remove(std::string_view thread) override;
  Result<size_t> fold(std::string_view thread, CheckpointId first_kept, const Step& base) override;
  Result<std::vector<ThreadInfo>> threads(size_t limit, size_t offset,
                                          std::string_view prefix) override;

 private:
  explicit SqlCheckpointer(std::unique_ptr<db::SqlDatabase> database)
      : database_(std::move(database)),
        connections_([this] { return database_->connect(); }, database_->max_connections()) {}

  // A connection for one call; given back afterwards, or dropped if the call failed. A call that
  // finds it dead is made once more, on a new one, unless `committed` says that it may have done
  // its work.
  template <typename Call>
  auto with(Call call, const bool& committed = kNothingToCommit)
      -> decltype(call(std::declval<db::SqlConnection&>()));
  // The same inside a transaction that is committed if the call succeeds.
  template <typename Call>
  auto atomically(Call call) -> decltype(call(std::declval<db::SqlConnection&>()));

  static constexpr bool kNothingToCommit = false;
  const std::unique_ptr<db::SqlDatabase> database_;
  db::ConnectionPool connections_;
};

// The file in which a data directory keeps its threads. A file of its own, since an ingest may
// hold the write lock of the knowledge's for long. Survives kill -9; a power cut may cost the last
// steps.
Result<std::unique_ptr<SqlCheckpointer>> open_sqlite_checkpointer(
    const std::filesystem::path& file);

}  // namespace precedent
