// When a deferred snapshot is read, and what its errors are. Its contract: metrics_source_test.cc.
#include "telemetry/snapshot/deferred_snapshot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "files/temporary_folder.h"
#include "telemetry/snapshot/snapshot.h"
#include "telemetry/snapshot/telemetry_lab.h"

namespace precedent {
namespace {

using testing::Contains;
using testing::HasSubstr;

void write(const std::filesystem::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

struct DeferredSnapshotTest : testing::Test {
  Result<SeriesSet> memory() {
    return snapshot.metrics->range(MetricQuery{.of = {"memory_bytes"}},
                                   {lab_begin(), lab_begin() + std::chrono::minutes(5)}, context);
  }
  CancelToken cancel;
  SourceContext context{cancel};
  TemporaryFolder folder;
  DeferredSnapshot snapshot = defer_snapshot(folder.path(), "morning");
};

TEST_F(DeferredSnapshotTest, IsReadOnceAndThenKept) {
  write(folder.path() / "metrics.om", lab_openmetrics());
  ASSERT_TRUE(memory());
  std::filesystem::remove_all(folder.path());
  const auto again = memory();
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->series.size(), 1u);
  // The alerts are of the same reading.
  EXPECT_TRUE(snapshot.alerts->active(lab_begin(), context));
}

TEST_F(DeferredSnapshotTest, EachCallGivesTheErrorUntilTheFolderIsThere) {
  for (int i = 0; i < 2; ++i) {
    const auto nothing = memory();
    ASSERT_FALSE(nothing);
    EXPECT_EQ(nothing.error().code, ErrorCode::kNotFound);
  }
  EXPECT_FALSE(snapshot.metrics->catalogue(context));
  EXPECT_FALSE(snapshot.metrics->series({"memory_bytes"}, lab_begin(), lab_end(), context));
  EXPECT_FALSE(snapshot.alerts->active(lab_begin(), context));
  EXPECT_EQ(snapshot.metrics->frozen_at(), std::nullopt);
  write(folder.path() / "metrics.om", lab_openmetrics());
  EXPECT_TRUE(memory());
}

TEST_F(DeferredSnapshotTest, WhatCouldNotBeReadIsAWarningOfEveryAnswer) {
  write(folder.path() / "metrics.om", lab_openmetrics());
  std::filesystem::create_directory(folder.path() / "metrics");
  write(folder.path() / "metrics" / "bad.csv", "this is no table\n");
  for (int i = 0; i < 2; ++i) {
    const auto found = memory();
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_THAT(found->warnings, Contains(HasSubstr("bad.csv")));
  }
}

TEST_F(DeferredSnapshotTest, NamesItsFolderWithoutReadingIt) {
  EXPECT_THAT(snapshot.metrics->describe(), HasSubstr("morning"));
  EXPECT_THAT(snapshot.alerts->describe(), HasSubstr("morning"));
}

TEST_F(DeferredSnapshotTest, AlertsThatCannotBeReadAreNotTakenForNone) {
  write(folder.path() / "metrics.om", lab_openmetrics());
  write(folder.path() / "alerts.json", R"([{"labels": {"alertname": "Cut)");
  const auto active = snapshot.alerts->active(lab_begin(), context);
  ASSERT_FALSE(active);
  EXPECT_EQ(active.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(active.error().message, HasSubstr("alerts.json"));
  EXPECT_FALSE(snapshot.alerts->past(lab_begin(), lab_end(), context));
  EXPECT_TRUE(memory());
}

TEST(EmbeddedAlerts, ThoseThatAreOverAreKnownWithTheirEnd) {
  const EmbeddedAlerts alerts("x", read_alerts(lab_alerts_json(), "lab").value());
  const CancelToken never;
  const auto at = [](std::string_view text) { return Instant(parse_time(text).value()); };
  const auto past = alerts.past(at("2026-11-19T11:10:00Z"), at("2026-11-19T13:00:00Z"), {never});
  ASSERT_TRUE(past);
  ASSERT_EQ(past->size(), 1u);
  EXPECT_EQ((*past)[0].alert.name, "CartSlow");
  EXPECT_EQ(format_time((*past)[0].ends_at), "2026-11-19T11:30:00Z");
  EXPECT_TRUE(
      alerts.past(at("2026-11-19T11:40:00Z"), at("2026-11-19T13:00:00Z"), {never})->empty());
  EXPECT_TRUE(
      alerts.past(at("2026-11-19T10:00:00Z"), at("2026-11-19T11:20:00Z"), {never})->empty());
}

}  // namespace
}  // namespace precedent
