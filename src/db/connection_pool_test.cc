#include "db/connection_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "db/sqlite_sql.h"

namespace precedent::db {
namespace {

class ConnectionPoolTest : public ::testing::Test {
 protected:
  ConnectionPool::Connect connect() {
    return [this]() -> Result<std::unique_ptr<SqlConnection>> {
      if (made_.fetch_add(1) >= servers_) {
        made_.fetch_sub(1);
        return fail(ErrorCode::kUnavailable, "the server is full");
      }
      return database_.connect();
    };
  }
  static ConnectionPool::Loan borrow(ConnectionPool& pool) {
    auto loan = pool.borrow();
    EXPECT_TRUE(loan) << loan.error().text();
    return std::move(*loan);
  }

  SqliteDatabase database_{":memory:"};
  std::atomic<int> made_ = 0;
  int servers_ = 100;  // connections that it gives
};

TEST_F(ConnectionPoolTest, AnIdleConnectionIsLentAgainAndAnotherMadeWhereNoneIs) {
  ConnectionPool pool(connect(), 2);
  SqlConnection* first = nullptr;
  {
    const auto loan = borrow(pool);
    EXPECT_FALSE(loan.used_before());
    first = &*loan;
  }
  const auto again = borrow(pool);
  EXPECT_TRUE(again.used_before());
  EXPECT_EQ(&*again, first);
  const auto other = borrow(pool);
  EXPECT_FALSE(other.used_before());
  EXPECT_EQ(made_, 2);
}

TEST_F(ConnectionPoolTest, NoMoreThanAllowedAreLentAtOnceHoweverManyAsk) {
  ConnectionPool pool(connect(), 3);
  std::atomic<int> lent = 0, most = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 200; ++n) {
        const auto loan = borrow(pool);
        const int now = ++lent;
        for (int seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
        }
        --lent;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(most, 3);
  EXPECT_LE(made_, 3);
}

TEST_F(ConnectionPoolTest, WhereTheServerGivesNoOtherACallWaitsForTheOneThatThereIs) {
  servers_ = 1;
  ConnectionPool pool(connect(), 8);
  std::thread waiting;
  {
    const auto only = borrow(pool);
    waiting = std::thread([&] { EXPECT_TRUE(borrow(pool).used_before()); });
  }
  waiting.join();
  EXPECT_EQ(made_, 1);
}

TEST_F(ConnectionPoolTest, WithoutAnyTheReasonIsToldToEveryoneWhoWaits) {
  servers_ = 1;
  ConnectionPool pool(connect(), 8);
  std::vector<std::thread> waiting;
  {
    auto broken = borrow(pool);
    for (int i = 0; i < 4; ++i) {
      waiting.emplace_back([&] {
        const auto loan = pool.borrow();
        ASSERT_FALSE(loan);
        EXPECT_EQ(loan.error().message, "the server is full");
      });
    }
    broken.drop();
  }
  for (std::thread& thread : waiting) thread.join();
}

TEST_F(ConnectionPoolTest, ABrokenConnectionIsReplacedOrDroppedAndNeverLentAgain) {
  ConnectionPool pool(connect(), 1);
  pool.add(std::move(*database_.connect()));
  {
    auto loan = borrow(pool);
    EXPECT_TRUE(loan.used_before());
    ASSERT_TRUE(loan.renew());
    EXPECT_FALSE(loan.used_before());
    EXPECT_TRUE((*loan).integer("SELECT 1"));
  }
  EXPECT_EQ(made_, 1);
  borrow(pool).drop();
  EXPECT_FALSE(borrow(pool).used_before());
  EXPECT_EQ(made_, 2);
}

TEST_F(ConnectionPoolTest, WhatSeveralMayHaveBeyondTheFirstIsTheirsTogether) {
  ConnectionAllowance allowance(1);
  ConnectionPool quiet(connect(), 8, &allowance);
  {
    ConnectionPool busy(connect(), 8, &allowance);
    const auto first = borrow(busy);
    auto second = borrow(busy);
    EXPECT_FALSE(allowance.take());
    const auto its_first = borrow(quiet);
    EXPECT_EQ(made_, 3);
    second.drop();
  }
  EXPECT_TRUE(allowance.take()) << "given back with the connection";
  allowance.give_back();
  {
    ConnectionPool busy(connect(), 8, &allowance);
    const auto first = borrow(busy);
    const auto second = borrow(busy);
    EXPECT_FALSE(allowance.take());
  }
  EXPECT_TRUE(allowance.take()) << "given back with the pool";
}

}  // namespace
}  // namespace precedent::db
