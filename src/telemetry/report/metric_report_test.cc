// The whole way from a line of text to the numbers, over the lab's four hours.
#include "telemetry/report/metric_report.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "telemetry/alerts/fake_alert_source.h"
#include "telemetry/report/metric_course.h"
#include "telemetry/snapshot/fake_metrics_source.h"
#include "telemetry/snapshot/telemetry_lab.h"

namespace precedent {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct MetricReport : testing::Test {
  static std::vector<Alert> lab_active() {
    std::vector<Alert> out;
    std::vector<RecordedAlert> all = read_alerts(lab_alerts_json(), "lab").value();
    for (RecordedAlert& recorded : all)
      if (!recorded.ends_at) out.push_back(std::move(recorded.alert));
    return out;
  }
  Result<MetricsResult> try_ask(std::string_view text) {
    return report_metrics(parse_metrics_question(text).value(), {&metrics, &alerts, config},
                          lab_end(), {cancel});
  }
  MetricsResult ask(std::string_view text) {
    auto result = try_ask(text);
    EXPECT_TRUE(result) << text << ": " << result.error().text();
    return result.value_or(MetricsResult{});
  }

  FakeMetricsSource metrics{lab_data()};
  FakeAlertSource alerts{lab_active()};
  MetricsConfig config = read_metrics_config(default_tools_config(), "x", [](const std::string&) {
                           return std::nullopt;
                         }).value();
  CancelToken cancel;
};

TEST_F(MetricReport, AFriendlyNameWithAFilterCalledOtherwiseHere) {
  const MetricsResult result = ask("metric=p95_latency window=1h filter=endpoint=/api/search");
  EXPECT_EQ(result.expression,
            "histogram_quantile(0.95, sum by (le) "
            "(rate(http_request_duration_seconds_bucket{handler=\"/api/search\"}[5m])))");
  EXPECT_EQ(result.unit, "seconds");
  EXPECT_THAT(result.notes,
              Contains(HasSubstr("endpoint=\"/api/search\" was taken as handler=\"/api/search\"")));
  ASSERT_TRUE(result.summary);
  EXPECT_NEAR(result.summary->last, 1.0, 1e-9);
  ASSERT_FALSE(result.comparisons.empty());
  EXPECT_EQ(result.comparisons[0].what, "the 1h before");
  EXPECT_NEAR(result.comparisons[0].mean, 0.1 + 0.15 * 30 / 54, 0.01);
  EXPECT_GT(*result.comparisons[0].ratio, 4);
  ASSERT_EQ(result.changes.size(), 1u);
  EXPECT_LE(std::chrono::abs(result.changes[0].at - lab_deploy()), std::chrono::minutes(5))
      << format_time(result.changes[0].at);
  ASSERT_FALSE(result.alerts.empty());
  EXPECT_EQ(result.alerts[0].name, "SearchLatencyHigh");
  EXPECT_FALSE(result.sparkline.empty());
}

TEST_F(MetricReport, SinceTheMomentOfTheChangeTheChangeIsStillSeen) {
  const MetricsResult result =
      ask("metric=p95_latency since=2026-11-19T13:00Z filter=endpoint=/api/search");
  ASSERT_EQ(result.changes.size(), 1u);
  EXPECT_LE(std::chrono::abs(result.changes[0].at - lab_deploy()), std::chrono::minutes(5));
}

TEST_F(MetricReport, TheFirstValueBeyondAllThatItIsComparedTo) {
  const MetricsResult result =
      ask("metric=p95_latency since=2026-11-19T13:00Z filter=endpoint=/api/search");
  ASSERT_TRUE(result.first_unusual);
  EXPECT_LE(std::chrono::abs(result.first_unusual->at - lab_deploy()), std::chrono::minutes(10))
      << format_time(result.first_unusual->at);
  double most = 0;
  for (const WindowComparison& comparison : result.comparisons)
    most = std::max(most, comparison.max);
  EXPECT_DOUBLE_EQ(result.first_unusual->bound, most);
  EXPECT_GT(result.first_unusual->value, most * kClearFactor);
}

TEST(MetricCourse, ASureChangeOfNextToNothingIsNoChange) {
  const auto changes = [](double before, double after, std::string unit) {
    const Instant start = lab_begin();
    MetricCourse course{.from = start + std::chrono::hours(24),
                        .to = start + std::chrono::hours(48)};
    course.step = std::chrono::minutes(5);
    for (int i = 0; i <= 576; ++i)
      course.samples.push_back(
          {start + i * course.step, (i < 500 ? before : after) * (1 + 1e-5 * (i % 7))});
    MetricsResult out;
    out.unit = std::move(unit);
    EXPECT_TRUE(tell_course(course, out));
    return out.changes.size();
  };
  EXPECT_EQ(changes(0.2928, 0.2930, "seconds"), 0u);
  EXPECT_EQ(changes(0.2928, 0.3930, "seconds"), 1u);
  // What is missing of a whole is what counts.
  EXPECT_EQ(changes(0.999, 0.99, "ratio"), 1u);
}

TEST_F(MetricReport, ErrorsThatWereNeverCountedBefore) {
  const MetricsResult result = ask("metric=error_rate window=1h filter=service=search");
  ASSERT_TRUE(result.summary);
  EXPECT_NEAR(result.summary->last, 30.0 / 630, 1e-3);
  EXPECT_NEAR(result.comparisons.at(0).mean, 0, 1e-3);
  EXPECT_EQ(result.unit, "ratio");
}

TEST_F(MetricReport, TheSeriesThatContributeMostToATotal) {
  const MetricsResult result = ask("metric=throughput window=1h");
  EXPECT_EQ(result.unit, "requests/s");
  EXPECT_EQ(result.series, 3u);
  ASSERT_EQ(result.top.size(), 3u);
  // New since 13:00.
  EXPECT_EQ(result.top[0].labels.at("code"), "500");
  EXPECT_EQ(result.top[0].before, std::nullopt);
  double shares = 0;
  for (const TopSeries& top : result.top) shares += top.share.value_or(0);
  EXPECT_NEAR(shares, 1, 1e-9);
  const MetricsResult by = ask("metric=throughput window=1h by=service");
  EXPECT_EQ(by.series, 2u);
  EXPECT_EQ(by.top.at(0).labels.size(), 1u);
}

TEST_F(MetricReport, AnUnknownNameGivesTheNearestAndNoNumbers) {
  const MetricsResult result = ask("metric=cache_hits_ratio");
  EXPECT_FALSE(result.summary);
  ASSERT_FALSE(result.nearest.empty());
  EXPECT_EQ(result.nearest[0], "cache_hit_ratio");
  EXPECT_THAT(result.notes, Contains(HasSubstr("there is no metric cache_hits_ratio")));
  // Wherever the notes are told.
  EXPECT_THAT(result.notes, Contains("The nearest names: cache_hit_ratio; metrics_query metric=* "
                                     "lists all."));
  EXPECT_THAT(ask("metric=quux").notes, Contains("metrics_query metric=* lists all metrics."));
}

TEST_F(MetricReport, MetricsAreListed) {
  EXPECT_THAT(ask("metric=*").notes,
              Contains("the fake has 4 metrics: cache_hit_ratio (gauge), "
                       "http_request_duration_seconds (histogram), http_requests_total (counter), "
                       "memory_bytes (gauge)."));
  EXPECT_THAT(ask("metric=http_requests*").notes,
              Contains("the fake has 1 metric whose names begin with http_requests: "
                       "http_requests_total (counter)."));
  EXPECT_THAT(ask("metric=x*").notes, Contains("the fake has 0 metrics whose names begin with x."));
}

TEST_F(MetricReport, PromqlRunsOnWhatIsFrozen) {
  const MetricsResult result = ask("sum(rate(http_requests_total{code=\"200\"}[5m])) window=1h");
  ASSERT_TRUE(result.summary);
  EXPECT_NEAR(result.summary->last, 11, 0.01);
  const MetricsResult none = ask("sum(rate(http_request_total[5m])) window=1h");
  EXPECT_FALSE(none.summary);
  EXPECT_THAT(none.notes, Contains(HasSubstr("The nearest names: http_requests_total")));
}

TEST_F(MetricReport, AFriendlyNameWithoutAnyOfItsMetricsSaysWhich) {
  const MetricsResult result = ask("metric=saturation");
  EXPECT_FALSE(result.summary);
  EXPECT_THAT(result.notes, Contains(HasSubstr("container_cpu_usage_seconds_total")));
  EXPECT_THAT(result.notes, Contains(HasSubstr("name the right one in config/tools.yaml")));
  const FakeMetricsSource other{
      MetricData{.series = {{"wait_latency_seconds", {{{}, {{lab_end(), 1}}}}}}, .info = {}}};
  const auto latency = report_metrics(parse_metrics_question("metric=p95_latency").value(),
                                      {&other, nullptr, config}, lab_end(), {cancel});
  ASSERT_TRUE(latency) << latency.error().text();
  // p50_latency and p99_latency have no metric here either.
  EXPECT_THAT(latency->nearest, ElementsAre("wait_latency_seconds"));
}

TEST_F(MetricReport, AFilterThatFitsNothingNamesWhatThereIs) {
  const MetricsResult value = ask("metric=throughput filter=service=serch");
  EXPECT_FALSE(value.summary);
  EXPECT_THAT(value.notes, Contains(HasSubstr("service is for example: search")));
  const MetricsResult label = ask("metric=throughput filter=zone=eu");
  EXPECT_THAT(label.notes, Contains(HasSubstr("the labels are: code, handler, service")));
}

TEST_F(MetricReport, AValueInAnotherSpellingIsTakenAndSaid) {
  const MetricsResult result = ask("metric=throughput window=1h filter=handler=/API/Search/");
  EXPECT_TRUE(result.summary);
  EXPECT_THAT(result.notes, Contains(HasSubstr("was taken as handler=\"/api/search\"")));
}

TEST_F(MetricReport, AnEndedSeriesIsAskedForAgainAndItsEndIsTold) {
  const MetricsResult result = ask("metric=memory_bytes window=30m filter=instance=b");
  EXPECT_FALSE(result.summary);
  EXPECT_THAT(result.notes,
              Contains(HasSubstr("asked again over 7d: the last was about 2026-11-19T12:")));
}

TEST_F(MetricReport, PointsThatAreNoNumberAreCounted) {
  const MetricsResult result =
      ask("metric=cache_hit_ratio since=2026-11-19T10:20Z until=2026-11-19T11:00Z");
  ASSERT_TRUE(result.summary);
  EXPECT_GT(result.summary->not_a_number, 0u);
  EXPECT_THAT(result.notes, Contains(HasSubstr("are not a number")));
}

TEST_F(MetricReport, WhereNoPointIsANumberThatIsSaid) {
  const MetricsResult result =
      ask("metric=cache_hit_ratio since=2026-11-19T10:31Z until=2026-11-19T10:38Z");
  EXPECT_FALSE(result.summary);
  EXPECT_THAT(result.notes, Contains(HasSubstr("is a number: the metric itself was NaN")));
}

TEST_F(MetricReport, WhatAddingInAnotherOrderLeavesIsNoDifference) {
  const MetricsResult result = ask("metric=memory_bytes window=40m filter=instance=b until=2h");
  ASSERT_FALSE(result.comparisons.empty());
  EXPECT_EQ(result.comparisons[0].difference, 0);
}

// Ten days of every minute: a gauge and a counter that are level but for half an hour.
MetricData ten_days(Instant end) {
  std::string text = "# TYPE depth gauge\n";
  std::string counter = "# TYPE jobs counter\n";
  double count = 0;
  constexpr int kPoints = 14'400;
  for (int i = 0; i <= kPoints; ++i) {
    const auto at =
        (end - std::chrono::minutes(kPoints - i)).time_since_epoch() / std::chrono::seconds(1);
    const bool peak = i >= 10'010 && i < 10'040;
    const bool last = i >= kPoints - 15;
    text += fmt::format("depth {} {}\n", peak ? 90 : last ? 40 : 10 + i % 2, at);
    count += 60 * (peak ? 9 : last ? 4 : 1);
    counter += fmt::format("jobs_total {} {}\n", count, at);
  }
  MetricBuilder builder;
  ReadProblems problems;
  read_exposition(text + counter + "# EOF\n", "x.om", builder, problems);
  return std::move(builder).take();
}

TEST_F(MetricReport, OfALongWindowNowAndTheHighestAreSeenClosely) {
  const FakeMetricsSource source{ten_days(lab_end())};
  for (const char* metric : {"depth", "jobs_total"}) {
    const auto result =
        report_metrics(parse_metrics_question(fmt::format("metric={} window=7d", metric)).value(),
                       {&source, nullptr, config}, lab_end(), {cancel});
    ASSERT_TRUE(result) << result.error().text();
    ASSERT_TRUE(result->summary);
    const double unit = std::string_view(metric) == "depth" ? 10 : 1;
    EXPECT_NEAR(result->summary->last / unit, 4, 0.5) << metric;
    EXPECT_NEAR(result->summary->max / unit, 9, 0.5) << metric;
    EXPECT_THAT(result->notes, Contains(HasSubstr("is seen every 5m")));
    ASSERT_FALSE(result->now_against.empty());
    EXPECT_EQ(result->now_against[0].what, "the same time a day earlier");
    EXPECT_NEAR(result->now_against[0].ratio, 4, 0.5) << metric;
  }
}

// A counter that is read every six minutes only has no rate over five minutes.
TEST_F(MetricReport, SamplesThatComeSeldomHaveARateOverALongerTime) {
  std::string text = "# TYPE jobs counter\n";
  constexpr int kPoints = 500;
  for (int i = 0; i <= kPoints; ++i)
    text += fmt::format("jobs_total {} {}\n", 720 * i,
                        (lab_end() - 6 * std::chrono::minutes(kPoints - i)).time_since_epoch() /
                            std::chrono::seconds(1));
  MetricBuilder builder;
  ReadProblems problems;
  read_exposition(text + "# EOF\n", "x.om", builder, problems);
  const FakeMetricsSource source{std::move(builder).take()};
  const auto result = report_metrics(parse_metrics_question("metric=jobs_total window=6h").value(),
                                     {&source, nullptr, config}, lab_end(), {cancel});
  ASSERT_TRUE(result) << result.error().text();
  ASSERT_TRUE(result->summary);
  EXPECT_NEAR(result->summary->last, 2, 0.01);
  EXPECT_TRUE(result->expression.contains("[15m]")) << result->expression;
  EXPECT_THAT(result->notes, Contains(HasSubstr("too far apart for 5m")));
}

TEST_F(MetricReport, ACounterThatEndedIsNotAskedForOverALongerTime) {
  std::string text = "# TYPE jobs counter\n";
  constexpr int kPoints = 500, kEnded = 50;
  for (int i = 0; i <= kPoints; ++i)
    text +=
        fmt::format("jobs_total {} {}\n", 60 * i,
                    (lab_end() - std::chrono::minutes(kEnded + kPoints - i)).time_since_epoch() /
                        std::chrono::seconds(1));
  // Another one goes on.
  text += fmt::format("# TYPE beat gauge\nbeat 1 {}\n",
                      lab_end().time_since_epoch() / std::chrono::seconds(1));
  MetricBuilder builder;
  ReadProblems problems;
  read_exposition(text + "# EOF\n", "x.om", builder, problems);
  const FakeMetricsSource source{std::move(builder).take()};
  const auto result = report_metrics(parse_metrics_question("metric=jobs_total window=10m").value(),
                                     {&source, nullptr, config}, lab_end(), {cancel});
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_FALSE(result->summary);
  EXPECT_THAT(result->notes, Contains(HasSubstr("asked again over 7d: the last was about")));
}

TEST_F(MetricReport, NowIsComparedWithNowAndTheMeanWithTheMean) {
  const MetricsResult result = ask("metric=p95_latency window=1h filter=endpoint=/api/search");
  ASSERT_EQ(result.now_against.size(), 1u);
  EXPECT_EQ(result.now_against[0].what, "the mean of the 1h before");
  EXPECT_NEAR(result.now_against[0].ratio, result.summary->last / result.comparisons[0].mean, 1e-9);
}

TEST_F(MetricReport, AnAlertOfAnotherServiceThanTheSeriesAreOfIsLeftOut) {
  std::vector<std::string> names;
  for (const Alert& alert : ask("metric=memory_bytes window=1h").alerts)
    names.push_back(alert.name);
  EXPECT_THAT(names, ElementsAre("SearchLatencyHigh"));
}

TEST_F(MetricReport, AFrozenSourceEndsWhenItEndsAndALiveOneNow) {
  EXPECT_EQ(format_time(ask("metric=memory_bytes window=1h").to), "2026-11-19T13:59:07Z");
  metrics.set_live();
  EXPECT_EQ(format_time(ask("metric=memory_bytes window=1h").to), "2026-11-19T14:00:00Z");
}

TEST_F(MetricReport, AnAlertByItsNameAlsoWhereAMetricWasExpected) {
  EXPECT_THAT(ask("alert=searchlatencyhigh").alerts, testing::SizeIs(1));
  const MetricsResult result = ask("metric=DiskFilling");
  ASSERT_EQ(result.alerts.size(), 1u);
  EXPECT_THAT(result.notes, Contains("DiskFilling is an alert, and no metric."));
  EXPECT_THAT(ask("alert=NoSuchAlert").alerts, IsEmpty());
}

TEST_F(MetricReport, AllActiveAlertsByAStar) {
  EXPECT_EQ(ask("alert=*").alerts.size(), lab_active().size());
  EXPECT_EQ(ask("alert=SearchLatencyHigh").alerts.size(), 1u);
}

TEST_F(MetricReport, AlertsThatContradictAFilterAreLeftOut) {
  std::vector<std::string> names;
  for (const Alert& alert : ask("metric=throughput filter=service=search").alerts)
    names.push_back(alert.name);
  EXPECT_THAT(names, ElementsAre("SearchLatencyHigh"));
}

TEST_F(MetricReport, AFailingAlertSourceIsANoteAndAFailingMetricsSourceAnError) {
  alerts.fail_with({ErrorCode::kUnavailable, "Alertmanager is away"});
  const MetricsResult result = ask("metric=throughput window=1h");
  EXPECT_TRUE(result.summary);
  EXPECT_THAT(result.notes, Contains(HasSubstr("Alertmanager is away")));
  EXPECT_THAT(result.alert_problem, HasSubstr("Alertmanager is away"));
  metrics.fail_next({ErrorCode::kTimeout, "too slow"});
  const auto failed = try_ask("metric=throughput");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "too slow");
}

