// A spike that lies between two points of the window is found, told once, and only if it is news.
#include "telemetry/report/between_points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "telemetry/report/metric_report.h"
#include "telemetry/snapshot/fake_metrics_source.h"
#include "telemetry/snapshot/telemetry_lab.h"

namespace precedent {
namespace {

using std::chrono::hours, std::chrono::minutes;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// A gauge at 40 every minute of three days, at `value` during the four minutes before each of
// `ends`.
FakeMetricsSource gauge(const std::vector<Instant>& ends, double value = 1000) {
  std::vector<Sample> samples;
  for (Instant at = lab_end() - hours(72); at <= lab_end(); at += minutes(1)) {
    const bool spike =
        std::ranges::any_of(ends, [&](Instant end) { return at < end && at >= end - minutes(4); });
    samples.push_back({at, spike ? value : 40});
  }
  return FakeMetricsSource(MetricData{.series = {{"queue_depth", {{{}, std::move(samples)}}}}});
}

MetricsResult ask(const MetricsSource& source, std::string_view text) {
  const MetricsConfig config =
      read_metrics_config(default_tools_config(), "x", [](const std::string&) {
        return std::nullopt;
      }).value();
  const CancelToken cancel;
  auto result = report_metrics(parse_metrics_question(text).value(), {&source, nullptr, config},
                               lab_end(), {cancel});
  EXPECT_TRUE(result) << result.error().text();
  return result.value_or(MetricsResult{});
}

// Points of a day are five minutes apart, and end at lab_end().
const Instant kBetweenPoints = lab_end() - hours(7);

TEST(BetweenPoints, AShortSpikeIsTheHighestAndAnEpisode) {
  for (const char* query :
       {"metric=queue_depth window=24h", "queue_depth", "metric=queue_depth window=24h agg=max"}) {
    const MetricsResult result = ask(gauge({kBetweenPoints}), query);
    ASSERT_TRUE(result.summary) << query;
    EXPECT_EQ(result.summary->max, 1000) << query;
    EXPECT_LT(result.summary->max_at, kBetweenPoints) << query;
    EXPECT_GE(result.summary->max_at, kBetweenPoints - minutes(4)) << query;
    ASSERT_THAT(result.episodes, SizeIs(1)) << query;
    const Episode& spike = result.episodes[0];
    EXPECT_EQ(spike.peak, 1000);
    EXPECT_EQ(spike.usual, 40);
    EXPECT_LE(std::chrono::abs(spike.from - (kBetweenPoints - minutes(4))), minutes(1));
    ASSERT_TRUE(spike.until);
    EXPECT_LE(std::chrono::abs(*spike.until - kBetweenPoints), minutes(1));
  }
}

TEST(BetweenPoints, WhatWasSoADayEarlierIsTheHighestAndNoEpisode) {
  const MetricsResult result =
      ask(gauge({kBetweenPoints, kBetweenPoints - hours(24)}), "metric=queue_depth window=24h");
  ASSERT_TRUE(result.summary);
  EXPECT_EQ(result.summary->max, 1000);
  EXPECT_THAT(result.episodes, IsEmpty());
}

TEST(BetweenPoints, TheLowestIsOfAllSamplesToo) {
  const MetricsResult result = ask(gauge({kBetweenPoints}, 3), "metric=queue_depth window=24h");
  ASSERT_TRUE(result.summary);
  EXPECT_EQ(result.summary->min, 3);
  EXPECT_LT(result.summary->min_at, kBetweenPoints);
  EXPECT_EQ(result.summary->max, 40);
}

TEST(BetweenPoints, ASpikeOfAnyExpressionOverAGaugeIsFound) {
  for (const char* query : {"queue_depth * 1", "sum(queue_depth)", "queue_depth{job!~\"(a|b)\"}"}) {
    const MetricsResult result = ask(gauge({kBetweenPoints}), query);
    ASSERT_TRUE(result.summary) << query;
    EXPECT_EQ(result.summary->max, 1000) << query;
    EXPECT_THAT(result.episodes, SizeIs(1)) << query;
  }
}

}  // namespace
}  // namespace precedent
