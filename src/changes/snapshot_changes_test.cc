#include "changes/snapshot_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "changes/change_source_contract.h"
#include "changes/changes_lab.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kCommits = R"([
 {"sha":"a1f0","author":"mei.lin","timestamp":"2026-07-11T12:18:30Z",
  "message":"feat(cache): export counters\n\nThis reverts commit 0badcafe.","files_changed":["pkg/b.go","pkg/a.go"],"diff":null},
 {"sha":"b2e1","author":"amir","message":"no time"}])";
constexpr std::string_view kDeploys =
    R"([{"timestamp":"2026-07-11T13:12:00Z","service":"catalogue","commit_sha":"a1f0","version":"v1"}])";
constexpr std::string_view kFlags =
    R"([{"timestamp":"2026-07-11T13:37:30Z","flag":"planner_v2","service":"productdb","change":"off->on","actor":"t"}])";

TEST(SnapshotChanges, KeepTheContract) {
  TemporaryFolder folder;
  const auto at = folder.path() / "outage";
  write_text(at / "context/commits.json", kCommits);
  write_text(at / "context/deploys.json", kDeploys);
  write_text(at / "flags.json", kFlags);
  const auto source = open_snapshot_changes(at);
  ASSERT_TRUE(source) << source.error().text();
  EXPECT_EQ((*source)->name(), "snapshot:outage");
  expect_change_source_contract(**source);
  const ChangeList list = asked(**source, {});
  ASSERT_EQ(list.changes.size(), 3u);
  EXPECT_EQ(list.changes[0].title, "Flag planner_v2: off → on");
  EXPECT_EQ(list.changes[1].kind, ChangeKind::kDeploy);
  EXPECT_EQ(list.changes[2].id, "a1f0");
  EXPECT_EQ(list.changes[2].title, "feat(cache): export counters");
  EXPECT_THAT(list.changes[2].files, ElementsAre("pkg/a.go", "pkg/b.go"));
  EXPECT_THAT(list.changes[2].reverts, ElementsAre("0badcafe"));
  EXPECT_THAT(list.asked[0].note, HasSubstr("commits.json: record 2 'time' is missing"));
}

TEST(SnapshotChanges, WithoutAnyFileThereIsNone) {
  TemporaryFolder folder;
  EXPECT_EQ(open_snapshot_changes(folder.path()).error().code, ErrorCode::kNotFound);
  write_text(folder.path() / "flags.json", "{}");
  EXPECT_THAT(open_snapshot_changes(folder.path()).error().text(), HasSubstr("no JSON array"));
}

// Real frozen incidents, where the developers' data lies beside the project.
TEST(SnapshotChanges, FrozenIncidentsAreReadWhole) {
  const char* set = std::getenv("PRECEDENT_SHARED_DATA");
  const std::filesystem::path root =
      std::filesystem::path(set != nullptr ? set : "../shared/data") / "09_rca_snapshots";
  if (!std::filesystem::is_directory(root))
    GTEST_SKIP() << "no " << root << "; PRECEDENT_SHARED_DATA names another folder";
  size_t scenarios = 0;
  for (const auto& entry : std::filesystem::directory_iterator(root)) {
    if (!entry.is_directory()) continue;
    const auto source = open_snapshot_changes(entry.path());
    ASSERT_TRUE(source) << source.error().text();
    const ChangeList list = asked(**source, {.limit = 1000});
    EXPECT_EQ(list.asked.at(0).note, "") << entry.path();
    EXPECT_GE(list.changes.size(), 10u) << entry.path();
    ++scenarios;
  }
  EXPECT_EQ(scenarios, 8u);
}

}  // namespace
}  // namespace precedent
