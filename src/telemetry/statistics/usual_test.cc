#include "telemetry/statistics/usual.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace precedent {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;

const Instant kDay = parse_time("2026-11-20T00:00Z").value();
constexpr minutes kRamp{10};

// Every five minutes of a day that begins at `from`; `value(hour)`.
template <typename Value>
std::vector<Sample> day_of(Instant from, const Value& value) {
  std::vector<Sample> out;
  for (int i = 0; i < 288; ++i) {
    const double noise =
        1 + 0.02 * std::sin(i * 2.7 + static_cast<double>(from.time_since_epoch().count() % 997));
    out.push_back({from + minutes(5 * i), value(i / 12.0) * noise});
  }
  return out;
}

// A queue that fills each morning.
double morning(double hour) { return 20 + 900 * std::exp(-std::pow((hour - 7.5) / 1.2, 2)); }

std::vector<Episode> episodes(const std::vector<Sample>& today,
                              const std::vector<Sample>& yesterday) {
  std::vector<OtherDay> other;
  if (!yesterday.empty()) other.push_back({yesterday, days(1)});
  return find_episodes(today, kDay, kDay + days(1), other, {});
}

TEST(Episodes, AnOutageIsToldFromItsBeginningToItsEnd) {
  const auto rate = [](double) { return 0.002; };
  const auto today =
      day_of(kDay, [](double hour) { return hour >= 20 && hour < 20.75 ? 0.35 : 0.002; });
  for (const auto& before : {day_of(kDay - days(1), rate), std::vector<Sample>()}) {
    const auto found = episodes(today, before);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].from, kDay + hours(20));
    ASSERT_TRUE(found[0].until);
    EXPECT_EQ(*found[0].until, kDay + hours(20) + minutes(45));
    EXPECT_NEAR(found[0].usual, 0.002, 1e-4);
    EXPECT_NEAR(found[0].peak, 0.35, 0.01);
    EXPECT_TRUE(found[0].above());
  }
}

TEST(Episodes, WhatLastsHasNoEnd) {
  const auto today = day_of(kDay, [](double hour) { return hour >= 9 ? 2.0 : 0.3; });
  const auto found = episodes(today, day_of(kDay - days(1), [](double) { return 0.3; }));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].from, kDay + hours(9));
  EXPECT_FALSE(found[0].until);
}

TEST(Episodes, WhatEveryDayHasIsNone) {
  EXPECT_TRUE(episodes(day_of(kDay, morning), day_of(kDay - days(1), morning)).empty());
  // Not to the minute, either.
  const auto later = day_of(kDay, [](double hour) { return morning(hour - 0.4); });
  EXPECT_TRUE(episodes(later, day_of(kDay - days(1), morning)).empty());
}

TEST(Episodes, TheSameAtAnotherHourIsOne) {
  const auto night = day_of(kDay, [](double hour) { return morning(hour + 6); });
  const auto found = episodes(night, day_of(kDay - days(1), morning));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(found[0].above());
  EXPECT_LT(found[0].from, kDay + hours(2));
  // And nothing was there in the morning.
  EXPECT_FALSE(found[1].above());
  EXPECT_GT(found[1].from, kDay + hours(4));
}

TEST(Episodes, TheLargerOneIsToldAndSpikesAreNone) {
  const auto today = day_of(kDay, [](double hour) {
    return hour >= 3 && hour < 3.5 ? 0.5 : hour >= 12 && hour < 14 ? 0.45 : 0.3;
  });
  const auto usual = day_of(kDay - days(1), [](double) { return 0.3; });
  EXPECT_EQ(episodes(today, usual).at(0).from, kDay + hours(12));
  auto spiky = day_of(kDay, [](double) { return 0.3; });
  spiky[100].value = spiky[101].value = 9;
  EXPECT_TRUE(episodes(spiky, usual).empty());
  spiky[102].value = 9;
  EXPECT_EQ(episodes(spiky, usual).size(), 1u);
}

