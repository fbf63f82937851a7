#include "tools/build_info_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "changes/change_source_contract.h"
#include "telemetry/snapshot/fake_metrics_source.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const Instant kFrom = *parse_time("2026-11-17T00:00:00Z");

// A sample a minute, from one minute to the other.
Series instance(LabelSet labels, int from, int to) {
  Series series{std::move(labels), {}};
  for (int minute = from; minute < to; ++minute)
    series.samples.push_back({kFrom + std::chrono::minutes(minute), 1});
  return series;
}

class BuildInfoChangesTest : public testing::Test {
 protected:
  // Two instances of web go from 1.0 to 1.1, one after the other, and back; mail upgrades once;
  // cron never.
  BuildInfoChangesTest() {
    const auto web = [](std::string pod, std::string version) {
      return LabelSet{{"pod", std::move(pod)}, {"service", "web"}, {"version", std::move(version)}};
    };
    data_.info = {{.name = "app_build_info", .type = MetricType::kGauge},
                  {.name = "requests_total", .type = MetricType::kCounter}};
    data_.series["app_build_info"] = {
        instance(web("a", "1.0"), 0, 60),
        instance(web("a", "1.1"), 60, 240),
        instance(web("a", "1.0"), 240, 360),
        instance(web("b", "1.0"), 0, 75),
        instance(web("b", "1.1"), 75, 240),
        instance(web("b", "1.0"), 240, 360),
        instance({{"job", "mail"}, {"version", "7"}}, 0, 120),
        instance({{"job", "mail"}, {"version", "8"}}, 120, 360),
        instance({{"job", "cron"}, {"version", "3"}}, 0, 360),
    };
    data_.series["requests_total"] = {instance({{"service", "web"}, {"version", "9"}}, 0, 360)};
  }

  std::vector<std::string> told(const ChangeQuery& query, BuildInfoOptions options = {}) {
    const FakeMetricsSource metrics(data_);
    const BuildInfoChanges source(metrics, std::move(options));
    std::vector<std::string> texts;
    for (const Change& change : asked(source, query).changes)
      texts.push_back(format_time(change.at) + " " + change.title + " was " + change.from);
    return texts;
  }

  MetricData data_;
};

TEST_F(BuildInfoChangesTest, KeepsTheContract) {
  const FakeMetricsSource metrics(data_);
  expect_change_source_contract(BuildInfoChanges(metrics, {}));
}

TEST_F(BuildInfoChangesTest, AVersionThatAppearsWhereAnotherRanIsAChange) {
  EXPECT_THAT(told({}), ElementsAre("2026-11-17T04:00:00Z web reports version 1.0 was 1.1",
                                    "2026-11-17T02:00:00Z mail reports version 8 was 7",
                                    "2026-11-17T01:00:00Z web reports version 1.1 was 1.0"));
}

TEST_F(BuildInfoChangesTest, AGapInTheDataIsNoChange) {
  data_.series["app_build_info"] = {instance({{"job", "mail"}, {"version", "7"}}, 0, 60),
                                    instance({{"job", "mail"}, {"version", "7"}}, 120, 180),
                                    instance({{"job", "mail"}, {"version", "8"}}, 240, 300)};
  EXPECT_THAT(told({}), ElementsAre("2026-11-17T04:00:00Z mail reports version 8 was 7"));
}

TEST_F(BuildInfoChangesTest, WhatRanBeforeTheWindowIsNoChangeInIt) {
  const TimePoint noon = *parse_time("2026-11-17T03:00:00Z");
  EXPECT_THAT(told({.range = {noon, std::nullopt}, .service = "mail"}), IsEmpty());
  EXPECT_THAT(told({.range = {noon, std::nullopt}}),
              ElementsAre("2026-11-17T04:00:00Z web reports version 1.0 was 1.1"));
  // At the very beginning of a window it is one of it.
  EXPECT_THAT(told({.range = {*parse_time("2026-11-17T02:00:00Z"), noon}}),
              ElementsAre("2026-11-17T02:00:00Z mail reports version 8 was 7"));
}

TEST_F(BuildInfoChangesTest, LabelsAndMetricsAreTheOperators) {
  EXPECT_THAT(told({}, {.metrics = {"requests_total"}}), IsEmpty());
  EXPECT_THAT(told({.service = "mail"}, {.service_labels = {"pod"}}), IsEmpty());
  EXPECT_THAT(told({}, {.version_label = "release"}), IsEmpty());
}

TEST_F(BuildInfoChangesTest, WithoutSuchAMetricNothingWasAsked) {
  const FakeMetricsSource metrics(MetricData{});
  EXPECT_THAT(asked(BuildInfoChanges(metrics, {}), {}).asked, IsEmpty());
  EXPECT_THAT(told({.kinds = {ChangeKind::kDeploy}}), IsEmpty());
}

TEST_F(BuildInfoChangesTest, AnUnreadableSourceSaysWhy) {
  FakeMetricsSource metrics(data_);
  metrics.fail_next({ErrorCode::kUnavailable, "Prometheus is away"});
  const auto list = BuildInfoChanges(metrics, {}).changes({});
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().code, ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace precedent