TEST_F(MetricReport, WhereOnlyAlertsAreAskedForTheirFailingSourceIsAnError) {
  alerts.fail_with({ErrorCode::kUnavailable, "Alertmanager is away"});
  for (const char* query : {"alert=*", "alert=SearchLatencyHigh"}) {
    const auto failed = try_ask(query);
    ASSERT_FALSE(failed) << query;
    EXPECT_EQ(failed.error().message, "Alertmanager is away");
  }
}

TEST_F(MetricReport, ManySeriesOfPromqlAreRankedAndNotListed) {
  SeriesSet many;
  for (int i = 0; i < 500; ++i) {
    Series series{{{"pod", fmt::format("p{:03}", i)}}, {}};
    for (int m = 0; m < 240; ++m)
      series.samples.push_back(
          {lab_begin() + std::chrono::minutes(m), i == 321 && m > 200 ? 50.0 : 1.0});
    many.series.push_back(std::move(series));
  }
  metrics.answer_promql(many);
  const MetricsResult result = ask("sum by (pod) (x) window=1h");
  EXPECT_EQ(result.series, 500u);
  EXPECT_THAT(result.notes, Contains(HasSubstr("changed most: {pod=\"p321\"}")));
  EXPECT_EQ(result.top.size(), 5u);
  EXPECT_EQ(result.top[0].labels.at("pod"), "p321");
}

