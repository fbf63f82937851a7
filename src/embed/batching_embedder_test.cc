#include "embed/batching_embedder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

#include "embed/embedder_contract.h"
#include "embed/fake_embedder.h"

namespace precedent {
namespace {

// Keeps the first call until it is told to go on, and what each call was asked for.
class SlowEmbedder final : public Embedder {
 public:
  std::string_view model_id() const override { return "slow"; }
  size_t dimensions() const override { return fake_.dimensions(); }
  Result<Embeddings> embed(std::span<const std::string_view> texts) const override {
    bool first = false;
    {
      const std::lock_guard lock(mutex_);
      first = calls_.empty();
      calls_.emplace_back(texts.begin(), texts.end());
    }
    entered_ = true;
    entered_.notify_all();
    if (first) go_on_.wait(false);
    const bool holds_poison =
        std::ranges::any_of(texts, [](std::string_view text) { return text == "poison"; });
    if (holds_poison && throws_) throw std::runtime_error("poison");
    if (holds_poison) return fail(ErrorCode::kUnavailable, "poison");
    return fake_.embed(texts);
  }
  void wait_until_entered() const { entered_.wait(false); }
  void go_on() {
    go_on_ = true;
    go_on_.notify_all();
  }
  std::vector<std::vector<std::string>> calls() const {
    const std::lock_guard lock(mutex_);
    return calls_;
  }

  bool throws_ = false;

 private:
  FakeEmbedder fake_{16};
  mutable std::mutex mutex_;
  mutable std::vector<std::vector<std::string>> calls_;
  mutable std::atomic<bool> entered_ = false;
  std::atomic<bool> go_on_ = false;
};

// One call is under way; each of `waiting` comes while it is, and waits.
class BatchingEmbedderTest : public ::testing::Test {
 protected:
  void embed_all(const std::vector<std::vector<std::string>>& waiting, size_t max_texts = 64) {
    const BatchingEmbedder embedder(slow_, max_texts);
    results_.resize(waiting.size(), fail(ErrorCode::kInternal, "not asked"));
    threw_.resize(waiting.size());
    std::vector<std::jthread> threads;
    threads.emplace_back([&] { embed_or_fail(embedder, {"first"}); });
    slow_.wait_until_entered();
    for (size_t i = 0; i < waiting.size(); ++i) {
      threads.emplace_back([&, i] {
        const std::vector<std::string_view> texts(waiting[i].begin(), waiting[i].end());
        try {
          results_[i] = embedder.embed(texts);
        } catch (const std::runtime_error&) {
          threw_[i] = 1;
        }
      });
      // In their order, so that the test knows who is in which batch.
      while (embedder.waiting() < i + 1) std::this_thread::yield();
    }
    slow_.go_on();
  }
  void expect_right(size_t i, const std::vector<std::string>& texts) {
    ASSERT_TRUE(results_[i]) << results_[i].error().text();
    EXPECT_EQ(results_[i]->values, embed_or_fail(FakeEmbedder(16), texts).values);
  }

  SlowEmbedder slow_;
  std::vector<Result<Embeddings>> results_;
  std::vector<char> threw_;
};

TEST(BatchingEmbedder, FulfilsTheContract) {
  const FakeEmbedder behind;
  expect_embedder_contract(BatchingEmbedder(behind), 1e-5f);
  expect_embedder_contract(BatchingEmbedder(behind, 1), 1e-5f);
}

TEST_F(BatchingEmbedderTest, WhoComesMeanwhileIsEmbeddedAtOnce) {
  embed_all({{"a"}, {"b", "c"}, {"d"}});
  ASSERT_EQ(slow_.calls().size(), 2U);
  EXPECT_EQ(slow_.calls()[1], (std::vector<std::string>{"a", "b", "c", "d"}));
  expect_right(0, {"a"});
  expect_right(1, {"b", "c"});
  expect_right(2, {"d"});
}

TEST_F(BatchingEmbedderTest, ATextOfSeveralCallsIsEmbeddedOnce) {
  embed_all({{"a"}, {"b", "a"}, {"a", "a"}});
  ASSERT_EQ(slow_.calls().size(), 2U);
  EXPECT_EQ(slow_.calls()[1], (std::vector<std::string>{"a", "b"}));
  expect_right(1, {"b", "a"});
  expect_right(2, {"a", "a"});
}

TEST_F(BatchingEmbedderTest, ABatchIsBounded) {
  embed_all({{"a"}, {"b", "c"}, {"d"}, {"e"}}, 3);
  ASSERT_EQ(slow_.calls().size(), 3U);
  EXPECT_EQ(slow_.calls()[1].size(), 3U);
  EXPECT_EQ(slow_.calls()[2].size(), 2U);
  expect_right(3, {"e"});
}

TEST_F(BatchingEmbedderTest, AnErrorIsOnlyThatOfTheCallThatCausesIt) {
  embed_all({{"a"}, {"poison"}, {"b"}});
  expect_right(0, {"a"});
  expect_right(2, {"b"});
  ASSERT_FALSE(results_[1]);
  EXPECT_EQ(results_[1].error().code, ErrorCode::kUnavailable);
}

TEST_F(BatchingEmbedderTest, AnExceptionReachesItsOwnCallerAndNobodyElse) {
  slow_.throws_ = true;
  embed_all({{"a"}, {"poison"}, {"b"}});
  expect_right(0, {"a"});
  expect_right(2, {"b"});
  EXPECT_EQ(threw_, (std::vector<char>{0, 1, 0}));
}

TEST(BatchingEmbedder, WhatIsABatchAlreadyGoesStraightThrough) {
  SlowEmbedder slow;
  slow.go_on();
  const BatchingEmbedder embedder(slow, 2);
  EXPECT_EQ(embed_or_fail(embedder, {"a", "b", "c"}).count(), 3U);
  ASSERT_EQ(slow.calls().size(), 1U);
  EXPECT_EQ(slow.calls()[0].size(), 3U);
}

}  // namespace
}  // namespace precedent
