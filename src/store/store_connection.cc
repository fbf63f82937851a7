#include "store/store_connection.h"

#include <fmt/format.h>

#include "store/schema.h"

namespace precedent {

namespace {

// Beside the first of each store of this process: a server that serves a hundred scopes must not
// use up the connections of its database.
db::ConnectionAllowance& beyond_first() {
  static db::ConnectionAllowance allowance(8);
  return allowance;
}

}  // namespace

StoreConnection::StoreConnection(std::unique_ptr<db::SqlConnection> connection, Connect again,
                                 size_t most)
    : replaced_(again != nullptr),
      again_(std::move(again)),
      connections_([this] { return connect(); }, most, &beyond_first()) {
  connections_.add(std::move(connection));
}

Result<std::unique_ptr<db::SqlConnection>> StoreConnection::connect() {
  Connect again;
  {
    const MutexLock lock(mutex_);
    again = again_;
  }
  return again();
}

// Writers take turns from the first statement on, so that a conflict shows before any work is done.
// A newer precedent may have changed the tables since this one opened them.
Result<db::SqlTransaction> StoreConnection::begin_writing(db::SqlConnection& connection) {
  Transaction transaction = TRY(Transaction::begin(connection));
  TRY(connection.take_turns("precedent store"));
  TRY(connection.check_format(store_schema()));
  return transaction;
}

Result<void> StoreConnection::hold(std::string_view name) {
  return on_one([&](Loan& loan) -> Result<void> {
    const bool held = TRY(first(loan, [name](db::SqlConnection& sql) { return sql.hold(name); }));
    const std::string& place = (*loan).place();
    if (!held)
      return fail(ErrorCode::kConflict,
                  fmt::format("another process is writing to {}; wait for it to end and run this "
                              "again",
                              place));
    if (!replaced_) return {};
    const MutexLock lock(mutex_);
    again_ = [place]() -> Result<std::unique_ptr<db::SqlConnection>> {
      return fail(ErrorCode::kUnavailable,
                  fmt::format("the connection to {} was lost, and with it the right to write; run "
                              "this again, what was committed is kept",
                              place));
    };
    return {};
  });
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
