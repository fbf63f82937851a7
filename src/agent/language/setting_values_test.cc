// Which value a line gives to a name.
#include "agent/language/setting_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::ElementsAre;

TEST(SettingValues, OfCodeAndConfiguration) {
  EXPECT_THAT(setting_values("KILN_MAX_RUNS = int(os.environ.get(\"KILN_MAX_RUNS\", \"0\"))"),
              ElementsAre(SettingValue{"KILN_MAX_RUNS", "0"}));
  EXPECT_THAT(setting_values("export const WAIT_MS = Number(process.env.KILN_WAIT_MS ?? 15000);"),
              ElementsAre(SettingValue{"KILN_WAIT_MS", "15000"}));
  EXPECT_THAT(
      setting_values("env:\n  KILN_WAIT_MS: \"15000\"\nkiln.pool.size=20\n"),
      ElementsAre(SettingValue{"KILN_WAIT_MS", "15000"}, SettingValue{"kiln.pool.size", "20"}));
  EXPECT_THAT(setting_values("limit = size() * 2"), ElementsAre());
}

TEST(SettingValues, OfProse) {
  EXPECT_THAT(setting_values("It keeps at most 2,000 runs (KILN_MAX_RUNS=2000)."),
              ElementsAre(SettingValue{"KILN_MAX_RUNS", "2000"}));
  EXPECT_THAT(setting_values("key: KILN_MAX_RUNS | default: 300 | reload: no"),
              ElementsAre(SettingValue{"KILN_MAX_RUNS", "300"}));
  EXPECT_TRUE(is_same_value("2,000", "2_000"));
  EXPECT_FALSE(is_same_value("2000", "0"));
}

TEST(SettingValues, ANameOfWhichTheQuestionSaysTheWords) {
  EXPECT_TRUE(gives_a_value_to("  KILN_WAIT_MS: \"15000\"", {"kiln", "wait"}));
  EXPECT_FALSE(gives_a_value_to("  KILN_WAIT_MS: \"15000\"", {"kiln", "door"}));
}

}  // namespace
}  // namespace precedent
