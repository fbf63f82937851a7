#include "db/connection_pool.h"

namespace precedent::db {

ConnectionPool::~ConnectionPool() {
  for (size_t i = 1; beyond_first_ != nullptr && i < idle_.size(); ++i) beyond_first_->give_back();
}

void ConnectionPool::add(std::unique_ptr<SqlConnection> connection) {
  const MutexLock lock(mutex_);
  idle_.push_back(std::move(connection));
}

// REQUIRES: all are lent.
bool ConnectionPool::may_make_another() {
  return lent_ < most_ && (beyond_first_ == nullptr || beyond_first_->take());
}

Result<ConnectionPool::Loan> ConnectionPool::borrow() {
  for (bool another = true;; another = false) {
    bool first = false;
    {
      const MutexLock lock(mutex_);
      while (idle_.empty() && lent_ > 0 && !(another && may_make_another()))
        given_back_.wait(mutex_);
      first = idle_.empty() && lent_ == 0;
      ++lent_;
      if (!idle_.empty()) {
        Loan loan(*this, std::move(idle_.back()), true);
        idle_.pop_back();
        return loan;
      }
    }
    auto made = connect_();
    if (made) return Loan(*this, std::move(*made), false);
    give_back(nullptr);
    if (first) return std::unexpected(std::move(made).error());
  }
}

void ConnectionPool::give_back(std::unique_ptr<SqlConnection> connection) {
  const MutexLock lock(mutex_);
  --lent_;
  if (connection != nullptr) {
    idle_.push_back(std::move(connection));
  } else if (beyond_first_ != nullptr && lent_ + idle_.size() > 0) {
    beyond_first_->give_back();
  }
  // All: one that waits may go without, and must not take another's turn with it.
  given_back_.notify_all();
}

}  // namespace precedent::db
