// Over 400 lines: one implementation of Checkpointer: its statements stand beside what they write.
#include "graph/sql_checkpointer.h"

#include <algorithm>

#include "db/sqlite_sql.h"
#include "graph/checkpoint_coder.h"
#include "graph/checkpoint_errors.h"
#include "graph/thread_schema.h"

namespace precedent {
namespace {

namespace errors = checkpoint_errors;
using db::Blob;
using db::SqlConnection;
using db::SqlRow;

// From $1 up to the root, or to below $2 (0: none), at most $3 rows. A parent has the smaller id,
// unless it is a base that was put there later and has no parent itself: so that a damaged row
// cannot make this walk in circles. In any order, since sorting would copy every body.
constexpr std::string_view kPath = R"sql(
WITH RECURSIVE up(id, parent, thread, body, depth) AS (
  SELECT id, parent, thread, body, CAST(1 AS BIGINT) FROM checkpoints WHERE id = $1
  UNION ALL
  SELECT c.id, c.parent, c.thread, c.body, up.depth + 1 FROM checkpoints c JOIN up ON c.id = up.parent
  WHERE c.id <> $2 AND up.depth < $3 AND (c.id < up.id OR c.parent IS NULL)
)
SELECT up.id, up.parent, t.name, up.body, up.depth FROM up LEFT JOIN threads t ON t.id = up.thread
)sql";

constexpr std::string_view kIdsOnPath = R"sql(
WITH RECURSIVE up(id, parent) AS (
  SELECT id, parent FROM checkpoints WHERE id = (SELECT head FROM threads WHERE name = $1)
  UNION ALL
  SELECT c.id, c.parent FROM checkpoints c JOIN up ON c.id = up.parent
  WHERE c.id < up.id OR c.parent IS NULL
)
SELECT parent FROM up WHERE id = $2 LIMIT 1
)sql";

// What only one thread reaches, from $1 up.
constexpr std::string_view kOwn = R"sql(
WITH RECURSIVE own(id, parent, depth) AS (
  SELECT id, parent, CAST(1 AS BIGINT) FROM checkpoints WHERE id = $1 AND refs = 1
  UNION ALL
  SELECT c.id, c.parent, own.depth + 1 FROM checkpoints c JOIN own ON c.id = own.parent
  WHERE c.refs = 1 AND (c.id < own.id OR c.parent IS NULL)
)
SELECT id, parent FROM own ORDER BY depth
)sql";

constexpr int64_t kNoLimit = INT64_MAX;

struct ThreadRow {
  int64_t id;
  CheckpointId head;
};

Result<std::optional<ThreadRow>> find_thread(SqlConnection& sql, std::string_view name) {
  std::optional<ThreadRow> found;
  TRY(sql.run("SELECT id, head FROM threads WHERE name = $1", {name},
              [&](const SqlRow& row) -> Result<void> {
                found = {row.integer(0), row.integer(1)};
                return {};
              }));
  return found;
}

Result<ThreadRow> need_thread(SqlConnection& sql, std::string_view name) {
  const auto found = TRY(find_thread(sql, name));
  if (!found) return errors::no_thread(name);
  return *found;
}

Result<std::optional<int64_t>> one_integer(SqlConnection& sql, std::string_view statement,
                                           std::initializer_list<db::SqlValue> values) {
  std::optional<int64_t> found;
  TRY(sql.run(statement, values, [&](const SqlRow& row) -> Result<void> {
    found = row.integer(0);
    return {};
  }));
  return found;
}

// The newest checkpoint of the path to `last` that can be read with everything before it. Nothing
// if none can, or the path does not reach its root.
Result<std::optional<CheckpointId>> last_readable(SqlConnection& sql, CheckpointId last) {
  struct Row {
    CheckpointId id;
    bool root, readable;
  };
  std::vector<Row> path;
  TRY(sql.run(kPath, {last, int64_t{0}, kNoLimit}, [&](const SqlRow& row) -> Result<void> {
    const auto place = static_cast<size_t>(row.integer(4) - 1);
    if (place >= path.size()) path.resize(place + 1);
    path[place] = {row.integer(0), row.is_null(1), decode_step(row.blob(3)).has_value()};
    return {};
  }));
  std::optional<CheckpointId> found;
  if (path.empty() || !path.back().root) return found;
  for (auto row = path.rbegin(); row != path.rend() && row->readable; ++row) found = row->id;
  return found;
}

