#include "sources/sync_schedule.h"

#include <gtest/gtest.h>

#include <set>

namespace precedent {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

const TimePoint kNow = parse_time("2026-11-24T12:00:00Z").value();

SourceConfig source(std::chrono::milliseconds every, std::string name = "wiki") {
  SourceConfig config;
  config.name = std::move(name);
  config.every = every;
  return config;
}

void expect_about(std::chrono::milliseconds every, const SourceState& state, seconds wait) {
  const auto next = next_sync(source(every), state);
  ASSERT_TRUE(next);
  EXPECT_GE(*next - kNow, wait - wait / 10);
  EXPECT_LE(*next - kNow, wait + wait / 10);
}

TEST(SyncSchedule, OneThatNeverWasIsDue) { EXPECT_LT(next_sync(source(minutes(15)), {}), kNow); }

TEST(SyncSchedule, OneThatIsOnlyAskedForIsNeverDue) {
  EXPECT_FALSE(next_sync(source(minutes(0)), {}));
}

TEST(SyncSchedule, TheNextIsAsLongAfterTheLast) {
  expect_about(minutes(15), {.synced_at = kNow}, minutes(15));
  expect_about(hours(24), {.synced_at = kNow}, hours(24));
}

TEST(SyncSchedule, AFailingOneBacksOff) {
  const auto failed = [](size_t failures) {
    return SourceState{
        .synced_at = kNow - hours(2), .error = "gone", .failed_at = kNow, .failures = failures};
  };
  expect_about(minutes(15), failed(1), minutes(30));
  expect_about(minutes(15), failed(3), hours(2));
  expect_about(minutes(15), failed(1000), hours(6));
  // One that is asked once a day is tried again before the next.
  expect_about(hours(24), failed(1), minutes(30));
  expect_about(hours(24), failed(1000), hours(24));
}

TEST(SyncSchedule, SourcesDoNotComeAllAtOnce) {
  std::set<TimePoint> times;
  for (int i = 0; i < 20; ++i)
    times.insert(*next_sync(source(hours(1), "s" + std::to_string(i)), {.synced_at = kNow}));
  EXPECT_GT(times.size(), 15U);
}

}  // namespace
}  // namespace precedent
