#include "sources/source_keeper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Sources that are synced by a test: each sync is written down and, while held, goes on.
class KeeperTest : public testing::Test {
 protected:
  KeeperParts parts(std::initializer_list<const char*> names, std::chrono::milliseconds every) {
    KeeperParts parts{
        .sources = {},
        .clock = clock_,
        .states = [this]() -> Result<SourceStates> {
          const MutexLock lock(mutex_);
          return states_;
        },
        .sync = [this](const SourceConfig& source, const SyncOptions& options,
                       const CancelToken& cancel) { return sync(source, options, cancel); },
        .told =
            [this](const SourceConfig& source, const Result<SyncReport>& report) {
              const MutexLock lock(mutex_);
              told_.push_back(source.name + (report ? ": ok" : ": failed"));
              changed_.notify_all();
            }};
    for (const char* name : names) {
      SourceConfig& source = parts.sources.emplace_back();
      source.name = name;
      source.every = every;
    }
    return parts;
  }
  // The first `count` syncs, in their order.
  std::vector<std::string> first(size_t count) {
    const MutexLock lock(mutex_);
    while (begun_.size() < count) changed_.wait(mutex_);
    return {begun_.begin(), begun_.begin() + static_cast<std::ptrdiff_t>(count)};
  }
  void await_told(size_t count) {
    const MutexLock lock(mutex_);
    while (told_.size() < count) changed_.wait(mutex_);
  }
  void set_held(bool held) {
    const MutexLock lock(mutex_);
    held_ = held;
    changed_.notify_all();
  }

  FixedClock clock_{parse_time("2026-11-24T12:00:00Z").value()};
  Mutex mutex_;
  ConditionVariable changed_;
  SourceStates states_ GUARDED_BY(mutex_);
  std::vector<std::string> begun_ GUARDED_BY(mutex_), told_ GUARDED_BY(mutex_);
  bool held_ GUARDED_BY(mutex_) = false, fails_ GUARDED_BY(mutex_) = false;
  size_t at_once_ GUARDED_BY(mutex_) = 0, most_at_once_ GUARDED_BY(mutex_) = 0;

 private:
  Result<SyncReport> sync(const SourceConfig& source, const SyncOptions& options,
                          const CancelToken& cancel) {
    const MutexLock lock(mutex_);
    begun_.push_back(source.name + (options.sweep ? " full" : "") + (options.yes ? " yes" : ""));
    most_at_once_ = std::max(most_at_once_, ++at_once_);
    changed_.notify_all();
    while (held_ && !cancel.cancelled())
      changed_.wait_until(mutex_, std::chrono::steady_clock::now() + std::chrono::milliseconds(5));
    --at_once_;
    TRY(cancel.check());
    SourceState& state = states_[source.name];
    if (fails_) {
      state.error = "gone";
      state.failed_at = clock_.now();
      ++state.failures;
      return fail(ErrorCode::kUnavailable, "gone");
    }
    state.synced_at = clock_.now();
    return SyncReport{};
  }
};

TEST_F(KeeperTest, WhatNeverWasSyncedComesFirstOneAtATime) {
  SourceKeeper keeper(parts({"a", "b", "c"}, std::chrono::minutes(15)));
  keeper.start();
  EXPECT_THAT(first(3), testing::UnorderedElementsAre("a", "b", "c"));
  await_told(3);
  const MutexLock lock(mutex_);
  EXPECT_EQ(most_at_once_, 1U);
}

TEST_F(KeeperTest, WhatIsNotDueIsSyncedWhenAskedFor) {
  {
    const MutexLock lock(mutex_);
    states_["a"].synced_at = clock_.now();
  }
  SourceKeeper keeper(parts({"a", "b"}, std::chrono::minutes(15)));
  keeper.start();
  EXPECT_THAT(first(1), ElementsAre("b"));
  ASSERT_TRUE(keeper.ask("a", {.sweep = true, .yes = true}));
  EXPECT_THAT(first(2), ElementsAre("b", "a full yes"));
}