TEST(Episodes, WhatLastsCountsForMoreThanWhatIsOverAndNoFarther) {
  const auto usual = day_of(kDay - days(1), [](double) { return 0.3; });
  const auto last_of = [&](double height) {
    return episodes(day_of(kDay,
                           [&](double hour) {
                             return hour >= 2 && hour < 8 ? 0.9 : hour >= 23 ? height : 0.3;
                           }),
                    usual)
        .at(0);
  };
  EXPECT_EQ(last_of(0.8).from, kDay + hours(23));
  EXPECT_EQ(last_of(0.45).from, kDay + hours(2));
}

TEST(Episodes, FromNothingAndOfNothing) {
  const auto none = day_of(kDay - days(1), [](double) { return 0.0; });
  const auto errors = day_of(kDay, [](double hour) { return hour >= 20 && hour < 21 ? 0.1 : 0; });
  EXPECT_EQ(episodes(errors, none).size(), 1u);
  EXPECT_TRUE(episodes(day_of(kDay, [](double) { return 0.0; }), none).empty());
  EXPECT_TRUE(episodes({}, none).empty());
  EXPECT_TRUE(episodes({{kDay, std::nan("")}}, none).empty());
}

std::vector<ChangePoint> kept(const std::vector<ChangePoint>& changes,
                              const std::vector<Sample>& samples,
                              const std::vector<Sample>& yesterday) {
  std::vector<OtherDay> other;
  if (!yesterday.empty()) other.push_back({yesterday, days(1)});
  return unusual_changes(changes, samples, other, kRamp);
}

TEST(UnusualChanges, WhatTheDayBeforeDidTooIsLeftOut) {
  const auto today = day_of(kDay, morning);
  const std::vector<ChangePoint> wave = {{.at = kDay + hours(5), .before = 21, .after = 260},
                                         {.at = kDay + hours(10), .before = 260, .after = 22}};
  EXPECT_TRUE(kept(wave, today, day_of(kDay - days(1), morning)).empty());
  // Nor where nobody knows the day before: it came slowly.
  EXPECT_TRUE(kept(wave, today, {}).empty());
}

TEST(UnusualChanges, AStepStays) {
  const auto today = day_of(kDay, [](double hour) { return hour >= 9 ? 2.0 : 0.3; });
  const std::vector<ChangePoint> step = {{.at = kDay + hours(9), .before = 0.3, .after = 2}};
  EXPECT_EQ(kept(step, today, day_of(kDay - days(1), [](double) { return 0.3; })).size(), 1u);
  EXPECT_EQ(kept(step, today, {}).size(), 1u);
  // Each night's batch, of a level that is not quite that of the night before.
  const auto lower = day_of(kDay - days(1), [](double hour) { return hour >= 9 ? 1.8 : 0.3; });
  EXPECT_TRUE(kept(step, today, lower).empty());
}

TEST(UnusualChanges, AShiftWithinWhatThatHourHasIsNone) {
  const auto noisy = [](double hour) { return 0.0017 + 0.0006 * std::sin(hour * 40); };
  const auto today = day_of(kDay, noisy);
  EXPECT_TRUE(kept({{.at = kDay + hours(2), .before = 0.0015, .after = 0.0020}}, today,
                   day_of(kDay - days(1), noisy))
                  .empty());
}

TEST(Usual, AValueIsThatOfItsTimeAndARangeWhatWasAboutIt) {
  // A batch every night: 20 before it, 95 from 02:05 to 02:20.
  std::vector<Sample> samples;
  for (int m = 0; m < 6 * 60; ++m)
    samples.push_back({kDay + minutes(m), m >= 125 && m < 140 ? 95.0 : 20.0});
  EXPECT_EQ(value_at(samples, kDay + minutes(130), minutes(5)), 95);
  EXPECT_EQ(value_at(samples, kDay + minutes(124), minutes(5)), 20);
  // The last one up to that time, as long as it is not too old.
  samples.resize(136);
  EXPECT_EQ(value_at(samples, kDay + minutes(139), minutes(5)), 95);
  EXPECT_FALSE(value_at(samples, kDay + minutes(142), minutes(5)));
  const auto about = range_about(samples, kDay + minutes(130), minutes(15));
  ASSERT_TRUE(about);
  EXPECT_EQ(about->low, 20);
  EXPECT_EQ(about->high, 95);
  EXPECT_FALSE(range_about(samples, kDay + days(3), minutes(15)));
}

}  // namespace
}  // namespace precedent
