#include "investigate/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "changes/fixed_changes.h"
#include "changes/snapshot_changes.h"
#include "files/files.h"
#include "files/temporary_folder.h"
#include "telemetry/fake_alert_source.h"
#include "telemetry/fake_metrics_source.h"
#include "telemetry/snapshot.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

const Instant kNoon = *parse_time("2026-11-19T12:00:00Z");
const Window kWindow{kNoon, kNoon + std::chrono::minutes(5), std::chrono::minutes(1)};

class RecorderTest : public ::testing::Test {
 protected:
  Result<Recording> record(const fs::path& folder) {
    return record_incident({&metrics_, &alerts_, &changes_,
                            [](const Change&) { return std::string("@@ -1 +1 @@\n-a\n+b\n"); }},
                           kWindow, folder, SourceContext{cancel_});
  }
  static MetricData data() {
    MetricData data;
    Series errors{{{"service", "label"}, {"quote", "a\"b\\c"}}, {}};
    Series latency{{{"le", "+Inf"}, {"service", "label"}}, {}};
    for (int i = 0; i <= 5; ++i) {
      errors.samples.push_back({kNoon + std::chrono::minutes(i), i * 2.5});
      latency.samples.push_back({kNoon + std::chrono::minutes(i), i * 10.0});
    }
    data.series["errors_total"] = {errors};
    data.series["latency_seconds_bucket"] = {latency};
    data.info = {{"errors_total", MetricType::kCounter},
                 {"latency_seconds", MetricType::kHistogram}};
    return data;
  }
  static std::vector<Change> changes() {
    Change commit{.id = "0123456789abcdef0123456789abcdef01234567",
                  .at = std::chrono::floor<std::chrono::seconds>(kNoon - std::chrono::hours(3)),
                  .kind = ChangeKind::kCommit,
                  .services = {"label"},
                  .author = "Mia",
                  .title = "Cache label templates",
                  .files = {"label/cache.go"}};
    Change deploy = commit;
    deploy.id = "d-1", deploy.kind = ChangeKind::kDeploy, deploy.commit = commit.id;
    deploy.version = "2.1", deploy.files = {}, deploy.title = "label 2.1";
    Change flag = deploy;
    flag.id = "f-1", flag.kind = ChangeKind::kFlag, flag.commit = "", flag.version = "";
    flag.subject = "fast_labels", flag.from = "off", flag.to = "on";
    return {commit, deploy, flag};
  }

  const TemporaryFolder folder_;
  CancelToken cancel_;
  FakeMetricsSource metrics_{data()};
  FakeAlertSource alerts_{{{.name = "LabelErrors",
                            .labels = {{"alertname", "LabelErrors"}, {"service", "label"}},
                            .annotations = {{"summary", "token=hunter2secret in the log"}},
                            .starts_at = kNoon}}};
  FixedChanges changes_{"git:shop", changes()};
};

TEST_F(RecorderTest, ARecordingAnswersAsTheLiveSystemsDid) {
  const fs::path folder = folder_.path() / "incident";
  const auto done = record(folder);
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done->alerts, 1U);
  EXPECT_EQ(done->changes, 3U);
  EXPECT_THAT(done->missing, IsEmpty());
  const auto snapshot = open_snapshot(folder);
  ASSERT_TRUE(snapshot) << snapshot.error().text();
  EXPECT_THAT(snapshot->warnings, IsEmpty());
  for (const char* query : {"errors_total", "latency_seconds_bucket", "rate(errors_total[5m])"}) {
    const auto live = metrics_.range(PromQl{query}, kWindow, SourceContext{cancel_});
    const auto frozen = snapshot->metrics->range(PromQl{query}, kWindow, SourceContext{cancel_});
    ASSERT_TRUE(live && frozen) << query;
    ASSERT_EQ(frozen->series.size(), live->series.size()) << query;
    EXPECT_EQ(frozen->series[0].labels, live->series[0].labels) << query;
    ASSERT_EQ(frozen->series[0].samples.size(), live->series[0].samples.size()) << query;
    for (size_t i = 0; i < live->series[0].samples.size(); ++i)
      EXPECT_EQ(frozen->series[0].samples[i].value, live->series[0].samples[i].value) << query;
  }
  const auto active = snapshot->alerts->active(kWindow.to, SourceContext{cancel_});
  ASSERT_TRUE(active);
  ASSERT_EQ(active->size(), 1U);
  EXPECT_EQ(active->front().name, "LabelErrors");
  EXPECT_THAT(active->front().annotations.at("summary"), Not(HasSubstr("hunter2secret")));
  const auto source = open_snapshot_changes(folder);
  ASSERT_TRUE(source) << source.error().text();
  std::vector<std::string> ids;
  const auto listed = (*source)->changes({});
  ASSERT_TRUE(listed) << listed.error().text();
  for (const Change& change : listed->changes) ids.push_back(change.id);
  EXPECT_THAT(ids, UnorderedElementsAre("0123456789abcdef0123456789abcdef01234567", "d-1", "f-1"));
  EXPECT_THAT(*read_file(folder / "context" / "commits.json", 1 << 20), HasSubstr("@@ -1 +1 @@"));
}

TEST_F(RecorderTest, WhatCannotBeReadIsMissingAndTheRestIsThere) {
  metrics_.fail_next(Error{ErrorCode::kUnavailable, "no route to host"});
  const auto done = record(folder_.path() / "incident");
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done->series, 0U);
  EXPECT_EQ(done->changes, 3U);
  EXPECT_THAT(done->missing, Contains(HasSubstr("no route to host")));
  EXPECT_THAT(*read_file(folder_.path() / "incident" / "incident.json", 1 << 20),
              HasSubstr("no route to host"));
}

TEST_F(RecorderTest, AFolderIsMadeWholeOrNotAtAll) {
  const fs::path folder = folder_.path() / "incident";
  cancel_.cancel();
  EXPECT_EQ(record(folder).error().code, ErrorCode::kCancelled);
  EXPECT_TRUE(fs::is_empty(folder_.path()));
  const fs::path taken = folder_.path() / "taken";
  fs::create_directories(taken);
  std::ofstream(taken / "mine.txt") << "mine";
  const auto refused = record_incident({}, kWindow, taken, SourceContext{CancelToken()});
  EXPECT_EQ(refused.error().code, ErrorCode::kConflict);
  EXPECT_TRUE(fs::exists(taken / "mine.txt"));
}

}  // namespace
}  // namespace precedent