TEST_F(MetricReport, ATemplateInPromqlIsFilledIn) {
  config.names.push_back(
      {.name = "busy", .unit = "ratio", .promql = "max by ($by) (busy{$filters}[$range])"});
  metrics.answer_promql({});
  const MetricsResult result = ask("metric=busy filter=a=b by=c window=1h");
  EXPECT_EQ(result.expression, "max by (c) (busy{a=\"b\"}[5m])");
}

TEST_F(MetricReport, AFilterOnWhatARatioSelectsByNarrowsItsNumeratorOnly) {
  const MetricsResult all = ask("metric=error_rate window=1h filter=service=search");
  const MetricsResult some =
      ask("metric=error_rate window=1h filter=service=search filter=code=500");
  ASSERT_TRUE(all.summary && some.summary);
  EXPECT_NEAR(some.summary->last, all.summary->last, 1e-9);
  EXPECT_THAT(some.expression,
              Not(HasSubstr("/ sum(rate(http_requests_total{service=\"search\",")));
  EXPECT_THAT(some.notes, Contains(HasSubstr("narrows down what is counted, and not what it is "
                                             "divided by")));
  const MetricsResult none = ask("metric=error_rate window=1h filter=code=200");
  EXPECT_FALSE(none.summary);
  EXPECT_THAT(none.notes,
              Contains(HasSubstr("error_rate counts only code=~\"5..\", and none of it is "
                                 "code=\"200\"")));
}

