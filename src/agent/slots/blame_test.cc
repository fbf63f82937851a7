#include "agent/slots/blame.h"

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

TEST(Blame, ADeployThatIsSuspected) {
  EXPECT_EQ(read_blamed_deploy("is it the 22:50 deploy?"), "22:50 deploy");
  EXPECT_EQ(read_blamed_deploy("so was it because of the last release of portal"),
            "last release of portal");
  EXPECT_EQ(read_blamed_deploy("is the deploy of portal to blame?"), "deploy of portal");
  EXPECT_EQ(read_blamed_deploy("Is it yesterday's portal deploy?"), "yesterday's portal deploy");
  EXPECT_EQ(read_blamed_deploy("did the 22:50 deploy break checkout"), "22:50 deploy");
  for (const char* other :
       {"is it deployed?", "when was the last deploy?", "how do I deploy portal",
        "did the deploy finish?", "is the release process documented?"})
    EXPECT_EQ(read_blamed_deploy(other), "") << other;
}

TEST(Blame, IsNotAnyQuestionAfterACause) {
  for (const char* other : {"what caused the outage?", "why is billing slow?",
                            "did the deploy finish?", "who is behind the portal?", ""})
    EXPECT_FALSE(read_blame(other)) << other;
}

}  // namespace
}  // namespace precedent
