// Numbers of a window, and change points: exact where they can be, held to rates of error where
// not.
#include "telemetry/statistics/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "telemetry/metrics/evaluate.h"
#include "telemetry/statistics/change_point.h"
#include "telemetry/statistics/level_jump.h"

namespace precedent {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
const Instant kStart = parse_time("2026-11-19T00:00Z").value();

std::vector<Sample> every_minute(const std::vector<double>& values) {
  std::vector<Sample> out;
  for (size_t i = 0; i < values.size(); ++i) out.push_back({kStart + minutes(i), values[i]});
  return out;
}

TEST(Normalize, SortsAndKeepsTheLastOfEqualTimes) {
  std::vector<Sample> samples = {{kStart + seconds(2), 1}, {kStart, 2}, {kStart + seconds(2), 3}};
  normalize(samples);
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[0].value, 2);
  EXPECT_EQ(samples[1].value, 3);
}

TEST(Stale, OnlyTheMarkerIsStale) {
  EXPECT_TRUE(is_stale(stale_marker()));
  EXPECT_TRUE(std::isnan(stale_marker()));
  EXPECT_FALSE(is_stale(kNan));
  EXPECT_FALSE(is_stale(0));
}

TEST(Stale, AMarkedSeriesEndsAtOnceAndNotFiveMinutesLater) {
  const std::vector<Series> series = {{{}, {{kStart, 1}, {kStart + minutes(1), stale_marker()}}}};
  const auto got = evaluate({.of = {"a"}}, {kStart, kStart + minutes(4), minutes(1)},
                            [&](std::string_view) { return std::span<const Series>(series); });
  ASSERT_EQ(got->size(), 1u);
  EXPECT_EQ((*got)[0].samples.size(), 1u);
}

TEST(Increase, AddsUpWhatWasLostByResetsAndReachesToTheEnds) {
  const auto samples = every_minute({10, 20, 5, 15});
  // 10 + (20 lost, then 5) + 10 = 25 in three minutes; half a scrape at each end... exactly 30 s.
  const auto increase = increase_within(samples, kStart + minutes(3) + seconds(30), minutes(4));
  EXPECT_NEAR(*increase, 25.0 * 4 / 3, 1e-9);
  EXPECT_EQ(increase_within(std::span(samples).first(1), kStart, minutes(4)), std::nullopt);
}

TEST(Quantile, OfBucketsThatAreNotAsTheyShouldBe) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isnan(bucket_quantile(0.9, {})));
  EXPECT_TRUE(std::isnan(bucket_quantile(0.9, {{1, 5}, {2, 6}})));
  EXPECT_TRUE(std::isnan(bucket_quantile(0.9, {{1, 0}, {infinity, 0}})));
  EXPECT_EQ(bucket_quantile(0.5, {{1, 10}, {infinity, 10}}), 0.5);
  // Everything above the last bound: the last bound.
  EXPECT_EQ(bucket_quantile(0.9, {{1, 0}, {infinity, 10}}), 1);
  // Counts that fall are taken as level.
  EXPECT_EQ(bucket_quantile(0.5, {{2, 8}, {1, 10}, {infinity, 10}}), 0.5);
}

TEST(RobustDeviation, IsThatOfTheMiddleWhateverLiesOutside) {
  // Deviations 0, 1, 1, 2 and one of a thousand: their median is 1.
  EXPECT_NEAR(robust_deviation({10, 11, 9, 12, 1010}, 10), 1 / 0.6745, 1e-9);
  EXPECT_EQ(robust_deviation({5, 5, 5}, 5), 0);
}

TEST(Summary, OfWhatIsANumber) {
  const auto samples = every_minute({5, kNan, 1, 3, std::numeric_limits<double>::infinity(), 2, 4});
  const auto summary = summarize(samples, kStart, kStart + minutes(5));
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->points, 4u);
  EXPECT_EQ(summary->not_a_number, 2u);
  EXPECT_EQ(summary->mean, 2.75);
  EXPECT_EQ(summary->min, 1);
  EXPECT_EQ(summary->min_at, kStart + minutes(2));
  EXPECT_EQ(summary->max, 5);
  EXPECT_EQ(summary->last, 2);
  EXPECT_NEAR(summary->p95, 4.7, 1e-12);
  EXPECT_EQ(summarize(samples, kStart + minutes(1), kStart + minutes(1)), std::nullopt);
  EXPECT_EQ(summarize({}, kStart, kStart + minutes(1)), std::nullopt);
  EXPECT_EQ(summarize(samples, kStart + minutes(1), kStart), std::nullopt);
}

