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

TEST(About, AFlag) {
  Change change;
  change.kind = ChangeKind::kFlag;
  change.title = "Flag board_night_mode: 10% → 50%";
  EXPECT_TRUE(is_about(change, {"night", "mode"}));
}

}  // namespace
}  // namespace precedent