Checkpoint checkpoint_of(const SqlRow& row, Step step) {
  Checkpoint checkpoint;
  checkpoint.id = row.integer(0);
  if (!row.is_null(1)) checkpoint.parent = row.integer(1);
  if (!row.is_null(2)) checkpoint.thread = row.text(2);
  checkpoint.step = std::move(step);
  return checkpoint;
}

// The rows of kPath, newest first, checked to be one path.
Result<std::vector<Checkpoint>> read_path(SqlConnection& sql, std::string_view thread,
                                          CheckpointId last, CheckpointId after, int64_t limit) {
  std::vector<Checkpoint> path;
  std::optional<std::pair<CheckpointId, Error>> bad;
  TRY(sql.run(kPath, {last, after, limit}, [&](const SqlRow& row) -> Result<void> {
    auto step = decode_step(row.blob(3));
    if (!step) {
      if (!bad) bad = {row.integer(0), std::move(step).error()};
      return {};
    }
    // Databases walk in the order of depth, though they need not: then the place is already free.
    const auto place = static_cast<size_t>(row.integer(4) - 1);
    if (place >= path.size()) path.resize(place + 1);
    path[place] = checkpoint_of(row, std::move(*step));
    return {};
  }));
  if (bad) return errors::bad_row(bad->second, thread, bad->first, TRY(last_readable(sql, last)));
  std::optional<CheckpointId> due = last;
  for (const Checkpoint& checkpoint : path) {
    if (checkpoint.id != due) return errors::missing(thread, due.value_or(0));
    due = checkpoint.parent;
  }
  const bool ended = !due || due == after || static_cast<int64_t>(path.size()) == limit;
  if (!ended) return errors::missing(thread, *due);
  return path;
}

struct OnPath {
  std::optional<CheckpointId> parent;
};
// Errors: kNotFound unless `id` is on the thread's path.
Result<OnPath> need_on_path(SqlConnection& sql, std::string_view thread, CheckpointId id) {
  TRY(need_thread(sql, thread));
  std::optional<OnPath> found;
  TRY(sql.run(kIdsOnPath, {thread, id}, [&](const SqlRow& row) -> Result<void> {
    found = OnPath{};
    if (!row.is_null(0)) found->parent = row.integer(0);
    return {};
  }));
  if (!found) return errors::not_on_path(thread, id);
  return *found;
}

Result<int64_t> insert_thread(SqlConnection& sql, std::string_view name, CheckpointId head,
                              TimePoint at) {
  const auto id = TRY(one_integer(sql,
                                  "INSERT INTO threads(name, head, created) VALUES ($1, $2, $3) "
                                  "ON CONFLICT(name) DO NOTHING RETURNING id",
                                  {name, head, int64_t{at.time_since_epoch().count()}}));
  return id.value_or(0);
}

Result<CheckpointId> insert_checkpoint(SqlConnection& sql, int64_t thread,
                                       std::optional<CheckpointId> parent, const Step& step) {
  const std::string body = encode_step(step);
  const auto id = TRY(one_integer(sql,
                                  "INSERT INTO checkpoints(parent, thread, refs, body) "
                                  "VALUES ($1, $2, 1, $3) RETURNING id",
                                  {db::optional_value(parent), thread, Blob{body}}));
  return id.value_or(0);
}

// Drops one reference to `id`, and what is then no longer reached. REQUIRES: be_alone().
Result<size_t> release(SqlConnection& sql, CheckpointId id) {
  std::vector<CheckpointId> own;
  std::optional<CheckpointId> shared = id;
  TRY(sql.run(kOwn, {id}, [&](const SqlRow& row) -> Result<void> {
    own.push_back(row.integer(0));
    shared = row.is_null(1) ? std::nullopt : std::optional(row.integer(1));
    return {};
  }));
  for (const CheckpointId gone : own) TRY(sql.run("DELETE FROM checkpoints WHERE id = $1", {gone}));
  if (shared) TRY(sql.run("UPDATE checkpoints SET refs = refs - 1 WHERE id = $1", {*shared}));
  return own.size();
}

