// ConnectionPool: a few connections to one database, each lent to one call at a time.
//
// The first is made when it is needed, another when all are lent. Where no other can be had (the
// server is full, or `most` are made) a call waits for one that is given back; only a call that
// finds no connection at all is told why. Thread safety: all members. Ownership: owns those that
// are idle. Lifetime: outlives its loans. Errors: those of making a connection.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "db/sql.h"

namespace precedent::db {

// What several pools may have together beyond the first connection of each. Thread safety: all
// members.
class ConnectionAllowance {
 public:
  explicit ConnectionAllowance(int connections) : left_(connections) {}
  bool take() {
    if (left_.fetch_sub(1) > 0) return true;
    give_back();
    return false;
  }
  void give_back() { left_.fetch_add(1); }

 private:
  std::atomic<int> left_;
};

class ConnectionPool {
 public:
  using Connect = std::function<Result<std::unique_ptr<SqlConnection>>()>;

  // A connection for the length of one call. Thread safety: one thread.
  class Loan {
   public:
    Loan(Loan&& other) noexcept
        : pool_(std::exchange(other.pool_, nullptr)),
          connection_(std::move(other.connection_)),
          used_before_(other.used_before_) {}
    Loan& operator=(Loan&&) = delete;
    ~Loan() {
      if (pool_ != nullptr) pool_->give_back(std::move(connection_));
    }
    // REQUIRES: neither drop() nor a failed renew() before.
    SqlConnection& operator*() const { return *connection_; }
    // By another call, so that its server may have gone since.
    bool used_before() const { return used_before_; }
    // Another connection in the place of one that broke.
    Result<void> renew() {
      connection_ = nullptr;
      connection_ = TRY(pool_->connect_());
      used_before_ = false;
      return {};
    }
    // It broke: nobody else gets it.
    void drop() { connection_ = nullptr; }

   private:
    friend class ConnectionPool;
    Loan(ConnectionPool& pool, std::unique_ptr<SqlConnection> connection, bool used_before)
        : pool_(&pool), connection_(std::move(connection)), used_before_(used_before) {}
    ConnectionPool* pool_;
    std::unique_ptr<SqlConnection> connection_;
    bool used_before_;
  };

  // REQUIRES: most > 0. Lifetime: `beyond_first`, unless null, outlives it.
  ConnectionPool(Connect connect, size_t most, ConnectionAllowance* beyond_first = nullptr)
      : connect_(std::move(connect)), most_(most), beyond_first_(beyond_first) {}
  ConnectionPool(const ConnectionPool&) = delete;
  ConnectionPool& operator=(const ConnectionPool&) = delete;
  ~ConnectionPool();

  Result<Loan> borrow();
  // One that was made elsewhere. REQUIRES: before the first borrow().
  void add(std::unique_ptr<SqlConnection> connection);

 private:
  bool may_make_another() REQUIRES_LOCK(mutex_);
  // Null: it broke, or was never made.
  void give_back(std::unique_ptr<SqlConnection> connection);

  const Connect connect_;
  const size_t most_;
  ConnectionAllowance* const beyond_first_;
  Mutex mutex_;
  ConditionVariable given_back_;
  std::vector<std::unique_ptr<SqlConnection>> idle_ GUARDED_BY(mutex_);
  size_t lent_ GUARDED_BY(mutex_) = 0;
};

}  // namespace precedent::db
