// metrics_query as a tool: receipts for every outcome.
#include "tools/metrics_query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "changes/changes_lab.h"
#include "changes/fixed_changes.h"
#include "telemetry/alerts/fake_alert_source.h"
#include "telemetry/snapshot/fake_metrics_source.h"
#include "telemetry/snapshot/telemetry_lab.h"
#include "tools/present.h"
#include "tools/tools_lab.h"

namespace precedent {
namespace {

using nlohmann::json;
using testing::HasSubstr;

struct MetricsQueryTest : testing::Test {
  Receipt call(std::string_view query) {
    ToolContext context{lab.search(), store, clock, events};
    context.live.metrics = metrics_given ? &metrics : nullptr;
    context.live.alerts = &alerts;
    context.live.metrics_config = &config;
    return MetricsQuery().call({{"query", query}}, context, "R1");
  }
  SearchLab lab;
  KnowledgeStore store =
      KnowledgeStore::open(":memory:", KnowledgeStore::Access::kReadWrite).value();
  FixedClock clock{parse_time("2026-11-19T14:00:00Z").value()};
  RecordingSink events;
  FakeMetricsSource metrics{lab_data()};
  FakeAlertSource alerts{{}};
  MetricsConfig config = read_metrics_config(default_tools_config(), "x", [](const std::string&) {
                           return std::nullopt;
                         }).value();
  bool metrics_given = true;
};

TEST_F(MetricsQueryTest, NumbersAreAnOkReceiptWhoseJsonIsSmallAndComplete) {
  const Receipt receipt = call("metric=p95_latency window=1h filter=endpoint=/api/search");
  ASSERT_EQ(receipt.status, ReceiptStatus::kOk) << receipt.text;
  EXPECT_THAT(receipt.text, HasSubstr("Now: 1 s"));
  EXPECT_THAT(receipt.text, HasSubstr("Against the 1h before"));
  EXPECT_LT(receipt.text.size(), 4000u);
  const json result = to_json(receipt)["result"];
  EXPECT_NEAR(result["current"]["value"].get<double>(), 1, 1e-9);
  EXPECT_EQ(result["unit"], "seconds");
  EXPECT_EQ(result["comparisons"][0]["what"], "the 1h before");
  EXPECT_THAT(result["query"].get<std::string>(), HasSubstr("histogram_quantile"));
  const auto sources = sources_of(receipt);
  ASSERT_EQ(sources.size(), 1u);
  EXPECT_EQ(sources[0].id, "p95_latency");
  EXPECT_EQ(sources[0].kind, "metric");
}

TEST_F(MetricsQueryTest, WhatIsNotOfNowOrNotOfOneSeriesIsWrittenSo) {
  const Receipt ended = call("metric=memory_bytes window=3h filter=instance=b");
  EXPECT_THAT(ended.text, HasSubstr("Last: 200 MB at 2026-11-19T12:3"));
  EXPECT_THAT(ended.text, HasSubstr("; no values since."));
  EXPECT_THAT(ended.text, testing::Not(HasSubstr("Now")));
  EXPECT_EQ(to_json(ended)["result"]["current"]["since"], "no values");
  const Receipt mean = call("metric=memory_bytes window=1h until=2h");
  EXPECT_THAT(mean.text, HasSubstr("The figures are the mean of 2 series; the highest of one was "
                                   "200 MB at 2026-11-19T10:59:07Z ({instance=\"b\"})"));
  EXPECT_EQ(to_json(mean)["result"]["highest"]["labels"]["instance"], "b");
}

TEST_F(MetricsQueryTest, NothingFoundIsEmptyAndSaysTheNearest) {
  const Receipt receipt = call("metric=cache_hits_ratio");
  EXPECT_EQ(receipt.status, ReceiptStatus::kEmpty);
  EXPECT_THAT(receipt.text, HasSubstr("The nearest names: cache_hit_ratio"));
}

TEST_F(MetricsQueryTest, AListOfMetricsIsAnAnswer) {
  const Receipt receipt = call("metric=*");
  EXPECT_EQ(receipt.status, ReceiptStatus::kOk) << receipt.text;
  EXPECT_THAT(receipt.text, HasSubstr("memory_bytes (gauge)"));
}

TEST_F(MetricsQueryTest, ABadQueryAndADeadServerAreErrorsWithTheRemedy) {
  const Receipt bad = call("metric=a windwo=1h");
  EXPECT_EQ(bad.status, ReceiptStatus::kError);
  EXPECT_THAT(bad.text, HasSubstr("did you mean window=?"));
  metrics.fail_next({ErrorCode::kUnavailable, "Prometheus at x: refused"});
  const Receipt dead = call("metric=throughput");
  EXPECT_EQ(dead.status, ReceiptStatus::kError);
  EXPECT_THAT(dead.text, HasSubstr("refused"));
}

TEST_F(MetricsQueryTest, WithoutASourceTheReceiptSaysHowToNameOne) {
  metrics_given = false;
  const Receipt receipt = call("metric=throughput");
  EXPECT_EQ(receipt.status, ReceiptStatus::kError);
  EXPECT_THAT(receipt.text, HasSubstr("PRECEDENT_PROMETHEUS_URL or PRECEDENT_SNAPSHOT"));
}

struct MetricsSinceDeployTest : MetricsQueryTest {
  Receipt ask(std::string_view query, const ChangeSource* source) {
    ToolContext context{lab.search(), store, clock, events};
    context.live.metrics = &metrics;
    context.live.metrics_config = &config;
    context.live.changes = source;
    return MetricsQuery().call({{"query", query}}, context, "R1");
  }
  const FixedChanges changes{
      "deploys",
      {deploy("search", "1", "2026-11-19T13:00:00Z"), deploy("cart", "7", "2026-11-19T13:30:00Z")}};
};

TEST_F(MetricsSinceDeployTest, TheWindowBeginsAtTheDeployAndTheReceiptSaysWhich) {
  const std::pair<const char*, const char*> cases[] = {
      {"metric=throughput since=last-deploy filter=service=search", "2026-11-19T13:00:00Z"},
      {"metric=throughput since=last-deploy:search", "2026-11-19T13:00:00Z"},
      {"metric=throughput since=last-deploy:search filter=service=cart", "2026-11-19T13:00:00Z"},
      {"metric=throughput since=last-deploy", "2026-11-19T13:30:00Z"}};
  for (const auto& [query, from] : cases) {
    const Receipt receipt = ask(query, &changes);
    ASSERT_EQ(receipt.status, ReceiptStatus::kOk) << query << ": " << receipt.text;
    EXPECT_EQ(format_time(std::get<MetricsResult>(receipt.result).from), from) << query;
    EXPECT_THAT(receipt.text, HasSubstr("Since the last deploy: ")) << query;
    EXPECT_THAT(receipt.text, HasSubstr("a recorded deploy")) << query;
  }
}

TEST_F(MetricsSinceDeployTest, WithoutADeployItSaysWhatIsMissing) {
  const Receipt unknown = ask("metric=throughput since=last-deploy:serch", &changes);
  EXPECT_EQ(unknown.status, ReceiptStatus::kError);
  EXPECT_THAT(unknown.text, HasSubstr("no change source knows a deploy of 'serch'"));
  EXPECT_THAT(unknown.text, HasSubstr("did you mean 'search'?"));
  EXPECT_THAT(ask("metric=throughput since=last-deploy", nullptr).text,
              HasSubstr("no change source is configured"));
}

TEST(MetricValues, AreWrittenWithTheirUnit) {
  EXPECT_EQ(format_metric_value(0.18333333, "seconds"), "0.1833 s");
  EXPECT_EQ(format_metric_value(30.0 / 630, "ratio"), "4.762 %");
  EXPECT_EQ(format_metric_value(211'900'000, "bytes"), "211.9 MB");
  EXPECT_EQ(format_metric_value(10.5, "requests/s"), "10.5 requests/s");
  EXPECT_EQ(format_metric_value(123456, ""), "123456");
}

TEST(PresentMetrics, PercentagesDifferByPoints) {
  MetricsResult result;
  result.metric = "errors";
  result.summary.emplace();
  result.comparisons = {{.what = "a day earlier", .mean = 0.02, .difference = 0.1849}};
  for (const auto& [unit, text] :
       {std::pair("ratio", "mean 2 %, difference +18.49 percentage points."),
        std::pair("percent", "mean 0.02 %, difference +0.1849 percentage points."),
        std::pair("seconds", "mean 0.02 s, difference +0.1849 s.")}) {
    result.unit = unit;
    EXPECT_THAT(present(result), HasSubstr(text));
  }
}

}  // namespace
}  // namespace precedent