TEST(FirstBeyond, WhatIsClearlyOutsideOnEitherSide) {
  const std::vector<double> values = {1, 2, 2.5, std::nan(""), 2.7, 0.7, 9};
  std::vector<Sample> samples;
  for (size_t i = 0; i < values.size(); ++i)
    samples.push_back({Instant(std::chrono::minutes(i)), values[i]});
  const auto first = [&](int from, double low, double high) {
    const auto found = first_beyond(samples, Instant(std::chrono::minutes(from)),
                                    Instant(std::chrono::hours(1)), low, high);
    return found ? found->value : -1;
  };
  EXPECT_EQ(first(0, 1, 2), 2.7);  // 2.5 is beyond, but not clearly
  EXPECT_EQ(first(0, 1, 5), 0.7);
  EXPECT_EQ(first(0, 0, 5), 9);  // nothing is below nothing
  EXPECT_EQ(first(6, 1, 5), 9);
  EXPECT_EQ(first(0, 0.6, 8), -1);
}

TEST(Sparkline, ShowsTheCourseAndTheGaps) {
  EXPECT_EQ(sparkline(every_minute({0, 1, kNan, 3, 4, 5, 6, 7}), kStart, kStart + minutes(8), 8),
            "▁▂·▄▅▆▇█");
  EXPECT_EQ(sparkline(every_minute({2, 2, 2, 2}), kStart, kStart + minutes(4), 4), "▁▁▁▁");
  EXPECT_EQ(sparkline({}, kStart, kStart + minutes(4), 4), "");
}

struct Noise {
  explicit Noise(uint32_t seed) : random(seed) {}
  // Sum of uniforms: the same on every standard library.
  double normal() {
    double sum = 0;
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(random()) / 4294967296.0;
    return sum - 6;
  }
  std::mt19937 random;
};

TEST(ChangePoints, AStepIsFoundAtItsSample) {
  Noise noise(1);
  std::vector<double> values;
  for (int i = 0; i < 300; ++i) values.push_back((i < 200 ? 10 : 16) + noise.normal());
  const auto changes = find_changes(every_minute(values));
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].at, kStart + minutes(200));
  EXPECT_NEAR(changes[0].before, 10, 0.3);
  EXPECT_NEAR(changes[0].after, 16, 0.3);
  EXPECT_LT(changes[0].p_value, 1e-6);
  EXPECT_GT(changes[0].pairs, 0.99);
}

TEST(ChangePoints, AlsoShortlyBeforeTheEndAndDownAgain) {
  Noise noise(2);
  std::vector<double> values;
  for (int i = 0; i < 288; ++i) values.push_back((i >= 275 ? 30 : 10) + noise.normal());
  auto changes = find_changes(every_minute(values));
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].at, kStart + minutes(275));
  values.clear();
  for (int i = 0; i < 300; ++i) values.push_back((i >= 100 && i < 180 ? 30 : 10) + noise.normal());
  changes = find_changes(every_minute(values));
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].at, kStart + minutes(100));
  EXPECT_EQ(changes[1].at, kStart + minutes(180));
}

TEST(ChangePoints, AStepIsExactWhereverItIsAndHoweverNoisyTheLevelBefore) {
  for (uint32_t seed = 0; seed < 40; ++seed)
    // 569: eight samples before the end.
    for (const int step : {60, 200, 400, 540, 550, 555, 560, 565, 569})
      for (const double height : {127.0, 8.0, -8.0}) {
        Noise noise(seed);
        std::vector<double> values;
        for (int i = 0; i < 577; ++i) values.push_back((i < step ? 0 : height) + noise.normal());
        const auto changes = find_changes(every_minute(values));
        const auto found = std::ranges::find(changes, kStart + minutes(step), &ChangePoint::at);
        EXPECT_NE(found, changes.end())
            << seed << " " << step << " " << height
            << (changes.empty() ? "" : " " + format_time(changes.back().at));
      }
}

TEST(ChangePoints, AStepThatARateMakesARampBeginsWhereTheLevelIsLeft) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    Noise noise(seed);
    std::vector<double> values;
    for (int i = 0; i < 577; ++i)
      values.push_back((i < 561 ? 0 : i == 561 ? 30 : 120) + noise.normal());
    const auto changes = find_changes(every_minute(values));
    ASSERT_FALSE(changes.empty()) << seed;
    EXPECT_EQ(changes.back().at, kStart + minutes(561)) << seed;
  }
}

TEST(ChangePoints, SpikesAndLevelSeriesAreNone) {
  Noise noise(3);
  std::vector<double> values;
  for (int i = 0; i < 300; ++i) values.push_back((i % 60 == 30 ? 500 : 10) + noise.normal());
  EXPECT_TRUE(find_changes(every_minute(values)).empty());
  EXPECT_TRUE(find_changes(every_minute(std::vector<double>(300, 7))).empty());
  std::vector<double> rounding(300, 0.1833333333333333);
  for (size_t i = 150; i < rounding.size(); ++i) rounding[i] += 3e-16;
  EXPECT_TRUE(find_changes(every_minute(rounding)).empty());
  EXPECT_TRUE(find_changes(every_minute({1, 1, 1, 9, 9, 9})).empty());
  EXPECT_TRUE(find_changes({}).empty());
  EXPECT_TRUE(find_changes(every_minute(std::vector<double>(50, kNan))).empty());
}