TEST_F(KeeperTest, ShowsWhatGoesOnAndWhatIsNext) {
  set_held(true);
  SourceKeeper keeper(parts({"a", "b"}, std::chrono::minutes(15)));
  keeper.start();
  first(1);
  ASSERT_TRUE(keeper.ask("b", {}));
  const auto shown = keeper.sources();
  ASSERT_TRUE(shown);
  ASSERT_EQ(shown->size(), 2U);
  EXPECT_EQ((*shown)[0].activity, SourceActivity::kSyncing);
  EXPECT_EQ((*shown)[1].activity, SourceActivity::kWaiting);
  EXPECT_EQ((*shown)[1].next_at, clock_.now());
  set_held(false);
  await_told(2);
  EXPECT_GT(keeper.sources()->front().next_at, clock_.now() + std::chrono::minutes(10));
}

TEST_F(KeeperTest, AFailureIsToldAndTheOthersGoOn) {
  {
    const MutexLock lock(mutex_);
    fails_ = true;
  }
  SourceKeeper keeper(parts({"a", "b"}, std::chrono::minutes(15)));
  keeper.start();
  await_told(2);
  const auto shown = keeper.sources();
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->front().state.error, "gone");
  EXPECT_GT(shown->front().next_at, clock_.now() + std::chrono::minutes(25));
}

TEST_F(KeeperTest, AnUnknownSourceIsNamed) {
  SourceKeeper keeper(parts({"a"}, std::chrono::minutes(15)));
  keeper.start();
  const auto asked = keeper.ask("wiki", {});
  ASSERT_FALSE(asked);
  EXPECT_EQ(asked.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(asked.error().message, HasSubstr("'wiki'; sources.yaml has a"));
}

TEST_F(KeeperTest, ASourceThatLeftIsSyncedNoMoreAndANewOneBegins) {
  set_held(true);
  SourceKeeper keeper(parts({"a"}, std::chrono::minutes(15)));
  keeper.start();
  first(1);
  keeper.replace(parts({"b"}, std::chrono::minutes(15)).sources);
  // What went on of the one that left is cancelled, without a word.
  EXPECT_THAT(first(2), ElementsAre("a", "b"));
  set_held(false);
  await_told(1);
  EXPECT_FALSE(keeper.ask("a", {}));
  ASSERT_TRUE(keeper.ask("b", {}));
  EXPECT_THAT(first(3), ElementsAre("a", "b", "b"));
  const MutexLock lock(mutex_);
  EXPECT_THAT(told_.front(), "b: ok");
}

TEST_F(KeeperTest, OnlyWhatIsDescribedOtherwiseIsSyncedAtOnce) {
  {
    const MutexLock lock(mutex_);
    for (const char* name : {"a", "b", "c"}) states_[name].synced_at = clock_.now();
  }
  KeeperParts all = parts({"a", "b", "c"}, std::chrono::minutes(15));
  auto sources = all.sources;
  SourceKeeper keeper(std::move(all));
  keeper.start();
  sources[0].every = std::chrono::hours(1);
  sources[1].path = "elsewhere";
  sources[2].path = "elsewhere";
  sources[2].every = {};
  keeper.replace(sources);
  await_told(1);
  EXPECT_EQ(keeper.sources()->front().config.every, std::chrono::hours(1));
  EXPECT_FALSE(keeper.sources()->back().next_at);
  ASSERT_TRUE(keeper.ask("a", {}));
  EXPECT_THAT(first(2), ElementsAre("b", "a"));
}

TEST_F(KeeperTest, AnotherScheduleInterruptsNothing) {
  set_held(true);
  KeeperParts one = parts({"a"}, std::chrono::minutes(15));
  auto sources = one.sources;
  SourceKeeper keeper(std::move(one));
  keeper.start();
  first(1);
  sources[0].every = std::chrono::hours(1);
  keeper.replace(sources);
  set_held(false);
  await_told(1);
  const MutexLock lock(mutex_);
  EXPECT_THAT(told_, ElementsAre("a: ok"));
}

TEST_F(KeeperTest, StoppingCancelsWhatGoesOn) {
  set_held(true);
  SourceKeeper keeper(parts({"a", "b"}, std::chrono::minutes(15)));
  keeper.start();
  first(1);
  EXPECT_TRUE(keeper.stop(std::chrono::minutes(1)));
  const MutexLock lock(mutex_);
  EXPECT_EQ(begun_.size(), 1U);
  EXPECT_TRUE(told_.empty());
}

}  // namespace
}  // namespace precedent
