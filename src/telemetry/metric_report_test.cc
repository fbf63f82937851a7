// The whole way from a line of text to the numbers, over the lab's four hours.
#include "telemetry/metric_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "telemetry/fake_alert_source.h"
#include "telemetry/fake_metrics_source.h"
#include "telemetry/telemetry_lab.h"

namespace precedent {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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

TEST_F(MetricReport, a_friendly_name_with_a_filter_called_otherwise_here) {
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

TEST_F(MetricReport, since_the_moment_of_the_change_the_change_is_still_seen) {
  const MetricsResult result =
      ask("metric=p95_latency since=2026-11-19T13:00Z filter=endpoint=/api/search");
  ASSERT_EQ(result.changes.size(), 1u);
  EXPECT_LE(std::chrono::abs(result.changes[0].at - lab_deploy()), std::chrono::minutes(5));
}

TEST_F(MetricReport, the_first_value_beyond_all_that_it_is_compared_to) {
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

TEST_F(MetricReport, errors_that_were_never_counted_before) {
  const MetricsResult result = ask("metric=error_rate window=1h filter=service=search");
  ASSERT_TRUE(result.summary);
  EXPECT_NEAR(result.summary->last, 30.0 / 630, 1e-3);
  EXPECT_NEAR(result.comparisons.at(0).mean, 0, 1e-3);
  EXPECT_EQ(result.unit, "ratio");
}

TEST_F(MetricReport, the_series_that_contribute_most_to_a_total) {
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

TEST_F(MetricReport, an_unknown_name_gives_the_nearest_and_no_numbers) {
  const MetricsResult result = ask("metric=cache_hits_ratio");
  EXPECT_FALSE(result.summary);
  ASSERT_FALSE(result.nearest.empty());
  EXPECT_EQ(result.nearest[0], "cache_hit_ratio");
  EXPECT_THAT(result.notes, Contains(HasSubstr("there is no metric cache_hits_ratio")));
}

TEST_F(MetricReport, a_friendly_name_without_any_of_its_metrics_says_which) {
  const MetricsResult result = ask("metric=saturation");
  EXPECT_FALSE(result.summary);
  EXPECT_THAT(result.notes, Contains(HasSubstr("container_cpu_usage_seconds_total")));
  EXPECT_THAT(result.notes, Contains(HasSubstr("name the right one in config/tools.yaml")));
}

TEST_F(MetricReport, a_filter_that_fits_nothing_names_what_there_is) {
  const MetricsResult value = ask("metric=throughput filter=service=serch");
  EXPECT_FALSE(value.summary);
  EXPECT_THAT(value.notes, Contains(HasSubstr("service is for example: search")));
  const MetricsResult label = ask("metric=throughput filter=zone=eu");
  EXPECT_THAT(label.notes, Contains(HasSubstr("the labels are: code, handler, service")));
}

TEST_F(MetricReport, a_value_in_another_spelling_is_taken_and_said) {
  const MetricsResult result = ask("metric=throughput window=1h filter=handler=/API/Search/");
  EXPECT_TRUE(result.summary);
  EXPECT_THAT(result.notes, Contains(HasSubstr("was taken as handler=\"/api/search\"")));
}

TEST_F(MetricReport, an_ended_series_is_asked_for_again_and_its_end_is_told) {
  const MetricsResult result = ask("metric=memory_bytes window=30m filter=instance=b");
  EXPECT_FALSE(result.summary);
  EXPECT_THAT(result.notes,
              Contains(HasSubstr("asked again over 7d: the last was about 2026-11-19T12:")));
}

TEST_F(MetricReport, points_that_are_no_number_are_counted) {
  const MetricsResult result =
      ask("metric=cache_hit_ratio since=2026-11-19T10:20Z until=2026-11-19T11:00Z");
  ASSERT_TRUE(result.summary);
  EXPECT_GT(result.summary->not_a_number, 0u);
  EXPECT_THAT(result.notes, Contains(HasSubstr("are not a number")));
}

TEST_F(MetricReport, a_frozen_source_ends_when_it_ends_and_a_live_one_now) {
  EXPECT_EQ(format_time(ask("metric=memory_bytes window=1h").to), "2026-11-19T13:59:07Z");
  metrics.set_live();
  EXPECT_EQ(format_time(ask("metric=memory_bytes window=1h").to), "2026-11-19T14:00:00Z");
}

TEST_F(MetricReport, an_alert_by_its_name_also_where_a_metric_was_expected) {
  EXPECT_THAT(ask("alert=searchlatencyhigh").alerts, testing::SizeIs(1));
  const MetricsResult result = ask("metric=DiskFilling");
  ASSERT_EQ(result.alerts.size(), 1u);
  EXPECT_THAT(result.notes, Contains("DiskFilling is an alert, and no metric."));
  EXPECT_THAT(ask("alert=NoSuchAlert").alerts, IsEmpty());
}

TEST_F(MetricReport, all_active_alerts_by_a_star) {
  EXPECT_EQ(ask("alert=*").alerts.size(), lab_active().size());
  EXPECT_EQ(ask("alert=SearchLatencyHigh").alerts.size(), 1u);
}

TEST_F(MetricReport, alerts_that_contradict_a_filter_are_left_out) {
  std::vector<std::string> names;
  for (const Alert& alert : ask("metric=throughput filter=service=search").alerts)
    names.push_back(alert.name);
  EXPECT_THAT(names, ElementsAre("SearchLatencyHigh"));
}

TEST_F(MetricReport, a_failing_alert_source_is_a_note_and_a_failing_metrics_source_an_error) {
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

TEST_F(MetricReport, where_only_alerts_are_asked_for_their_failing_source_is_an_error) {
  alerts.fail_with({ErrorCode::kUnavailable, "Alertmanager is away"});
  for (const char* query : {"alert=*", "alert=SearchLatencyHigh"}) {
    const auto failed = try_ask(query);
    ASSERT_FALSE(failed) << query;
    EXPECT_EQ(failed.error().message, "Alertmanager is away");
  }
}

TEST_F(MetricReport, many_series_of_promql_are_ranked_and_not_listed) {
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

TEST_F(MetricReport, a_template_in_promql_is_filled_in) {
  config.names.push_back(
      {.name = "busy", .unit = "ratio", .promql = "max by ($by) (busy{$filters}[$range])"});
  metrics.answer_promql({});
  const MetricsResult result = ask("metric=busy filter=a=b by=c window=1h");
  EXPECT_EQ(result.expression, "max by (c) (busy{a=\"b\"}[5m])");
}

TEST(Steps, give_a_screen_of_points) {
  EXPECT_EQ(step_of(std::chrono::hours(1)), std::chrono::seconds(10));
  EXPECT_EQ(step_of(std::chrono::hours(24)), std::chrono::minutes(5));
  EXPECT_EQ(step_of(std::chrono::days(7)), std::chrono::minutes(30));
  EXPECT_EQ(step_of(std::chrono::days(3650)), std::chrono::days(14));
}

}  // namespace
}  // namespace precedent
