// What the figures of a metric are of, and what they cannot tell: of now or of the past, of one
// series or of several, up to the highest bound of a histogram.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "telemetry/alerts/fake_alert_source.h"
#include "telemetry/report/metric_course.h"
#include "telemetry/report/metric_report.h"
#include "telemetry/snapshot/fake_metrics_source.h"
#include "telemetry/snapshot/telemetry_lab.h"

namespace precedent {
namespace {

using std::chrono::minutes;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

MetricData data_of(const std::string& openmetrics) {
  MetricBuilder builder;
  ReadProblems problems;
  read_exposition(openmetrics + "# EOF\n", "x.om", builder, problems);
  EXPECT_THAT(problems.lines(), IsEmpty());
  return std::move(builder).take();
}

std::string sample(std::string_view series, double value, Instant at) {
  return fmt::format("{} {} {}\n", series, value, at.time_since_epoch().count() / 1000);
}

struct MetricFigures : testing::Test {
  MetricsResult ask(std::string_view text) { return ask(text, lab); }
  MetricsResult ask(std::string_view text, const MetricsSource& source) {
    const auto result = report_metrics(parse_metrics_question(text).value(),
                                       {&source, &alerts, config}, lab_end(), {cancel});
    EXPECT_TRUE(result) << text << ": " << result.error().text();
    return result.value_or(MetricsResult{});
  }