TEST_F(MetricReport, ARatioThatSelectsByALabelThatIsNotThereIsNoZero) {
  config.names.push_back({.name = "failures",
                          .metrics = {"http_requests_total"},
                          .where = {{"outcome", LabelFilter::Op::kEqual, "failed"}},
                          .statistic = Statistic::kRatio});
  const MetricsResult result = ask("metric=failures window=1h");
  EXPECT_FALSE(result.summary);
  EXPECT_THAT(result.notes, Contains(HasSubstr("No series has the label of outcome=\"failed\"; the "
                                               "labels are: code, handler, service.")));
  // A value that no series has was counted, and is 0.
  config.names.back().where[0] = {"code", LabelFilter::Op::kEqual, "503"};
  const MetricsResult zero = ask("metric=failures window=1h");
  ASSERT_TRUE(zero.summary);
  EXPECT_EQ(zero.summary->max, 0);
}

TEST_F(MetricReport, LabelsToKeepApartAreThoseThatThereAre) {
  const MetricsResult unknown = ask("metric=throughput window=1h by=foo,service");
  EXPECT_THAT(unknown.notes, Contains(HasSubstr("No series has the label of by=foo, which is left "
                                                "out; the labels are: code, handler, service.")));
  EXPECT_EQ(unknown.top.at(0).labels.size(), 1u);
  const MetricsResult other = ask("metric=throughput window=1h by=endpoint");
  EXPECT_EQ(other.top.at(0).labels.count("handler"), 1u);
  EXPECT_THAT(other.notes, Contains("by=endpoint was taken as by=handler."));
  const MetricsResult own = ask("metric=error_rate window=1h by=code");
  EXPECT_THAT(own.notes,
              Contains("by=code is left out: error_rate selects by code what it counts."));
}

