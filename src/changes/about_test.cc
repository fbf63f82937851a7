// What a change is about.
#include "changes/about.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

TEST(About, EachWordStandsInTheTitleOrTheFiles) {
  Change change;
  change.title = "ovens: keep curves between runs";
  change.files = {"services/kiln/curve_store.py"};
  EXPECT_TRUE(is_about(change, {"curve", "store"}));
  EXPECT_TRUE(is_about(change, {"oven", "runs"}));
  EXPECT_FALSE(is_about(change, {"curve", "backup"}));
  EXPECT_FALSE(is_about(change, {}));
}

TEST(About, AWordThatIsCutShort) {
  Change change;
  change.title = "wait longer for the acknowledge timeout";
  EXPECT_TRUE(is_about(change, {"ack", "timeout"}));
  EXPECT_FALSE(is_about(change, {"a", "timeouts", "packet"}));
}

TEST(About, AVersionIsTheSameOrItsPatch) {
  Change change;
  change.title = "kiln-control v3.12.0";
  EXPECT_TRUE(is_about(change, {"3.12.0"}));
  EXPECT_TRUE(is_about(change, {"3.12"}));
  EXPECT_FALSE(is_about(change, {"3.1"}));
  EXPECT_FALSE(is_about(change, {"12.0"}));
  EXPECT_FALSE(is_about(change, {"3.14.0"}));
  change.title = "kiln-control";
  change.version = "3.13.1";
  EXPECT_TRUE(is_about(change, {"3.13.1"}));
}

TEST(About, AFileWithOrWithoutItsFolders) {
  Change change;
  change.title = "kiln: ramp.py is renamed";
  change.files = {"services/kiln/Curve_store.py"};
  EXPECT_TRUE(is_about(change, {"curve_store.py"}));
  EXPECT_TRUE(is_about(change, {"kiln/curve_store.py"}));
  EXPECT_FALSE(is_about(change, {"store.py"}));
  EXPECT_FALSE(is_about(change, {"ramp.py"}));
}

TEST(About, AFlag) {
  Change change;
  change.kind = ChangeKind::kFlag;
  change.subject = "board_night_mode";
  change.title = "Flag board_night_mode: 10% → 50%";
  EXPECT_TRUE(is_about(change, {"night", "mode"}));
}

}  // namespace
}  // namespace precedent
