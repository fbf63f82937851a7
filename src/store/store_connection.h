// StoreConnection: the connections of a KnowledgeStore, and the transactions that its members run
// in.
//
// One that is lost between two transactions (a server that was started again) is replaced, and
// nobody notices; in the middle of one the call fails with kUnavailable, and the next one works.
// Private to store/. Thread safety: read() and write() take turns, unless there are several
// connections, which are for reading.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "db/connection_pool.h"
#include "db/sql.h"

namespace precedent {

class StoreConnection {
 public:
  using Connect = std::function<Result<std::unique_ptr<db::SqlConnection>>()>;

  template <typename Call>
  using Answer = std::invoke_result_t<Call&, db::SqlConnection&>;

  // `again`: how another connection is made; empty if none is, whatever happens to this one.
  // `most`: how many there may be at once; more than one only for reading.
  StoreConnection(std::unique_ptr<db::SqlConnection> connection, Connect again, size_t most);

  // Runs `body(connection)` in one read transaction, so that several statements see one state.
  template <typename Body>
  Answer<Body> read(Body body) {
    return on_one([&](Loan& loan) { return in_transaction(loan, &begin_reading, body); });
  }

  // Runs `body(connection)` in one write transaction and commits it if it succeeds. Errors: those
  // of a format that another precedent has changed meanwhile (KnowledgeStore::open), too.
  template <typename Body>
  Answer<Body> write(Body body) {
    return on_one([&](Loan& loan) { return in_transaction(loan, &begin_writing, body); });
  }

  // Until the end of this connection, which is then not replaced: whoever held a lock in it holds
  // it no longer. Errors: kConflict if another has it.
  Result<void> hold(std::string_view name);

 private:
  using Transaction = db::SqlTransaction;
  using Loan = db::ConnectionPool::Loan;
  using Begin = Result<Transaction> (*)(db::SqlConnection&);
  static Result<Transaction> begin_reading(db::SqlConnection& connection) {
    return Transaction::begin_reading(connection);
  }
  static Result<Transaction> begin_writing(db::SqlConnection& connection);

  Result<std::unique_ptr<db::SqlConnection>> connect();
  bool is_lost(const Error& error) const {
    return replaced_ && error.code == ErrorCode::kUnavailable;
  }

  // `call(loan)`, whose connection is given up if it turned out to be lost.
  template <typename Call>
  auto on_one(Call call) -> std::invoke_result_t<Call&, Loan&> {
    Loan loan = TRY(connections_.borrow());
    auto answer = call(loan);
    if (!answer && is_lost(answer.error())) loan.drop();
    return answer;
  }

  // `call(connection)`, the first of its transaction: on a new connection where the one we have
  // turns out to be lost.
  template <typename Call>
  Answer<Call> first(Loan& loan, Call call) {
    auto answer = call(*loan);
    if (answer || !is_lost(answer.error()) || !loan.used_before()) return answer;
    TRY(loan.renew());
    return call(*loan);
  }

  template <typename Body>
  Answer<Body> in_transaction(Loan& loan, Begin begin, Body& body) {
    Transaction transaction = TRY(first(loan, begin));
    auto result = body(*loan);
    if (result && begin == &begin_writing) TRY(transaction.commit());
    return result;
  }

  const bool replaced_;
  Mutex mutex_;
  Connect again_ GUARDED_BY(mutex_);
  db::ConnectionPool connections_;
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