Result<void> add_reference(SqlConnection& sql, CheckpointId id) {
  TRY(sql.run("UPDATE checkpoints SET refs = refs + 1 WHERE id = $1", {id}));
  return {};
}

// A call that failed for one of these reasons leaves the connection as good as it was.
bool keeps_connection(ErrorCode code) {
  return code == ErrorCode::kConflict || code == ErrorCode::kNotFound ||
         code == ErrorCode::kCorrupt || code == ErrorCode::kInvalidArgument;
}

}  // namespace

// --- Connections

template <typename Call>
auto SqlCheckpointer::with(Call call, const bool& committed)
    -> decltype(call(std::declval<SqlConnection&>())) {
  db::ConnectionPool::Loan lent = TRY(connections_.borrow());
  auto result = call(*lent);
  if (!result && result.error().code == ErrorCode::kUnavailable && lent.used_before() &&
      !committed) {
    if (auto fresh = lent.renew()) {
      result = call(*lent);
    } else {
      // Says better than the dead connection why.
      result = std::unexpected(std::move(fresh).error());
    }
  }
  if (!result && !keeps_connection(result.error().code)) lent.drop();
  return result;
}

template <typename Call>
auto SqlCheckpointer::atomically(Call call) -> decltype(call(std::declval<SqlConnection&>())) {
  using Answer = decltype(call(std::declval<SqlConnection&>()));
  bool committed = false;
  const auto whole = [&](SqlConnection& sql) -> Answer {
    auto transaction = TRY(db::SqlTransaction::begin(sql));
    auto result = call(sql);
    committed = result.has_value();
    if (result) TRY(transaction.commit());
    return result;
  };
  return with(whole, committed);
}

Result<std::unique_ptr<SqlCheckpointer>> SqlCheckpointer::open(
    std::unique_ptr<db::SqlDatabase> database) {
  std::unique_ptr<SqlCheckpointer> store(new SqlCheckpointer(std::move(database)));
  TRY(store->with([](SqlConnection& sql) { return sql.migrate(thread_schema()); }));
  return store;
}

Result<std::unique_ptr<SqlCheckpointer>> open_sqlite_checkpointer(
    const std::filesystem::path& file) {
  db::OpenOptions options;
  options.durable = db::OpenOptions::Durable::kSystem;
  // A step writes some 12 KB of pages: 4 MB of log are a few hundred steps between two syncs.
  options.log_pages = 1000;
  // Conversations are read once and then only appended to.
  options.cache_kb = 2 * 1024;
  return SqlCheckpointer::open(std::make_unique<db::SqliteDatabase>(file, options));
}

// --- A turn

Result<ThreadLease> SqlCheckpointer::lease(std::string_view thread) {
  std::unique_ptr<db::SqlLock> lock = TRY(database_->try_lock(thread));
  if (!lock) return errors::busy(thread);
  return lock;
}

Result<std::optional<Head>> SqlCheckpointer::head(std::string_view thread) {
  return with([&](SqlConnection& sql) -> Result<std::optional<Head>> {
    std::optional<Head> head;
    std::optional<Error> bad;
    TRY(sql.run(
        "SELECT t.head, p.task, p.body FROM threads t LEFT JOIN pending p ON p.thread = t.id "
        "WHERE t.name = $1 ORDER BY p.task",
        {thread}, [&](const SqlRow& row) -> Result<void> {
          if (!head) head = Head{row.integer(0), {}};
          if (row.is_null(1)) return {};
          auto pending = decode_pending(static_cast<int>(row.integer(1)), row.blob(2));
          if (pending) {
            head->pending.push_back(std::move(*pending));
          } else if (!bad) {
            bad = std::move(pending).error();
          }
          return {};
        }));
    if (bad) {
      return errors::bad_pending(*bad, thread, head->checkpoint,
                                 TRY(last_readable(sql, head->checkpoint)));
    }
    return head;
  });
}

Result<std::vector<Checkpoint>> SqlCheckpointer::path(std::string_view thread, CheckpointId last,
                                                      std::optional<CheckpointId> after) {
  return with([&](SqlConnection& sql) -> Result<std::vector<Checkpoint>> {
    auto path = TRY(read_path(sql, thread, last, after.value_or(0), kNoLimit));
    std::ranges::reverse(path);
    return path;
  });
}

