// StoreConnection: the connection of a KnowledgeStore, and the transactions that its members run
// in.
//
// One that is lost between two transactions (a server that was started again) is replaced, and
// nobody notices; in the middle of one the call fails with kUnavailable, and the next one works.
// Private to store/. Thread safety: read() and write() take turns.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "db/sql.h"

namespace precedent {

class StoreConnection {
 public:
  using Connect = std::function<Result<std::unique_ptr<db::SqlConnection>>()>;

  template <typename Call>
  using Answer = std::invoke_result_t<Call&, db::SqlConnection&>;

  // `again`: how a lost connection is replaced; empty if it is not.
  StoreConnection(std::unique_ptr<db::SqlConnection> connection, Connect again)
      : connection_(std::move(connection)), again_(std::move(again)) {}

  // Runs `body(connection)` in one read transaction, so that several statements see one state.
  template <typename Body>
  Answer<Body> read(Body body) {
    const MutexLock lock(mutex_);
    return settled(in_transaction(&db::SqlTransaction::begin_reading, body));
  }

  // Runs `body(connection)` in one write transaction and commits it if it succeeds.
  template <typename Body>
  Answer<Body> write(Body body) {
    const MutexLock lock(mutex_);
    return settled(in_transaction(&begin_writing, body));
  }

  // Until the end of this connection, which is then not replaced: whoever held a lock in it holds
  // it no longer. Errors: kConflict if another has it.
  Result<void> hold(std::string_view name);

 private:
  using Transaction = db::SqlTransaction;
  using Begin = Result<Transaction> (*)(db::SqlConnection&);
  static Result<Transaction> begin_writing(db::SqlConnection& connection);

  // `call(connection)`, the first of its transaction: on a new connection where the one we have
  // turns out to be lost.
  template <typename Call>
  Answer<Call> first(Call call) REQUIRES_LOCK(mutex_) {
    if (connection_ != nullptr) {
      auto answer = call(*connection_);
      const bool lost = !answer && answer.error().code == ErrorCode::kUnavailable;
      if (!lost || again_ == nullptr) return answer;
      connection_ = nullptr;
    }
    connection_ = TRY(again_());
    return call(*connection_);
  }

  template <typename Body>
  Answer<Body> in_transaction(Begin begin, Body& body) REQUIRES_LOCK(mutex_) {
    Transaction transaction = TRY(first(begin));
    auto result = body(*connection_);
    if (result && begin == &begin_writing) TRY(transaction.commit());
    return result;
  }

  template <typename T>
  Result<T> settled(Result<T> answer) REQUIRES_LOCK(mutex_) {
    const bool lost = !answer && answer.error().code == ErrorCode::kUnavailable;
    if (lost && again_ != nullptr) connection_ = nullptr;
    return answer;
  }

  Mutex mutex_;
  std::unique_ptr<db::SqlConnection> connection_ GUARDED_BY(mutex_);  // null: lost
  Connect again_ GUARDED_BY(mutex_);
};

// What `read` makes of every row of a query, or of its first one. `read` gives a Result.
template <typename Read>
using RowValue = std::invoke_result_t<Read, const db::SqlRow&>::value_type;

template <typename Read>
Result<std::vector<RowValue<Read>>> read_all(db::SqlConnection& sql, std::string_view query,
                                             std::initializer_list<db::SqlValue> values,
                                             Read read) {
  std::vector<RowValue<Read>> all;
  const db::OnRow each = [&](const db::SqlRow& row) -> Result<void> {
    all.push_back(TRY(read(row)));
    return {};
  };
  TRY(sql.stream(query, values, each));
  return all;
}

template <typename Read>
Result<std::optional<RowValue<Read>>> read_one(db::SqlConnection& sql, std::string_view query,
                                               std::initializer_list<db::SqlValue> values,
                                               Read read) {
  std::optional<RowValue<Read>> one;
  const db::OnRow first = [&](const db::SqlRow& row) -> Result<void> {
    if (!one) one = TRY(read(row));
    return {};
  };
  TRY(sql.run(query, values, first));
  return one;
}

// Reads rows until `more` says false.
Result<void> read_while(db::SqlConnection& sql, std::string_view query,
                        std::initializer_list<db::SqlValue> values,
                        const std::function<Result<bool>(const db::SqlRow&)>& more);

}  // namespace precedent