// The share of series without any change in which one is claimed.
double false_alarms(double memory, int series) {
  int claimed = 0;
  for (int s = 0; s < series; ++s) {
    Noise noise(1000 + s);
    std::vector<double> values;
    double last = 0;
    for (int i = 0; i < 288; ++i) values.push_back(last = memory * last + noise.normal());
    claimed += find_changes(every_minute(values)).empty() ? 0 : 1;
  }
  return static_cast<double>(claimed) / series;
}

TEST(ChangePoints, NoiseIsRarelyTakenForAChangeEvenIfItRemembers) {
  EXPECT_LE(false_alarms(0, 400), 0.02);
  EXPECT_LE(false_alarms(0.7, 400), 0.05);
  EXPECT_LE(false_alarms(0.95, 400), 0.10);
}

// A wave of a day and an amplitude of 10, every five minutes for two days, with noise.
double wave(int i, Noise& noise, double spread) {
  return 50 + 10 * std::sin(i * 2 * std::numbers::pi / 288) + spread * noise.normal();
}

TEST(ChangePoints, AStepOutOfASmoothWaveIsFoundAtItsSample) {
  for (const double spread : {0.0, 0.1, 1.0}) {
    // 571: six samples before the end.
    for (const int step : {60, 250, 345, 500, 571}) {
      Noise noise(4);
      std::vector<double> values;
      for (int i = 0; i < 577; ++i) values.push_back(wave(i, noise, spread) + (i < step ? 0 : 40));
      const auto changes = find_changes(every_minute(values));
      // Ranks may take a half of the noisy wave for a level; the step is found all the same.
      if (spread < 1) {
        EXPECT_EQ(changes.size(), 1u) << spread << " " << step;
      }
      const auto found = std::ranges::find(changes, kStart + minutes(step), &ChangePoint::at);
      ASSERT_NE(found, changes.end()) << spread << " " << step;
      EXPECT_GT(found->after - found->before, 20);
    }
  }
  // To a level that is always the same: saturated.
  std::vector<double> values;
  for (int i = 0; i < 577; ++i) values.push_back(i < 353 ? 0.22 + 0.02 * std::sin(i / 3.0) : 0.99);
  const auto changes = find_changes(every_minute(values));
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].at, kStart + minutes(353));
  EXPECT_EQ(changes[0].after, 0.99);
}

TEST(ChangePoints, ARiseAndAFallOutOfAWaveAreTwo) {
  Noise noise(5);
  std::vector<double> values;
  for (int i = 0; i < 577; ++i)
    values.push_back(wave(i, noise, 0.1) + (i >= 300 && i < 450 ? 60 : 0));
  const auto changes = find_changes(every_minute(values));
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0].at, kStart + minutes(300));
  EXPECT_EQ(changes[1].at, kStart + minutes(450));
}

TEST(ChangePoints, WavesTrendsAndPulsesAreNone) {
  const auto check = [](std::string_view what, auto value) {
    int claimed = 0;
    for (uint32_t seed = 0; seed < 40; ++seed) {
      Noise noise(seed);
      std::vector<double> values;
      for (int i = 0; i < 577; ++i) values.push_back(value(i, noise));
      claimed += find_changes(every_minute(values)).empty() ? 0 : 1;
    }
    EXPECT_LE(claimed, 1) << what;
  };
  check("wave", [](int i, Noise& noise) { return wave(i, noise, 0); });
  check("wave with noise", [](int i, Noise& noise) { return wave(i, noise, 1); });
  check("trend", [](int i, Noise&) { return 0.1 * i; });
  check("trend with noise", [](int i, Noise& noise) { return 0.1 * i + 0.1 * noise.normal(); });
  check("wave with spikes",
        [](int i, Noise& noise) { return i % 100 == 50 ? 500 : wave(i, noise, 0.1); });
  // A job of ten minutes each hour.
  check("pulses", [](int i, Noise& noise) { return (i % 60 < 10 ? 90 : 10) + noise.normal(); });
  check("a pulse on a wave",
        [](int i, Noise& noise) { return wave(i, noise, 0.1) + (i >= 300 && i < 312 ? 60 : 0); });
  // Memory that fills and is freed.
  check("saw", [](int i, Noise& noise) { return i % 48 + noise.normal(); });
}

TEST(ChangePoints, AWaveThatIsSeenEachSecondIsNone) {
  Noise noise(6);
  std::vector<double> values;
  for (int i = 0; i < 100'000; ++i)
    values.push_back(50 + 10 * std::sin(i / 3000.0) + 0.01 * noise.normal());
  EXPECT_TRUE(find_changes(every_minute(values)).empty());
}

TEST(LevelJump, OfAStepAndOfNone) {
  std::vector<double> values(100, 1);
  EXPECT_EQ(find_jump(every_minute(values)).p_value, 1);
  std::fill(values.begin() + 70, values.end(), 2);
  const LevelJump jump = find_jump(every_minute(values));
  EXPECT_LT(jump.p_value, 1e-6);
  EXPECT_EQ(jump.place, 70u);
  EXPECT_EQ(find_jump(every_minute(std::vector<double>(values.begin() + 66, values.end()))).p_value,
            1);
}

}  // namespace
}  // namespace precedent
