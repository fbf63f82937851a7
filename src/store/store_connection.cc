#include "store/store_connection.h"

#include <fmt/format.h>

namespace precedent {

// Writers take turns from the first statement on, so that a conflict shows before any work is done.
Result<db::SqlTransaction> StoreConnection::begin_writing(db::SqlConnection& connection) {
  Transaction transaction = TRY(Transaction::begin(connection));
  TRY(connection.take_turns("precedent store"));
  return transaction;
}

Result<void> StoreConnection::hold(std::string_view name) {
  const MutexLock lock(mutex_);
  const bool held = TRY(first([name](db::SqlConnection& sql) { return sql.hold(name); }));
  if (!held)
    return fail(ErrorCode::kConflict,
                fmt::format("another process is writing to {}; wait for it to end and run this "
                            "again",
                            connection_->place()));
  if (again_ == nullptr) return {};
  again_ = [place = connection_->place()]() -> Result<std::unique_ptr<db::SqlConnection>> {
    return fail(ErrorCode::kUnavailable,
                fmt::format("the connection to {} was lost, and with it the right to write; run "
                            "this again, what was committed is kept",
                            place));
  };
  return {};
}

Result<void> read_while(db::SqlConnection& sql, std::string_view query,
                        std::initializer_list<db::SqlValue> values,
                        const std::function<Result<bool>(const db::SqlRow&)>& more) {
  bool enough = false;
  const auto read = sql.stream(query, values, [&](const db::SqlRow& row) -> Result<void> {
    enough = !TRY(more(row));
    if (enough) return fail(ErrorCode::kCancelled, "");
    return {};
  });
  return enough ? Result<void>() : read;
}

}  // namespace precedent
