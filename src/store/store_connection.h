// StoreConnection: the connection of a KnowledgeStore, and the transactions that its members run
// in.
//
// Private to store/. Thread safety: read() and write() take turns.
#pragma once

#include <utility>

#include "base/mutex.h"
#include "db/sqlite.h"

namespace precedent {

class StoreConnection {
 public:
  explicit StoreConnection(db::Connection connection) : connection_(std::move(connection)) {}

  // Runs `body(connection)` in one read transaction, so that several statements see one state of
  // the file.
  template <typename Body>
  auto read(Body body) -> decltype(body(std::declval<db::Connection&>())) {
    const MutexLock lock(mutex_);
    db::Transaction transaction =
        TRY(db::Transaction::begin(connection_, db::Transaction::Kind::kRead));
    return body(connection_);
  }

  // Runs `body(connection)` in one write transaction and commits it if it succeeds.
  template <typename Body>
  auto write(Body body) -> decltype(body(std::declval<db::Connection&>())) {
    const MutexLock lock(mutex_);
    db::Transaction transaction = TRY(db::Transaction::begin(connection_));
    auto result = body(connection_);
    if (result) TRY(transaction.commit());
    return result;
  }

 private:
  Mutex mutex_;
  db::Connection connection_ GUARDED_BY(mutex_);
};

}  // namespace precedent