TEST_F(MetricReport, AnIncreaseSaysWithinWhichTime) {
  EXPECT_EQ(ask("metric=http_requests_total stat=increase window=1h").unit, "in 5m");
  EXPECT_EQ(ask("metric=http_requests_total stat=increase window=7d").unit, "in 30m");
  config.names.push_back({.name = "served",
                          .unit = "requests",
                          .metrics = {"http_requests_total"},
                          .statistic = Statistic::kIncrease});
  EXPECT_EQ(ask("metric=served window=1h").unit, "requests in 5m");
}

// Requests of 3 s and more, from 13:01 on, beside requests of 0.09 s; in other buckets, if `apart`.
MetricData two_histograms(bool apart) {
  std::string text = "# TYPE d_seconds histogram\n# UNIT d_seconds seconds\n";
  const auto add = [&](const char* handler, std::vector<const char*> bounds, size_t all_from,
                       int first) {
    for (size_t i = 0; i < bounds.size(); ++i)
      for (int m = first; m < 240; ++m)
        text +=
            fmt::format("d_seconds_bucket{{handler=\"{}\",pod=\"x\",le=\"{}\"}} {} {}\n", handler,
                        bounds[i], i < all_from ? 0 : 100 * m,
                        (lab_begin() + std::chrono::minutes(m)).time_since_epoch().count() / 1000);
    for (int m = first; m < 240; ++m)
      text +=
          fmt::format("d_seconds_count{{handler=\"{}\",pod=\"x\"}} {} {}\n", handler, 100 * m,
                      (lab_begin() + std::chrono::minutes(m)).time_since_epoch().count() / 1000);
  };
  add("/slow", {"1", "3", "8", "+Inf"}, 2, 181);
  if (apart)
    add("/fast", {"0.05", "0.1", "+Inf"}, 1, 0);
  else
    add("/fast", {"1.0", "3.0", "8.0", "+Inf"}, 0, 0);
  MetricBuilder builder;
  ReadProblems problems;
  read_exposition(text + "# EOF\n", "lab.om", builder, problems);
  return std::move(builder).take();
}

