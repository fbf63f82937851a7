// The contract over every source that needs no server, and what a snapshot folder may look like.
#include "telemetry/metrics/metrics_source.h"

#include <fstream>

#include "files/temporary_folder.h"
#include "telemetry/metrics_source_contract.h"
#include "telemetry/snapshot/deferred_snapshot.h"
#include "telemetry/snapshot/fake_metrics_source.h"
#include "telemetry/snapshot/snapshot.h"

namespace precedent {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

void write(const std::filesystem::path& path, std::string_view text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

// The lab's data as the long CSV; types are told from names.
std::string lab_csv() {
  std::string out = "timestamp,metric,value,service,handler,code,instance,le\n";
  for (const auto& [metric, all] : lab_data().series)
    for (const Series& series : all)
      for (const Sample& sample : series.samples) {
        out += fmt::format("{},{},{}", sample.at.time_since_epoch().count(), metric, sample.value);
        for (const char* label : {"service", "handler", "code", "instance", "le"}) {
          const auto found = series.labels.find(label);
          out += fmt::format(",{}", found == series.labels.end() ? "" : found->second);
        }
        out += '\n';
      }
  return out;
}

INSTANTIATE_TEST_SUITE_P(Fake, MetricsSourceContract, testing::Values(MetricsSourceMaker([] {
                           return std::make_unique<FakeMetricsSource>(lab_data());
                         })));
INSTANTIATE_TEST_SUITE_P(Embedded, MetricsSourceContract, testing::Values(MetricsSourceMaker([] {
                           return std::make_unique<EmbeddedMetrics>("the lab", lab_data());
                         })));
INSTANTIATE_TEST_SUITE_P(OpenMetricsSnapshot, MetricsSourceContract,
                         testing::Values(MetricsSourceMaker([] {
                           const TemporaryFolder folder;
                           write(folder.path() / "metrics.om", lab_openmetrics());
                           auto snapshot = open_snapshot(folder.path());
                           EXPECT_TRUE(snapshot) << snapshot.error().text();
                           EXPECT_THAT(snapshot->warnings, IsEmpty());
                           return std::move(snapshot->metrics);
                         })));
INSTANTIATE_TEST_SUITE_P(DeferredSnapshot, MetricsSourceContract,
                         testing::Values(MetricsSourceMaker([] {
                           // Read when it is first asked for: the folder has to last.
                           static const TemporaryFolder folder;
                           write(folder.path() / "metrics.om", lab_openmetrics());
                           return defer_snapshot(folder.path(), "morning").metrics;
                         })));
INSTANTIATE_TEST_SUITE_P(CsvSnapshot, MetricsSourceContract, testing::Values(MetricsSourceMaker([] {
                           const TemporaryFolder folder;
                           write(folder.path() / "metrics" / "all.csv", lab_csv());
                           auto snapshot = open_snapshot(folder.path());
                           EXPECT_TRUE(snapshot) << snapshot.error().text();
                           EXPECT_THAT(snapshot->warnings, IsEmpty());
                           return std::move(snapshot->metrics);
                         })));

struct SnapshotTest : testing::Test {
  std::vector<Alert> active(const TelemetrySnapshot& snapshot, std::string_view now) {
    const auto alerts = snapshot.alerts->active(lab_time(now), context);
    EXPECT_TRUE(alerts);
    return *alerts;
  }
  CancelToken cancel;
  SourceContext context{cancel};
  TemporaryFolder folder;
};

TEST_F(SnapshotTest, RunsPromqlAndNamesWhatItDoesNotKnow) {
  const EmbeddedMetrics metrics("the snapshot x", lab_data());
  const auto ask = [&](const char* text) {
    return metrics.range(PromQl{text}, {lab_end(), lab_end()}, context);
  };
  const auto rates = ask("sum by (service) (rate(http_requests_total{code=\"200\"}[5m]))");
  ASSERT_TRUE(rates) << rates.error().text();
  ASSERT_EQ(rates->series.size(), 2u);
  EXPECT_NEAR(rates->series[1].samples[0].value, 10, 1e-9);
  const auto unknown = ask("holt_winters(memory_bytes[1h], 0.5, 0.5)");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(unknown.error().message,
              AllOf(HasSubstr("column 1: 'holt_winters' is no function that a snapshot knows"),
                    HasSubstr("there are abs")));
}

TEST_F(SnapshotTest, TimeEndsWithTheNewestSample) {
  const EmbeddedMetrics metrics("x", lab_data());
  EXPECT_EQ(format_time(*metrics.frozen_at()), "2026-11-19T13:59:07Z");
  EXPECT_EQ(EmbeddedMetrics("x", {}).frozen_at(), std::nullopt);
}

TEST_F(SnapshotTest, AlertsAreActiveBetweenTheirBeginningAndTheirEnd) {
  write(folder.path() / "alerts.json", lab_alerts_json());
  const auto snapshot = open_snapshot(folder.path());
  ASSERT_TRUE(snapshot) << snapshot.error().text();
  const auto names = [&](std::string_view now) {
    std::vector<std::string> out;
    for (const Alert& alert : active(*snapshot, now)) out.push_back(alert.name);
    return out;
  };
  EXPECT_THAT(names("2026-11-19T08:00:00Z"), IsEmpty());
  EXPECT_THAT(names("2026-11-19T11:10:00Z"), ElementsAre("CartSlow", "DiskFilling"));
  EXPECT_THAT(names("2026-11-19T14:00:00Z"), ElementsAre("SearchLatencyHigh", "DiskFilling"));
}

TEST_F(SnapshotTest, AFlatAlertIsReadAsPeopleWriteIt) {
  write(folder.path() / "alert.json",
        R"({"service": "checkout", "monitor": "checkout-p99", "threshold": 800, "observed": 4120,
            "fired_at": "2026-06-18T15:06:00Z", "severity": "critical",
            "summary": "p99 above 800 ms for 3m"})");
  const auto snapshot = open_snapshot(folder.path());
  ASSERT_TRUE(snapshot) << snapshot.error().text();
  const auto alerts = active(*snapshot, "2026-06-18T16:00:00Z");
  ASSERT_EQ(alerts.size(), 1u);
  EXPECT_EQ(alerts[0].name, "checkout-p99");
  EXPECT_EQ(format_time(alerts[0].starts_at), "2026-06-18T15:06:00Z");
  EXPECT_EQ(
      alerts[0].labels,
      (LabelSet{{"alertname", "checkout-p99"}, {"service", "checkout"}, {"severity", "critical"}}));
  EXPECT_EQ(alerts[0].annotations.at("observed"), "4120");
  EXPECT_EQ(alerts[0].annotations.at("summary"), "p99 above 800 ms for 3m");
}

TEST_F(SnapshotTest, WhatCannotBeReadIsAWarningAndTheRestIsUsed) {
  write(folder.path() / "metrics.csv",
        "timestamp,metric,value\nyesterday,a,1\n1700000000,a,x\n1700000000,a,1\n");
  write(folder.path() / "metrics-more.prom", "a 1\nb{x=\"1\" 2 3\nb 2 1700000000000\n");
  write(folder.path() / "alerts.json", "[{}]");
  const auto snapshot = open_snapshot(folder.path());
  ASSERT_TRUE(snapshot) << snapshot.error().text();
  EXPECT_THAT(snapshot->warnings, ElementsAre(HasSubstr("metrics-more.prom:1: has no timestamp"),
                                              HasSubstr("metrics-more.prom:2: is no sample"),
                                              HasSubstr("metrics.csv:2: 'yesterday' is no time"),
                                              HasSubstr("metrics.csv:3: has no number"),
                                              HasSubstr("alerts.json: alert 1: has no alertname")));
  EXPECT_EQ(snapshot->metrics->catalogue(context)->size(), 2u);
}

// What a copy that was interrupted leaves: seconds, and no end.
TEST_F(SnapshotTest, OpenMetricsThatWasCutIsReadInSecondsAndSaysWhatIsMissing) {
  const std::string whole = lab_openmetrics();
  const size_t half = whole.find("memory_bytes{service=\"search\",instance=\"b\"}");
  // At the end of a line, and within the last timestamp.
  for (const size_t end : {half, whole.find('\n', half) - 2}) {
    write(folder.path() / "metrics.om", whole.substr(0, end));
    const auto snapshot = open_snapshot(folder.path());
    ASSERT_TRUE(snapshot) << snapshot.error().text();
    EXPECT_EQ(format_time(*snapshot->metrics->frozen_at()), "2026-11-19T13:59:07Z");
    ASSERT_FALSE(snapshot->warnings.empty());
    EXPECT_THAT(snapshot->warnings[0],
                AllOf(HasSubstr("metrics.om: does not end with \"# EOF\""),
                      HasSubstr("its end is missing"), HasSubstr("copy the whole file")));
    EXPECT_EQ(snapshot->metrics->series({"memory_bytes"}, {}, lab_end(), context)->size(), 1u);
    if (end != half) {
      EXPECT_THAT(snapshot->warnings.back(),
                  HasSubstr("that is no time of 2001 to 2100 in seconds"));
    }
  }
}

TEST_F(SnapshotTest, TimesOf1970AndOfTheFarFutureAreNone) {
  write(folder.path() / "metrics.om", "a 1 1795082407\na 2 1795082407000\na 3 17950\n# EOF\n");
  write(folder.path() / "metrics.prom", "b 1 1795082407000\nb 2 1795082407\n");
  write(folder.path() / "metrics.csv",
        "time,metric,value\n1795082407,c,1\n1795082407000,c,2\n15,c,3\n99999999999,c,4\n");
  const auto snapshot = open_snapshot(folder.path());
  ASSERT_TRUE(snapshot) << snapshot.error().text();
  EXPECT_THAT(
      snapshot->warnings,
      ElementsAre(HasSubstr("csv:4: '15' is no time"), HasSubstr("csv:5: '99999999999' is no"),
                  HasSubstr("om:2: has a timestamp that is no time"),
                  HasSubstr("om:3: has a timestamp that is no time"),
                  HasSubstr("prom:2: has a timestamp that is no time of 2001 to 2100 in "
                            "milliseconds")));
  EXPECT_EQ(format_time(*snapshot->metrics->frozen_at()), "2026-11-19T10:00:07Z");
}

TEST_F(SnapshotTest, AnEmptyOrMissingFolderIsAnErrorWithTheRemedy) {
  const auto empty = open_snapshot(folder.path());
  ASSERT_FALSE(empty);
  EXPECT_THAT(empty.error().message, HasSubstr("metrics*.om"));
  const auto missing = open_snapshot(folder.path() / "nowhere");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace precedent