  FakeMetricsSource lab{lab_data()};
  FakeAlertSource alerts{{}};
  MetricsConfig config = read_metrics_config(default_tools_config(), "x", [](const std::string&) {
                           return std::nullopt;
                         }).value();
  CancelToken cancel;
};

TEST_F(MetricFigures, TheLastValueOfASeriesThatEndedIsNotOfNow) {
  const MetricsResult ended = ask("metric=memory_bytes window=3h filter=instance=b");
  ASSERT_TRUE(ended.summary);
  EXPECT_EQ(ended.silence, "no values");
  EXPECT_EQ(ask("metric=memory_bytes window=3h filter=instance=a").silence, "");
  // A number that was followed by NaN.
  const MetricsResult nan =
      ask("metric=cache_hit_ratio since=2026-11-19T10:10Z until=2026-11-19T10:39Z");
  ASSERT_TRUE(nan.summary);
  EXPECT_EQ(nan.silence, "no number");
  EXPECT_THAT(nan.notes, Contains(HasSubstr("the metric itself was NaN")));
}

TEST_F(MetricFigures, WhatComesEveryHourIsNotSilentInBetween) {
  std::string text = "# TYPE backup_size gauge\n# TYPE clock gauge\n";
  for (int hour = 0; hour <= 48; ++hour)
    text += sample("backup_size", 5, lab_end() - std::chrono::hours(48 - hour) - minutes(40));
  const FakeMetricsSource source(data_of(text + sample("clock", 1, lab_end())));
  EXPECT_EQ(ask("metric=backup_size window=24h", source).silence, "");
}

TEST_F(MetricFigures, TheMeanOfSeveralGaugesSaysSoAndNamesTheHighest) {
  const MetricsResult mean = ask("metric=memory_bytes window=1h until=2h");
  EXPECT_EQ(mean.combined, "mean of 2 series");
  ASSERT_TRUE(mean.highest && mean.lowest);
  EXPECT_EQ(mean.highest->labels.at("instance"), "b");
  EXPECT_EQ(mean.highest->value, 2e8);
  EXPECT_EQ(mean.lowest->labels.at("instance"), "a");
  EXPECT_GT(mean.highest->value, mean.summary->max);
  EXPECT_THAT(mean.notes, Contains(AllOf(HasSubstr("agg=max"), HasSubstr("filter= with one of "
                                                                         "instance"))));
  // What was asked for needs no advice.
  const MetricsResult most = ask("metric=memory_bytes window=1h until=2h agg=max");
  EXPECT_EQ(most.combined, "highest of 2 series");
  EXPECT_EQ(most.summary->max, most.highest->value);
  EXPECT_THAT(most.notes, Not(Contains(HasSubstr("agg=max"))));
  EXPECT_EQ(ask("metric=memory_bytes window=1h until=2h by=instance").combined, "mean of 2 series");
  // One series is what it is, and rates are added up as a matter of course.
  EXPECT_EQ(ask("metric=memory_bytes window=1h until=2h filter=instance=a").combined, "");
  EXPECT_EQ(ask("metric=http_requests_total window=1h until=2h").combined, "");
}

TEST_F(MetricFigures, LatenciesAndSharesAreNeverAddedUp) {
  std::string text = "# TYPE wait_seconds gauge\n# TYPE used_ratio gauge\n# TYPE jobs gauge\n";
  for (const char* pod : {"a", "b"})
    for (int m = 0; m <= 120; ++m) {
      const Instant at = lab_end() - minutes(120 - m);
      for (const char* metric : {"wait_seconds", "used_ratio", "jobs"})
        text += sample(fmt::format("{}{{pod=\"{}\"}}", metric, pod), 0.5, at);
    }
  const FakeMetricsSource source(data_of(text));
  for (const char* metric : {"wait_seconds", "used_ratio"}) {
    const MetricsResult asked = ask(fmt::format("metric={} agg=sum window=1h", metric), source);
    EXPECT_EQ(asked.summary->last, 0.5) << metric;
    EXPECT_THAT(asked.notes, Contains(HasSubstr("do not add up")));
    config.names.push_back({.name = "own", .metrics = {metric}, .aggregation = Aggregation::kSum});
    EXPECT_EQ(ask("metric=own window=1h", source).summary->last, 0.5) << metric;
    config.names.pop_back();
  }
  EXPECT_EQ(ask("metric=jobs agg=sum window=1h", source).summary->last, 1);
  // A name that leaves it open is as the metric itself.
  config.names.push_back({.name = "own", .metrics = {"jobs"}});
  EXPECT_EQ(ask("metric=own window=1h", source).summary->last, 0.5);
}

TEST_F(MetricFigures, ANameOfACounterIsItsRateUnlessItSaysOtherwise) {
  config.names.push_back({.name = "own", .metrics = {"http_requests_total"}});
  EXPECT_THAT(ask("metric=own window=1h").expression, HasSubstr("rate("));
  config.names.back().statistic = Statistic::kValue;
  EXPECT_THAT(ask("metric=own window=1h").expression, Not(HasSubstr("rate(")));
}

// A summary of two instances: .5 and .99 of each.
TEST_F(MetricFigures, TheQuantilesOfASummaryHaveNoMean) {
  std::string text = "# TYPE call_seconds summary\n";
  for (int m = 0; m <= 120; ++m) {
    const Instant at = lab_end() - minutes(120 - m);
    for (const auto& [pod, factor] : {std::pair("a", 1.0), {"b", 2.0}}) {
      const auto series = [&](const char* quantile) {
        return fmt::format("call_seconds{{pod=\"{}\",quantile=\"{}\"}}", pod, quantile);
      };
      text += sample(series("0.5"), 0.1 * factor, at);
      text += sample(series("0.99"), 3 * factor, at);
      text += sample(fmt::format("call_seconds_sum{{pod=\"{}\"}}", pod), m, at);
      text += sample(fmt::format("call_seconds_count{{pod=\"{}\"}}", pod), m, at);
    }
  }
  const FakeMetricsSource source(data_of(text));
  const MetricsResult high = ask("metric=call_seconds window=1h", source);
  EXPECT_EQ(high.summary->last, 6);
  EXPECT_THAT(high.notes, Contains(HasSubstr("its quantile 0.99")));
  EXPECT_EQ(ask("metric=call_seconds stat=p50 window=1h", source).summary->last, 0.2);
  EXPECT_EQ(ask("metric=call_seconds stat=p50 filter=pod=a window=1h", source).summary->last, 0.1);
}

// 100 observations a minute, so many of them above the highest bound, 6.4.
MetricData with_overflow(int above) {
  std::string text = "# TYPE wait_seconds histogram\n# UNIT wait_seconds seconds\n";
  for (int m = 0; m <= 120; ++m) {
    const Instant at = lab_end() - minutes(120 - m);
    text += sample("wait_seconds_bucket{le=\"0.1\"}", 50 * m, at);
    text += sample("wait_seconds_bucket{le=\"6.4\"}", (100 - above) * m, at);
    text += sample("wait_seconds_bucket{le=\"+Inf\"}", 100 * m, at);
    text += sample("wait_seconds_count", 100 * m, at);
  }
  return data_of(text);
}

TEST_F(MetricFigures, AQuantileAboveTheHighestBoundIsAtLeastThat) {
  const MetricsResult open =
      ask("metric=wait_seconds window=1h", FakeMetricsSource(with_overflow(30)));
  ASSERT_TRUE(open.summary);
  EXPECT_NEAR(open.summary->last, 6.4, 1e-9);
  ASSERT_TRUE(open.ceiling);
  EXPECT_EQ(*open.ceiling, 6.4);
  EXPECT_THAT(open.notes, Contains(HasSubstr("6.4 seconds is the highest bound of the histogram")));
  // Exactly at the bound, none above it, and well below it.
  EXPECT_FALSE(ask("metric=wait_seconds window=1h", FakeMetricsSource(with_overflow(5))).ceiling);
  EXPECT_FALSE(ask("metric=wait_seconds window=1h", FakeMetricsSource(with_overflow(0))).ceiling);
  EXPECT_FALSE(
      ask("metric=wait_seconds stat=p50 window=1h", FakeMetricsSource(with_overflow(30))).ceiling);
}

TEST_F(MetricFigures, AHistogramWithoutItsLastBucketSaysWhyThereIsNoQuantile) {
  MetricData cut = with_overflow(0);
  std::erase_if(cut.series.find("wait_seconds_bucket")->second,
                [](const Series& series) { return series.labels.at("le") == "+Inf"; });
  const MetricsResult result =
      ask("metric=wait_seconds window=1h", FakeMetricsSource(std::move(cut)));
  EXPECT_FALSE(result.summary);
  EXPECT_THAT(result.notes, Contains(HasSubstr("has no bucket le=\"+Inf\"")));
}

TEST_F(MetricFigures, ATimeBeforeTheFirstValueIsSaidOnce) {
  const MetricsResult result = ask("metric=memory_bytes window=1h filter=instance=a");
  EXPECT_THAT(result.notes, Contains(AllOf(HasSubstr("No values a week earlier"),
                                           HasSubstr(": they begin about 2026-11-19T10:00:"))));
  // The same is missing of what is counted and of what it is divided by.
  const MetricsResult ratio = ask("metric=error_rate window=1h filter=zone=eu");
  EXPECT_EQ(std::ranges::count(ratio.notes, ratio.notes.back()), 1);
  EXPECT_THAT(ratio.notes, Contains(HasSubstr("No series has the label of zone=\"eu\"")));
}

TEST_F(MetricFigures, DegreesBelowZeroAreNotSoManyTimesOthers) {
  std::string text = "# TYPE freezer_celsius gauge\n# UNIT freezer_celsius celsius\n";
  for (int m = 0; m <= 240; ++m)
    text += sample("freezer_celsius", m < 180 ? -80 : -60, lab_end() - minutes(240 - m));
  const MetricsResult result =
      ask("metric=freezer_celsius window=1h", FakeMetricsSource(data_of(text)));
  ASSERT_FALSE(result.comparisons.empty());
  EXPECT_FALSE(result.comparisons[0].ratio);
  EXPECT_NEAR(result.comparisons[0].difference, 20, 1);
  EXPECT_THAT(result.now_against, IsEmpty());
}

// The endpoint is called path here, which no file says.
TEST_F(MetricFigures, AlertsAreRestrictedByAFilterAsTheSeriesHaveIt) {
  config.labels.clear();
  std::string text = "# TYPE depth gauge\n";
  for (const char* path : {"/plan", "/move"})
    text += sample(fmt::format("depth{{app=\"router\",path=\"{}\"}}", path), 1, lab_end());
  const FakeMetricsSource source(data_of(text));
  const auto alert = [](const char* name, LabelSet labels) {
    return Alert{.name = name, .labels = std::move(labels), .starts_at = lab_begin()};
  };
  alerts = FakeAlertSource({alert("MoveSlow", {{"app", "router"}, {"path", "/move"}}),
                            alert("PlanSlow", {{"app", "router"}, {"path", "/plan"}}),
                            alert("RouterMemory", {{"app", "router"}}),
                            alert("PlanOld", {{"endpoint", "/plan"}, {"app", "router"}})});
  for (const char* label : {"endpoint", "path"}) {
    std::vector<std::string> names;
    for (const Alert& one :
         ask(fmt::format("metric=depth window=1h filter={}=/plan", label), source).alerts)
      names.push_back(one.name);
    EXPECT_THAT(names, Contains("PlanSlow")) << label;
    EXPECT_THAT(names, Contains("RouterMemory")) << label;
    EXPECT_THAT(names, Not(Contains("MoveSlow"))) << label;
  }
}

// What a live source tells is of now; the question is of an hour before.
TEST_F(MetricFigures, AnAlertThatBeganLaterIsNotOfAPastWindow) {
  const Alert before{.name = "Old", .starts_at = lab_end() - minutes(70)};
  const Alert after{.name = "New", .starts_at = lab_end() - minutes(50)};
  alerts = FakeAlertSource({before, after});
  const auto names = [&](std::string_view text) {
    std::vector<std::string> found;
    for (const Alert& alert : ask(text).alerts) found.push_back(alert.name);
    return found;
  };
  EXPECT_THAT(names("alert=*"), testing::ElementsAre("New", "Old"));
  EXPECT_THAT(names("alert=* window=1h until=1h"), testing::ElementsAre("Old"));
  EXPECT_THAT(names("metric=memory_bytes window=1h until=1h"), testing::ElementsAre("Old"));
}

}  // namespace
}  // namespace precedent
