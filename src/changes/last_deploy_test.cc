#include "changes/last_deploy.h"

#include <gtest/gtest.h>

#include "changes/changes_lab.h"
#include "changes/fixed_changes.h"

namespace precedent {
namespace {

Change of_kind(ChangeKind kind, Change change) {
  change.kind = kind;
  return change;
}

std::string told(std::vector<Change> changes, std::string_view service = "search-service",
                 std::string_view now = "2026-11-20T12:00:00Z", const DeployWanted& wanted = {}) {
  const FixedChanges source("log", std::move(changes));
  const auto deploy = last_deploy(source, service, moment(now), wanted).value();
  return deploy ? deploy->text() : "none";
}

const Change kOld = deploy("search-service", "2.30.4", "2026-11-03T10:00:00Z");
const Change kNew = deploy("search-service", "2.31.0", "2026-11-17T15:40:00Z");
const Change kOther = deploy("checkout-api", "7.8.0", "2026-11-19T09:00:00Z");

TEST(LastDeploy, IsTheLatestOfTheServiceThatIsPast) {
  EXPECT_EQ(told({kOld, kNew, kOther}),
            "search-service 2.31.0, 2026-11-17T15:40:00Z (a recorded deploy: log "
            "search-service@2.31.0)");
  EXPECT_EQ(told({kOld, kNew}, "search-service", "2026-11-17T15:40:00Z").substr(0, 21),
            "search-service 2.31.0");
  EXPECT_EQ(told({kOld, kNew}, "search-service", "2026-11-17T15:39:59Z").substr(0, 21),
            "search-service 2.30.4");
  EXPECT_EQ(told({kOld, kNew, kOther}, "").substr(0, 18), "checkout-api 7.8.0");
  EXPECT_EQ(told({kOther}), "none");
}

TEST(LastDeploy, MayBeRestrictedToADay) {
  EXPECT_EQ(told({kOld, kNew}, "search-service", "2026-11-20T12:00:00Z",
                 {{moment("2026-11-03"), moment("2026-11-04")}})
                .substr(0, 21),
            "search-service 2.30.4");
}

TEST(LastDeploy, MayBeOfAVersionOfWhichLessIsSaid) {
  const auto of_version = [](std::string_view version) {
    return told({kOld, kNew}, "search-service", "2026-11-20T12:00:00Z", {{}, version})
        .substr(0, 21);
  };
  EXPECT_EQ(of_version("2.30.4"), "search-service 2.30.4");
  EXPECT_EQ(of_version("v2.30"), "search-service 2.30.4");
  EXPECT_EQ(of_version("2"), "search-service 2.31.0");
  EXPECT_EQ(of_version("2.3"), "none");
  EXPECT_EQ(of_version("v84"), "none");
}

TEST(LastDeploy, ARollbackIsOne) {
  EXPECT_EQ(told({kNew, of_kind(ChangeKind::kRollback,
                                deploy("search-service", "2.30.4", "2026-11-18T10:00:00Z"))})
                .substr(0, 33),
            "rollback to search-service 2.30.4");
}

TEST(LastDeploy, ARollbackIsNoneWhereOnlyADeployIsWanted) {
  const FixedChanges source(
      "log", {kNew, of_kind(ChangeKind::kRollback,
                            deploy("search-service", "2.30.4", "2026-11-18T10:00:00Z"))});
  const auto found =
      last_deploy(source, "search-service", moment("2026-11-20T12:00:00Z"), {.rollbacks = false});
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->change.version, "2.31.0");
}

TEST(LastDeploy, ARecordGoesBeforeATagAndATagBeforeAVersionSeen) {
  const Change tag =
      of_kind(ChangeKind::kTag, deploy("search-service", "2.31.1", "2026-11-18T09:00:00Z"));
  const Change seen =
      of_kind(ChangeKind::kVersionSeen, deploy("search-service", "2.31.2", "2026-11-18T10:00:00Z"));
  EXPECT_NE(told({kNew, tag, seen}).find("2.31.0"), std::string::npos);
  EXPECT_NE(told({tag, seen}).find("2.31.1, 2026-11-18T09:00:00Z (a git tag"), std::string::npos);
  EXPECT_NE(told({seen}).find("the version that the service reports"), std::string::npos);
}

}  // namespace
}  // namespace precedent
