#include "investigate/onset/burst.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace precedent {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

const Instant kBegin{seconds(1'790'000'000)};
const Instant kEnd = kBegin + minutes(120);

std::vector<Instant> at(const std::vector<int>& of_begin) {
  std::vector<Instant> times;
  for (const int minute : of_begin) times.push_back(kBegin + minutes(minute));
  return times;
}

TEST(Burst, EverydayEventsAreNone) {
  EXPECT_FALSE(find_burst({}, kBegin, kEnd));
  EXPECT_FALSE(find_burst(at({70}), kBegin, kEnd));
  EXPECT_FALSE(find_burst(at({5, 31, 58, 77, 104}), kBegin, kEnd));
  EXPECT_FALSE(find_burst(at({70, 85, 112}), kBegin, kEnd)) << "three in an hour";
  // Of two hundred days of twenty events each, hardly one looks like an outage.
  std::mt19937 random(7);
  std::uniform_int_distribution<int> second(0, 7200);
  int wrong = 0;
  for (int day = 0; day < 200; ++day) {
    std::vector<Instant> times;
    for (int i = 0; i < 20; ++i) times.push_back(kBegin + seconds(second(random)));
    std::ranges::sort(times);
    wrong += find_burst(times, kBegin, kEnd).has_value() ? 1 : 0;
  }
  EXPECT_LE(wrong, 4);
}

TEST(Burst, BeginsWithTheFirstOfMany) {
  std::vector<int> minutes_of = {12, 40, 61};
  for (int minute = 80; minute < 118; ++minute) minutes_of.push_back(minute);
  EXPECT_EQ(find_burst(at(minutes_of), kBegin, kEnd), kBegin + minutes(80));
  EXPECT_EQ(find_burst(at({116, 117, 118}), kBegin, kEnd), kBegin + minutes(116));
}

TEST(Burst, ManyEventsOfOneMomentAreOne) {
  const std::vector<Instant> same(50, kBegin + minutes(100));
  EXPECT_EQ(find_burst(same, kBegin, kEnd), kBegin + minutes(100));
  EXPECT_FALSE(find_burst(same, kBegin + minutes(100), kBegin + minutes(100)))
      << "without any time before it";
}

}  // namespace
}  // namespace precedent
