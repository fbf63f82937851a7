#include "investigate/intake/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "changes/fixed_changes.h"
#include "changes/snapshot_changes.h"
#include "files/files.h"
#include "files/temporary_folder.h"
#include "investigate/intake/incident_source.h"
#include "investigate/logs/log_files.h"
#include "investigate/traces/traces.h"
#include "telemetry/alerts/fake_alert_source.h"
#include "telemetry/snapshot/fake_metrics_source.h"
#include "telemetry/snapshot/snapshot.h"

namespace precedent {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

const Instant kNoon = *parse_time("2026-11-19T12:00:00Z");
const Window kWindow{kNoon, kNoon + std::chrono::minutes(5), std::chrono::minutes(1)};

// Whatever `found` says.
class FakeLogs final : public LogsSource {
 public:
  std::string describe() const override { return "fake logs"; }
  Result<LogsFound> read(const LogsWanted& wanted, const SourceContext&) const override {
    EXPECT_EQ(wanted.service, "label");
    EXPECT_EQ(wanted.from, kWindow.from);
    EXPECT_EQ(wanted.to, kWindow.to);
    return found;
  }
  Result<LogsFound> found = LogsFound();
};
class FakeTraces final : public TracesSource {
 public:
  std::string describe() const override { return "fake traces"; }
  Result<TracesFound> read(const TracesWanted& wanted, const SourceContext&) const override {
    EXPECT_EQ(wanted.service, "label");
    return found;
  }
  Result<TracesFound> found = TracesFound();
};

class RecorderTest : public ::testing::Test {
 protected:
  Result<Recording> record(const fs::path& folder) {
    return record_incident({&metrics_, &alerts_, &changes_,
                            [](const Change&) { return std::string("@@ -1 +1 @@\n-a\n+b\n"); },
                            &logs_, &traces_, incident_},
                           kWindow, folder, SourceContext{cancel_});
  }
  IncidentBrief incident_ = {.service = "label"};
  static int64_t ns(int64_t seconds) {
    return (kNoon.time_since_epoch().count() / 1'000 + seconds) * 1'000'000'000;
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
  FakeLogs logs_;
  FakeTraces traces_;
};

TEST_F(RecorderTest, TheSameHoursOfEarlierDaysAreThere) {
  MetricData with_yesterday = data();
  Series& errors = with_yesterday.series["errors_total"].front();
  std::vector<Sample> samples = errors.samples;
  for (Sample& sample : samples) sample.at -= std::chrono::hours(24);
  errors.samples.insert(errors.samples.begin(), samples.begin(), samples.end());
  const FakeMetricsSource metrics{with_yesterday};
  const fs::path folder = folder_.path() / "incident";
  const auto done = record_incident({.metrics = &metrics}, kWindow, folder, {cancel_});
  ASSERT_TRUE(done) << done.error().text();
  const auto snapshot = open_snapshot(folder);
  ASSERT_TRUE(snapshot) << snapshot.error().text();
  const auto then = snapshot->metrics->range(PromQl{"errors_total"},
                                             kWindow.shifted(-std::chrono::hours(24)), {cancel_});
  ASSERT_TRUE(then);
  ASSERT_EQ(then->series.size(), 1U);
  EXPECT_GE(then->series.front().samples.size(), 2U);
  EXPECT_EQ(done->series, 2U) << "they are no series of their own";
}

TEST_F(RecorderTest, LogsAreReadAsTheirSourceHasThem) {
  const LabelSet label = {{"app", "label"}, {"pod", "label-1"}, {"level", "info"}};
  logs_.found->lines = {
      {ns(0) + 1, "label", label,
       R"({"level":"error","msg":"zone failed","zone":"A7","time":"x"})"},
      {ns(0) + 2, "label", label, "2026-11-19T11:59:59Z ERROR panic: nil pointer"},
      {ns(60), "web", {{"app", "web"}, {"detected_level", "warn"}}, "password=hunter2secret \xff"}};
  logs_.found->missing = {"some were left out"};
  const fs::path folder = folder_.path() / "incident";
  const auto done = record(folder);
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done->lines, 3U);
  EXPECT_THAT(done->missing, ElementsAre("some were left out"));
  EXPECT_THAT(*read_file(folder / "logs.ndjson", 1 << 20), Not(HasSubstr("hunter2secret")));
  const LogLines read = read_logs(folder);
  EXPECT_THAT(read.missing, IsEmpty());
  ASSERT_EQ(read.lines.size(), 3U);
  const LogLine &first = read.lines[0], &second = read.lines[1], &third = read.lines[2];
  EXPECT_EQ(first.at, kNoon);
  EXPECT_EQ(first.service, "label");
  EXPECT_EQ(first.level, LogLevel::kError);
  EXPECT_EQ(first.text, "zone failed");
  EXPECT_EQ(first.fields.at("zone"), "A7");
  EXPECT_EQ(first.fields.at("pod"), "label-1");
  // The stream's own level is believed before a word of the line.
  EXPECT_EQ(second.text, "ERROR panic: nil pointer");
  EXPECT_EQ(second.level, LogLevel::kInfo);
  EXPECT_EQ(third.at, kNoon + std::chrono::minutes(1));
  EXPECT_EQ(third.service, "web");
  EXPECT_EQ(third.level, LogLevel::kWarn);
}

TEST_F(RecorderTest, TracesAreReadAsTheirSourceHasThem) {
  StoredSpan root{.trace = "0a", .id = "01", .service = "web", .name = "GET /cart"};
  root.start_ns = ns(0), root.duration_ns = 2'500'000, root.failed = true;
  StoredSpan zone{.trace = "0a", .id = "02", .parent = "01", .service = "label", .name = "Zone"};
  zone.start_ns = ns(1), zone.failed = true, zone.error = "refused with token=hunter2secret";
  zone.attributes = {{"http.response.status_code", "500"}};
  traces_.found->spans = {root, zone};
  traces_.found->traces = 1;
  const fs::path folder = folder_.path() / "incident";
  const auto done = record(folder);
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done->spans, 2U);
  const Traces read = read_traces(folder);
  EXPECT_THAT(read.missing, IsEmpty());
  ASSERT_EQ(read.spans.size(), 2U);
  EXPECT_TRUE(read.spans[0].failed);
  EXPECT_EQ(read.spans[0].duration_ms, 2.5);
  EXPECT_EQ(read.spans[1].parent_index, 0U);
  EXPECT_EQ(read.spans[1].service, "label");
  EXPECT_EQ(read.spans[1].at, kNoon + std::chrono::seconds(1));
  EXPECT_THAT(read.spans[1].error, HasSubstr("refused with"));
  EXPECT_THAT(read.spans[1].error, Not(HasSubstr("hunter2secret")));
  EXPECT_EQ(read.spans[1].attributes.at("http.response.status_code"), "500");
}

TEST_F(RecorderTest, LogsAndTracesThatCannotBeReadAreMissingAndTheRestIsThere) {
  logs_.found = fail(ErrorCode::kPermission, "Loki at l:1 answered with status 401");
  traces_.found = fail(ErrorCode::kTimeout, "no answer");
  const fs::path folder = folder_.path() / "incident";
  const auto done = record(folder);
  ASSERT_TRUE(done) << done.error().text();
  EXPECT_EQ(done->changes, 3U);
  EXPECT_THAT(done->missing,
              ElementsAre(AllOf(HasSubstr("logs could not be read"), HasSubstr("status 401")),
                          HasSubstr("traces could not be read")));
  // Nobody is told to write files beside a source that is configured.
  EXPECT_THAT(read_logs(folder).missing, IsEmpty());
  EXPECT_THAT(read_traces(folder).missing, IsEmpty());
}

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

TEST_F(RecorderTest, ARecordingKnowsWhichIncidentItIsOf) {
  incident_.title = "LabelErrors";
  incident_.fired_at = kNoon;
  incident_.first_sign = kNoon - std::chrono::hours(9);
  const fs::path folder = folder_.path() / "incident";
  ASSERT_TRUE(record(folder));
  // Another alert, which fired long before: it does not lead.
  std::ofstream(folder / "alerts.json") << R"([{"labels":{"alertname":"Other"},)"
                                        << R"("startsAt":"2026-01-01T00:00:00Z"}])";
  const auto again = FolderIncident(folder).fetch("", cancel_);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->title, "LabelErrors");
  EXPECT_EQ(again->service, "label");
  EXPECT_EQ(again->fired_at, incident_.fired_at);
  EXPECT_EQ(again->first_sign, incident_.first_sign);
  EXPECT_EQ(begin_of(*again, kNoon, std::chrono::hours(6)), kNoon - std::chrono::hours(15));
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
