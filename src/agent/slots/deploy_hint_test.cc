#include "agent/slots/deploy_hint.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

const TimePoint kNow = *parse_time("2026-11-20T09:00:00Z");

DeployHint hint_of(std::string_view question) {
  const auto hint = find_deploy_hint(question, kNow);
  EXPECT_TRUE(hint) << question;
  return hint.value_or(DeployHint{});
}

TimePoint at(std::string_view text) { return parse_time(text).value(); }

TEST(DeployHint, IsReadAsWritten) {
  const std::pair<const char*, const char*> cases[] = {
      {"Spiky since yesterday's deploy. What's going on?", "since yesterday's deploy"},
      {"Spiky since yesterday’s deploy.", "since yesterday’s deploy"},
      {"it doubled after the 16:20 deploy yesterday, still", "after the 16:20 deploy yesterday"},
      {"errors after we shipped v84?", "after we shipped v84"},
      {"slow ever since the search-service release", "ever since the search-service release"},
      {"Did the last release do that?", "Did the last release"},
      {"500s since the 09:15 UTC release on 18 November",
       "since the 09:15 UTC release on 18 November"},
      {"errors since deployment of v2.31.0 are up", "since deployment of v2.31.0"}};
  for (const auto& [question, text] : cases) {
    const DeployHint hint = hint_of(question);
    EXPECT_EQ(hint.text, text);
    EXPECT_EQ(std::string_view(question).substr(hint.begin, hint.end - hint.begin), text);
  }
}

TEST(DeployHint, KnowsTheDay) {
  for (const char* question : {"since yesterday's deploy", "since yesterday’s deploy"}) {
    const TimeRange day = hint_of(question).day;
    EXPECT_EQ(day.from, at("2026-11-19")) << question;
    EXPECT_EQ(day.to, at("2026-11-20")) << question;
  }
  EXPECT_TRUE(hint_of("since the last deploy").day.unbounded());
}

TEST(DeployHint, AClockIsTheDeploysOwn) {
  const TimeRange yesterday = hint_of("after the 16:20 deploy yesterday").day;
  EXPECT_TRUE(yesterday.contains(at("2026-11-19T16:18:40Z")));
  EXPECT_TRUE(yesterday.contains(at("2026-11-19T16:20:00Z")));
  EXPECT_FALSE(yesterday.contains(at("2026-11-19T17:00:00Z")));
  EXPECT_TRUE(hint_of("after the 08:10 deploy").day.contains(at("2026-11-20T08:10:00Z")));
  // Not yet today: yesterday's.
  EXPECT_TRUE(hint_of("after the 16:20 deploy").day.contains(at("2026-11-19T16:20:00Z")));
}

TEST(DeployHint, KnowsTheVersion) {
  EXPECT_EQ(hint_of("after we shipped v84?").version, "v84");
  EXPECT_EQ(hint_of("since the 2.31.0 release").version, "2.31.0");
  EXPECT_EQ(hint_of("since the deploy of v2.31.0").version, "v2.31.0");
  EXPECT_EQ(hint_of("since yesterday's deploy").version, "");
}

TEST(DeployHint, WhatIsNoMomentIsNone) {
  for (const char* question :
       {"how do I deploy", "deploy the fix", "How do I deploy the fix since it is merged?",
        "since the deployment guide says so, is it safe?", "what is in the release notes",
        "were we slow after the release notes went out", "since the deploy-bot restarted",
        "from the release branch", "by the release manager",
        "how do we deal with deploys that fail", "checks before deploys",
        "the deployer is slow since noon", "which releases are there"})
    EXPECT_FALSE(find_deploy_hint(question, kNow)) << question;
}

TEST(DeployHint, ATrapDoesNotHideADeploy) {
  EXPECT_EQ(hint_of("after the release notes went out and since the last deploy").text,
            "since the last deploy");
}

}  // namespace
}  // namespace precedent
