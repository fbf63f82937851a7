// The contract of `MetricsSource` as tests, over the data of telemetry/snapshot/telemetry_lab.h:
// every implementation gives the same numbers, for the same questions.
//
//   INSTANTIATE_TEST_SUITE_P(Embedded, MetricsSourceContract, testing::Values(MetricsSourceMaker([]
//   { …  })));
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <thread>

#include "telemetry/metrics/catalogue.h"
#include "telemetry/report/metric_report.h"
#include "telemetry/snapshot/telemetry_lab.h"

namespace precedent {

using MetricsSourceMaker = std::function<std::unique_ptr<MetricsSource>()>;

class MetricsSourceContract : public testing::TestWithParam<MetricsSourceMaker> {
 protected:
  void SetUp() override { ASSERT_NE(source_, nullptr); }

  static Window window(std::string_view from, std::string_view to, int step_seconds = 60) {
    return {lab_time(from), lab_time(to), std::chrono::seconds(step_seconds)};
  }
  std::vector<Series> ask(const MetricQuery& query, const Window& over) {
    const auto answer = source_->range(query, over, context_);
    EXPECT_TRUE(answer) << answer.error().text() << "\n" << to_promql(query);
    return answer ? answer->series : std::vector<Series>{};
  }
  // Its values, if they are all the same; NaN otherwise.
  static double constant(const Series& series) {
    for (const Sample& sample : series.samples)
      if (std::abs(sample.value - series.samples[0].value) > 1e-9 * std::abs(sample.value))
        return std::numeric_limits<double>::quiet_NaN();
    return series.samples.empty() ? std::numeric_limits<double>::quiet_NaN()
                                  : series.samples[0].value;
  }