Result<CheckpointId> SqlCheckpointer::put(std::string_view thread,
                                          std::optional<CheckpointId> parent,
                                          std::span<const Step> steps) {
  return atomically([&](SqlConnection& sql) -> Result<CheckpointId> {
    int64_t row = 0;
    if (parent) {
      const auto found = TRY(find_thread(sql, thread));
      if (!found || found->head != *parent) return errors::moved(thread, parent);
      row = found->id;
    } else {
      row = TRY(insert_thread(sql, thread, 0, steps.front().at));
      if (row == 0) return errors::moved(thread, parent);
    }
    std::optional<CheckpointId> last = parent;
    for (const Step& step : steps) last = TRY(insert_checkpoint(sql, row, last, step));
    // The comparison that counts: the head may have moved since it was read.
    const int64_t moved = TRY(sql.run("UPDATE threads SET head = $1 WHERE id = $2 AND head = $3",
                                      {*last, row, parent.value_or(0)}));
    if (moved == 0) return errors::moved(thread, parent);
    TRY(sql.run("DELETE FROM pending WHERE thread = $1", {row}));
    return *last;
  });
}

Result<void> SqlCheckpointer::put_pending(std::string_view thread, CheckpointId head,
                                          const Pending& pending) {
  return atomically([&](SqlConnection& sql) -> Result<void> {
    // An update that changes nothing, for its lock: no step can come between.
    const auto row = TRY(one_integer(sql,
                                     "UPDATE threads SET head = head WHERE name = $1 AND head = $2 "
                                     "RETURNING id",
                                     {thread, head}));
    if (!row) return errors::moved(thread, head);
    const std::string body = encode_pending(pending);
    TRY(
        sql.run("INSERT INTO pending(thread, task, body) VALUES ($1, $2, $3) "
                "ON CONFLICT(thread, task) DO UPDATE SET body = excluded.body",
                {*row, int64_t{pending.task}, Blob{body}}));
    return {};
  });
}

// --- Looking back

Result<Checkpoint> SqlCheckpointer::checkpoint(std::string_view thread, CheckpointId id) {
  return with([&](SqlConnection& sql) -> Result<Checkpoint> {
    TRY(need_on_path(sql, thread, id));
    auto path = TRY(read_path(sql, thread, id, 0, 1));
    return std::move(path.front());
  });
}

Result<std::vector<Checkpoint>> SqlCheckpointer::history(std::string_view thread,
                                                         std::optional<CheckpointId> before,
                                                         size_t limit) {
  return with([&](SqlConnection& sql) -> Result<std::vector<Checkpoint>> {
    std::optional<CheckpointId> from = TRY(need_thread(sql, thread)).head;
    if (before) from = TRY(need_on_path(sql, thread, *before)).parent;
    if (!from || limit == 0) return std::vector<Checkpoint>{};
    return read_path(sql, thread, *from, 0,
                     static_cast<int64_t>(std::min<size_t>(limit, kNoLimit)));
  });
}

Result<std::vector<ThreadInfo>> SqlCheckpointer::threads(size_t limit, size_t offset,
                                                         std::string_view prefix) {
  return with([&](SqlConnection& sql) -> Result<std::vector<ThreadInfo>> {
    std::vector<ThreadInfo> all;
    TRY(
        sql.run("SELECT t.name, t.head, t.created, c.body FROM threads t JOIN checkpoints c ON "
                "c.id = t.head WHERE substr(t.name, 1, length(CAST($1 AS TEXT))) = "
                "CAST($1 AS TEXT) ORDER BY t.head DESC, t.name LIMIT $2 OFFSET $3",
                {prefix, static_cast<int64_t>(std::min<size_t>(limit, kNoLimit)),
                 static_cast<int64_t>(std::min<size_t>(offset, kNoLimit))},
                [&](const SqlRow& row) -> Result<void> {
                  ThreadInfo info{std::string(row.text(0)),
                                  row.integer(1),
                                  TimePoint(std::chrono::seconds(row.integer(2))),
                                  {},
                                  0};
                  // One that is damaged is listed like any other: so that it can be deleted.
                  const auto step = decode_step(row.blob(3));
                  info.updated = step ? step->at : info.created;
                  info.step = step ? step->step : 0;
                  all.push_back(std::move(info));
                  return {};
                }));
    return all;
  });
}

