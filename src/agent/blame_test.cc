#include "agent/blame.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

void expect_blame(std::string_view question, std::string_view cause, std::string_view effect) {
  const auto blame = read_blame(question);
  ASSERT_TRUE(blame) << question;
  EXPECT_EQ(blame->cause, cause) << question;
  EXPECT_EQ(blame->effect, effect) << question;
}

TEST(Blame, HasACauseAndAnEffect) {
  expect_blame("Did the portal deploy cause the slot latency?", "portal deploy", "slot latency");
  expect_blame("could portal 7.1 have caused the errors of billing", "portal 7.1",
               "errors of billing");
  expect_blame("Was the portal release to blame for the slow slots?", "portal release",
               "slow slots");
  expect_blame("is the new cache behind the 503s on /v1/x?", "new cache", "503s on /v1/x");
  expect_blame("Are the 503s of billing caused by yesterday's portal deploy?",
               "yesterday's portal deploy", "503s of billing");
  expect_blame("hi, is billing slow because of the portal rollout?", "portal rollout",
               "billing slow");
}

TEST(Blame, IsNotAnyQuestionAfterACause) {
  for (const char* other : {"what caused the outage?", "why is billing slow?",
                            "did the deploy finish?", "who is behind the portal?", ""})
    EXPECT_FALSE(read_blame(other)) << other;
}

}  // namespace
}  // namespace precedent