  CancelToken cancel_;
  SourceContext context_{cancel_};
  std::unique_ptr<MetricsSource> source_ = GetParam()();
};

TEST_P(MetricsSourceContract, AGaugeIsItsLastSampleForFiveMinutes) {
  const MetricQuery memory{.of = {"memory_bytes", {{"instance", {}, "b"}}}};
  const auto alive = ask(memory, window("2026-11-19T12:00:00Z", "2026-11-19T12:20:00Z"));
  ASSERT_EQ(alive.size(), 1u);
  EXPECT_EQ(alive[0].samples.size(), 21u);
  EXPECT_EQ(constant(alive[0]), 2e8);
  // The last sample is of 12:29:07.
  const auto gone = ask(memory, window("2026-11-19T12:30:00Z", "2026-11-19T12:40:00Z"));
  ASSERT_EQ(gone.size(), 1u);
  EXPECT_EQ(gone[0].samples.back().at, lab_time("2026-11-19T12:34:00Z"));
}

TEST_P(MetricsSourceContract, AggregatesAndGroups) {
  MetricQuery memory{.of = {"memory_bytes"}};
  const Window noon = window("2026-11-19T12:00:00Z", "2026-11-19T12:00:00Z");
  const auto value = [&](Aggregation aggregation) {
    memory.aggregation = aggregation;
    const auto series = ask(memory, noon);
    return series.size() == 1 ? series[0].samples.at(0).value : -1;
  };
  // The last sample before noon is of minute 119.
  EXPECT_EQ(value(Aggregation::kSum), 1e8 + 1e5 * 119 + 2e8);
  EXPECT_EQ(value(Aggregation::kAvg), (1e8 + 1e5 * 119 + 2e8) / 2);
  EXPECT_EQ(value(Aggregation::kMin), 1e8 + 1e5 * 119);
  EXPECT_EQ(value(Aggregation::kMax), 2e8);
  EXPECT_EQ(value(Aggregation::kCount), 2);
  memory.by = {"instance"};
  const auto each = ask(memory, noon);
  ASSERT_EQ(each.size(), 2u);
  EXPECT_EQ(each[0].labels, (LabelSet{{"instance", "a"}}));
  EXPECT_EQ(each[1].labels, (LabelSet{{"instance", "b"}}));
}

TEST_P(MetricsSourceContract, ARateSurvivesTheRestartOfACounter) {
  const MetricQuery rate{
      .statistic = Statistic::kRate,
      .of = {"http_requests_total", {{"service", {}, "search"}, {"code", {}, "200"}}}};
  const auto before = ask(rate, window("2026-11-19T11:00:00Z", "2026-11-19T11:55:00Z"));
  ASSERT_EQ(before.size(), 1u);
  EXPECT_NEAR(constant(before[0]), 10, 1e-9);
  const auto during = ask(rate, window("2026-11-19T12:02:00Z", "2026-11-19T12:02:00Z"));
  ASSERT_EQ(during.size(), 1u);
  EXPECT_GT(during[0].samples.at(0).value, 5);
  EXPECT_LT(during[0].samples.at(0).value, 15);
  const MetricQuery increase{
      .statistic = Statistic::kIncrease, .of = rate.of, .range = std::chrono::hours(1)};
  const auto hour = ask(increase, window("2026-11-19T11:30:00Z", "2026-11-19T11:30:00Z"));
  ASSERT_EQ(hour.size(), 1u);
  EXPECT_NEAR(hour[0].samples.at(0).value, 36'000, 1e-6);
}

TEST_P(MetricsSourceContract, AWindowTellsHowManyInAll) {
  MetricsConfig config = read_metrics_config(default_tools_config(), "x", [](const auto&) {
                           return std::nullopt;
                         }).value();
  const auto total = [&](std::string_view asked) {
    const auto result = report_metrics(
        parse_metrics_question(
            fmt::format("{} filter=service=search since=2026-11-19T13:10Z until=2026-11-19T13:50Z",
                        asked))
            .value(),
        {source_.get(), nullptr, config}, lab_end(), context_);
    EXPECT_TRUE(result) << result.error().text();
    return result && result->total ? *result->total : WindowTotal{-1, -1};
  };
  // 600 a minute and 30 failures, for 40 minutes.
  EXPECT_NEAR(total("metric=error_rate").count, 1'200, 1e-6);
  EXPECT_NEAR(*total("metric=error_rate").of, 25'200, 1e-6);
  EXPECT_NEAR(total("metric=http_requests_total").count, 25'200, 1e-6);
  EXPECT_NEAR(total("metric=http_requests_total stat=increase").count, 25'200, 1e-6);
  EXPECT_EQ(total("metric=http_requests_total agg=max").count, -1);
  EXPECT_EQ(total("metric=memory_bytes").count, -1);
  // A latency made of two counters is no share.
  config.names.push_back({.name = "wait",
                          .unit = "s",
                          .metrics = {"http_request_duration_seconds_sum"},
                          .over = {"http_request_duration_seconds_count"},
                          .statistic = Statistic::kRatio});
  EXPECT_EQ(total("metric=wait").count, -1);
}

TEST_P(MetricsSourceContract, WithoutTwoSamplesInTheRangeThereIsNoRate) {
  const MetricQuery rate{.statistic = Statistic::kRate,
                         .of = {"http_requests_total", {{"service", {}, "cart"}}}};
  const auto gap = ask(rate, window("2026-11-19T10:55:00Z", "2026-11-19T11:30:00Z"));
  ASSERT_EQ(gap.size(), 1u);
  for (const Sample& sample : gap[0].samples) {
    EXPECT_FALSE(sample.at > lab_time("2026-11-19T11:03:00Z") &&
                 sample.at < lab_time("2026-11-19T11:21:00Z"))
        << format_time(sample.at);
    // Less beside the gap, where only part of the range was sampled; never more.
    EXPECT_GT(sample.value, 0.2);
    EXPECT_LT(sample.value, 1.2);
  }
  EXPECT_EQ(gap[0].samples.back().at, lab_time("2026-11-19T11:30:00Z"));
}

TEST_P(MetricsSourceContract, QuantilesOfAHistogram) {
  MetricQuery p95{.statistic = Statistic::kQuantile,
                  .of = {"http_request_duration_seconds", {{"handler", {}, "/api/search"}}}};
  const auto before = ask(p95, window("2026-11-19T11:00:00Z", "2026-11-19T12:55:00Z"));
  ASSERT_EQ(before.size(), 1u);
  // 570 of 600: between 0.1 (540) and 0.25 (594).
  EXPECT_NEAR(constant(before[0]), 0.1 + 0.15 * 30 / 54, 1e-9);
  const auto after = ask(p95, window("2026-11-19T13:10:00Z", "2026-11-19T13:50:00Z"));
  ASSERT_EQ(after.size(), 1u);
  EXPECT_NEAR(constant(after[0]), 1.0, 1e-9);
  p95.of.filters.clear();
  p95.by = {"handler"};
  EXPECT_EQ(ask(p95, window("2026-11-19T13:10:00Z", "2026-11-19T13:50:00Z")).size(), 2u);
}

// 30 of 600 take longer than the highest bound.
TEST_P(MetricsSourceContract, AQuantileBeyondTheBucketsIsToldAsAtLeastTheLast) {
  const MetricsConfig config;
  const auto ceiling = [&](std::string_view stat) {
    const auto result = report_metrics(
        parse_metrics_question(
            fmt::format("metric=http_request_duration_seconds stat={} filter=handler=/api/search "
                        "since=2026-11-19T13:10Z until=2026-11-19T13:50Z",
                        stat))
            .value(),
        {source_.get(), nullptr, config}, lab_end(), context_);
    EXPECT_TRUE(result) << result.error().text();
    return result ? result->ceiling : std::nullopt;
  };
  EXPECT_EQ(ceiling("p99"), 1.0);
  EXPECT_EQ(ceiling("p90"), std::nullopt);
}

TEST_P(MetricsSourceContract, ARatioWhoseNumeratorWasNeverCountedIsZero) {
  const MetricQuery errors{
      .statistic = Statistic::kRatio,
      .of = {"http_requests_total",
             {{"service", {}, "search"}, {"code", LabelFilter::Op::kMatches, "5.."}}},
      .over = {"http_requests_total", {{"service", {}, "search"}}}};
  const auto before = ask(errors, window("2026-11-19T11:00:00Z", "2026-11-19T11:50:00Z"));
  ASSERT_EQ(before.size(), 1u);
  EXPECT_EQ(constant(before[0]), 0);
  EXPECT_EQ(before[0].samples.size(), 51u);
  const auto after = ask(errors, window("2026-11-19T13:10:00Z", "2026-11-19T13:50:00Z"));
  ASSERT_EQ(after.size(), 1u);
  EXPECT_NEAR(constant(after[0]), 30.0 / 630, 1e-9);
}

TEST_P(MetricsSourceContract, EveryOperatorOfAFilter) {
  using Op = LabelFilter::Op;
  const auto count = [&](std::vector<LabelFilter> filters) {
    const auto series =
        ask({.of = {"memory_bytes", std::move(filters)}, .aggregation = Aggregation::kCount},
            window("2026-11-19T12:00:00Z", "2026-11-19T12:00:00Z"));
    return series.empty() ? 0 : static_cast<int>(series[0].samples.at(0).value);
  };
  EXPECT_EQ(count({{"instance", Op::kEqual, "a"}}), 1);
  EXPECT_EQ(count({{"instance", Op::kNotEqual, "a"}}), 1);
  EXPECT_EQ(count({{"instance", Op::kMatches, "a|b"}}), 2);
  EXPECT_EQ(count({{"instance", Op::kNotMatches, "[ab]"}}), 0);
  EXPECT_EQ(count({{"zone", Op::kEqual, ""}}), 2);
  EXPECT_EQ(count({{"service", Op::kEqual, "search"}, {"instance", Op::kMatches, "b.*"}}), 1);
}

TEST_P(MetricsSourceContract, ABadPatternIsTheCallersFault) {
  const auto answer = source_->range(
      MetricQuery{.of = {"memory_bytes", {{"instance", LabelFilter::Op::kMatches, "("}}}},
      window("2026-11-19T12:00:00Z", "2026-11-19T12:00:00Z"), context_);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kInvalidArgument) << answer.error().text();
}

TEST_P(MetricsSourceContract, WhatDoesNotExistIsEmpty) {
  EXPECT_TRUE(
      ask({.of = {"no_such_metric"}}, window("2026-11-19T12:00:00Z", "2026-11-19T12:10:00Z"))
          .empty());
  EXPECT_TRUE(ask({.of = {"memory_bytes"}}, window("2026-11-18T12:00:00Z", "2026-11-18T12:10:00Z"))
                  .empty());
}

TEST_P(MetricsSourceContract, NotANumberStaysOne) {
  const auto series =
      ask({.of = {"cache_hit_ratio"}}, window("2026-11-19T10:29:00Z", "2026-11-19T10:45:00Z"));
  ASSERT_EQ(series.size(), 1u);
  ASSERT_EQ(series[0].samples.size(), 17u);
  EXPECT_EQ(series[0].samples[0].value, 0.97);
  EXPECT_TRUE(std::isnan(series[0].samples[5].value));
  EXPECT_EQ(series[0].samples.back().value, 0.97);
}

TEST_P(MetricsSourceContract, TheCatalogueNamesFamilies) {
  const auto catalogue = source_->catalogue(context_);
  ASSERT_TRUE(catalogue) << catalogue.error().text();
  std::vector<std::string> names;
  for (const MetricInfo& info : *catalogue) names.push_back(info.name);
  EXPECT_THAT(names, testing::ElementsAre("cache_hit_ratio", "http_request_duration_seconds",
                                          "http_requests_total", "memory_bytes"));
  EXPECT_EQ(find_metric(*catalogue, "http_requests_total")->type, MetricType::kCounter);
  EXPECT_EQ(find_metric(*catalogue, "http_request_duration_seconds")->type, MetricType::kHistogram);
  EXPECT_EQ(find_metric(*catalogue, "http_request_duration_seconds")->unit, "seconds");
  EXPECT_EQ(find_metric(*catalogue, "memory_bytes")->type, MetricType::kGauge);
}

TEST_P(MetricsSourceContract, TheLabelsOfSeriesWithSamplesInASpan) {
  const auto labels = [&](const Selector& selector, std::string_view from, std::string_view to) {
    const auto found = source_->series(selector, lab_time(from), lab_time(to), context_);
    EXPECT_TRUE(found) << found.error().text();
    return found.value_or(std::vector<LabelSet>{});
  };
  EXPECT_THAT(labels({"memory_bytes"}, "2026-11-19T10:00:00Z", "2026-11-19T14:00:00Z"),
              testing::ElementsAre(LabelSet{{"instance", "a"}, {"service", "search"}},
                                   LabelSet{{"instance", "b"}, {"service", "search"}}));
  EXPECT_THAT(labels({"memory_bytes", {{"instance", {}, "b"}}}, "2026-11-19T10:00:00Z",
                     "2026-11-19T14:00:00Z"),
              testing::SizeIs(1));
  EXPECT_THAT(labels({"memory_bytes"}, "2026-11-17T10:00:00Z", "2026-11-17T14:00:00Z"),
              testing::IsEmpty());
}

// The numbers of a snapshot are those of Prometheus, and the other way round.
TEST_P(MetricsSourceContract, EveryNumberIsThatOfTheEngineOfSnapshots) {
  const EmbeddedMetrics oracle("the lab", lab_data());
  using Op = LabelFilter::Op;
  std::vector<MetricQuery> queries;
  for (const Statistic statistic : {Statistic::kRate, Statistic::kIncrease})
    for (const std::vector<std::string>& by :
         {std::vector<std::string>{}, {"handler"}, {"service", "code"}})
      queries.push_back({.statistic = statistic, .of = {"http_requests_total"}, .by = by});
  for (const double quantile : {0.0, 0.5, 0.9, 0.99, 1.0})
    queries.push_back({.statistic = Statistic::kQuantile,
                       .of = {"http_request_duration_seconds"},
                       .quantile = quantile,
                       .by = {"handler"}});
  queries.push_back({.statistic = Statistic::kRatio,
                     .of = {"http_requests_total", {{"code", Op::kMatches, "5.."}}},
                     .over = {"http_requests_total"},
                     .by = {"handler"}});
  queries.push_back({.statistic = Statistic::kRatio,
                     .of = {"http_request_duration_seconds_sum"},
                     .over = {"http_request_duration_seconds_count"}});
  for (const Aggregation aggregation : {Aggregation::kSum, Aggregation::kAvg, Aggregation::kMax})
    queries.push_back({.of = {"cache_hit_ratio"}, .aggregation = aggregation});
  queries.push_back({.of = {"memory_bytes"}, .aggregation = Aggregation::kAvg});
  const Window whole = window("2026-11-19T10:10:00Z", "2026-11-19T14:00:00Z", 120);
  for (const MetricQuery& query : queries) {
    SCOPED_TRACE(to_promql(query));
    const auto expected = oracle.range(query, whole, context_)->series;
    const auto got = ask(query, whole);
    ASSERT_EQ(got.size(), expected.size());
    for (size_t i = 0; i < got.size(); ++i) {
      EXPECT_EQ(got[i].labels, expected[i].labels);
      ASSERT_EQ(got[i].samples.size(), expected[i].samples.size()) << format_labels(got[i].labels);
      for (size_t k = 0; k < got[i].samples.size(); ++k) {
        const double a = got[i].samples[k].value, b = expected[i].samples[k].value;
        EXPECT_EQ(got[i].samples[k].at, expected[i].samples[k].at);
        EXPECT_TRUE((std::isnan(a) && std::isnan(b)) ||
                    std::abs(a - b) <= 1e-9 * std::abs(b) + 1e-12)
            << format_time(got[i].samples[k].at) << ": " << a << ", expected " << b;
      }
    }
  }
}

TEST_P(MetricsSourceContract, StopsWhenAskedTo) {
  const Window noon = window("2026-11-19T12:00:00Z", "2026-11-19T12:00:00Z");
  const MetricQuery query{.of = {"memory_bytes"}};
  const auto late = source_->range(
      query, noon, {cancel_, std::chrono::steady_clock::now() - std::chrono::seconds(1)});
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::kTimeout) << late.error().text();
  cancel_.cancel();
  const auto stopped = source_->range(query, noon, context_);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled) << stopped.error().text();
}

TEST_P(MetricsSourceContract, AnswersSeveralThreadsAtOnce) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([this] {
      const auto series =
          ask({.of = {"memory_bytes"}}, window("2026-11-19T12:00:00Z", "2026-11-19T12:10:00Z"));
      EXPECT_EQ(series.size(), 1u);
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace precedent