// --- Names

Result<void> SqlCheckpointer::fork(std::string_view thread, CheckpointId checkpoint,
                                   std::string_view new_thread, TimePoint at) {
  return atomically([&](SqlConnection& sql) -> Result<void> {
    TRY(sql.be_alone());
    TRY(need_on_path(sql, thread, checkpoint));
    if (TRY(insert_thread(sql, new_thread, checkpoint, at)) == 0) return errors::taken(new_thread);
    return add_reference(sql, checkpoint);
  });
}

Result<void> SqlCheckpointer::copy(std::string_view thread, std::string_view new_thread,
                                   TimePoint at) {
  return atomically([&](SqlConnection& sql) -> Result<void> {
    TRY(sql.be_alone());
    // Locked, so that what is pending belongs to the head that is read.
    TRY(sql.run("UPDATE threads SET head = head WHERE name = $1", {thread}));
    const ThreadRow from = TRY(need_thread(sql, thread));
    const int64_t to = TRY(insert_thread(sql, new_thread, from.head, at));
    if (to == 0) return errors::taken(new_thread);
    TRY(
        sql.run("INSERT INTO pending(thread, task, body) SELECT CAST($1 AS BIGINT), task, body "
                "FROM pending "
                "WHERE thread = $2",
                {to, from.id}));
    return add_reference(sql, from.head);
  });
}

Result<void> SqlCheckpointer::rewind(std::string_view thread, CheckpointId checkpoint,
                                     std::string_view left, TimePoint at) {
  return atomically([&](SqlConnection& sql) -> Result<void> {
    TRY(sql.be_alone());
    // Locked, so that what is pending belongs to the head that is read.
    TRY(sql.run("UPDATE threads SET head = head WHERE name = $1", {thread}));
    const ThreadRow from = TRY(need_thread(sql, thread));
    TRY(need_on_path(sql, thread, checkpoint));
    const int64_t to = TRY(insert_thread(sql, left, from.head, at));
    if (to == 0) return errors::taken(left);
    TRY(sql.run("UPDATE pending SET thread = $1 WHERE thread = $2", {to, from.id}));
    TRY(sql.run("UPDATE threads SET head = $1 WHERE id = $2", {checkpoint, from.id}));
    return add_reference(sql, checkpoint);
  });
}

Result<void> SqlCheckpointer::remove(std::string_view thread) {
  return atomically([&](SqlConnection& sql) -> Result<void> {
    TRY(sql.be_alone());
    const auto head =
        TRY(one_integer(sql, "DELETE FROM threads WHERE name = $1 RETURNING head", {thread}));
    if (!head) return errors::no_thread(thread);
    // Rows of threads that are gone, this one's among them.
    TRY(sql.run("DELETE FROM pending WHERE thread NOT IN (SELECT id FROM threads)"));
    TRY(release(sql, *head));
    return {};
  });
}

Result<size_t> SqlCheckpointer::fold(std::string_view thread, CheckpointId first_kept,
                                     const Step& base) {
  return atomically([&](SqlConnection& sql) -> Result<size_t> {
    TRY(sql.be_alone());
    TRY(sql.run("UPDATE threads SET head = head WHERE name = $1", {thread}));
    const ThreadRow row = TRY(need_thread(sql, thread));
    const auto parent = TRY(need_on_path(sql, thread, first_kept)).parent;
    bool own = false;
    TRY(sql.run(kOwn, {row.head}, [&](const SqlRow& found) -> Result<void> {
      own = own || found.integer(0) == first_kept;
      return {};
    }));
    if (!own || !parent) return size_t{0};
    const CheckpointId id = TRY(insert_checkpoint(sql, row.id, std::nullopt, base));
    TRY(sql.run("UPDATE checkpoints SET parent = $1 WHERE id = $2", {id, first_kept}));
    return release(sql, *parent);
  });
}

}  // namespace precedent
