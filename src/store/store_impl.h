// What KnowledgeStore's members share. Private to store/.
#pragma once

#include "base/mutex.h"
#include "db/sqlite.h"
#include "store/knowledge_store.h"

namespace precedent {

struct KnowledgeStore::Impl {
  explicit Impl(db::Connection c) : connection(std::move(c)) {}

  // Runs `body(connection)` in one read transaction, so that several statements see one state of
  // the file.
  template <typename Body>
  auto read(Body body) -> decltype(body(std::declval<db::Connection&>())) {
    const MutexLock lock(mutex);
    db::Transaction transaction =
        TRY(db::Transaction::begin(connection, db::Transaction::Kind::kRead));
    return body(connection);
  }

  // Runs `body(connection)` in one write transaction and commits it if it succeeds.
  template <typename Body>
  auto write(Body body) -> decltype(body(std::declval<db::Connection&>())) {
    const MutexLock lock(mutex);
    db::Transaction transaction = TRY(db::Transaction::begin(connection));
    auto result = body(connection);
    if (result) TRY(transaction.commit());
    return result;
  }

  Mutex mutex;
  db::Connection connection GUARDED_BY(mutex);
};

}  // namespace precedent