TEST_F(MetricReport, HistogramsWithOtherBucketsAreKeptApart) {
  FakeMetricsSource other(two_histograms(true));
  const auto asked = [&](const FakeMetricsSource& source, std::string_view text) {
    return report_metrics(parse_metrics_question(text).value(), {&source, &alerts, config},
                          lab_end(), {cancel})
        .value();
  };
  const MetricsResult result = asked(other, "metric=d_seconds window=1h");
  ASSERT_TRUE(result.summary);
  EXPECT_THAT(result.expression, HasSubstr("sum by (le, handler)"));
  EXPECT_THAT(
      result.notes,
      Contains(HasSubstr("The histograms of d_seconds differ in their buckets by handler")));
  ASSERT_EQ(result.top.size(), 2u);
  // The slow ones are new: their quantile did not rise from 0.
  EXPECT_THAT(result.notes, Contains(HasSubstr("changed most: {handler=\"/fast\"}")));
  for (const TopSeries& top : result.top)
    EXPECT_NEAR(top.mean, top.labels.at("handler") == "/slow" ? 3 + 5 * 0.95 : 0.05 + 0.05 * 0.95,
                1e-6);
  EXPECT_THAT(asked(other, "metric=d_seconds window=1h by=pod").top.at(0).labels,
              testing::Contains(testing::Key("handler")));
  // One of them alone, and two whose bounds are only written otherwise, are as they were.
  for (const MetricsResult& same :
       {asked(other, "metric=d_seconds window=1h filter=handler=/slow"),
        asked(FakeMetricsSource(two_histograms(false)), "metric=d_seconds window=1h")}) {
    EXPECT_THAT(same.expression, HasSubstr("sum by (le) "));
    EXPECT_THAT(same.notes, Not(Contains(HasSubstr("buckets"))));
  }
}

TEST(Steps, GiveAScreenOfPoints) {
  EXPECT_EQ(step_of(std::chrono::hours(1)), std::chrono::seconds(10));
  EXPECT_EQ(step_of(std::chrono::hours(24)), std::chrono::minutes(5));
  EXPECT_EQ(step_of(std::chrono::days(7)), std::chrono::minutes(30));
  EXPECT_EQ(step_of(std::chrono::days(3650)), std::chrono::days(14));
}

}  // namespace
}  // namespace precedent
