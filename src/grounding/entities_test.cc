// Which thing a fact belongs to.
#include <gtest/gtest.h>

#include "grounding/grounding_lab.h"

namespace precedent {
namespace {

std::vector<Receipt> receipts() {
  std::vector<Receipt> all = {
      receipt_with(
          "Changes from 2026-11-16T09:00:00Z to 2026-11-18T12:00:00Z, newest first\n"
          "- 2026-11-18T11:10:00Z rollback [d.jsonl:9] Rollback of mail-api to 3.3.9; by Ann Berg\n"
          "- 2026-11-17T15:40:00Z deploy [d.jsonl:8] Deploy of search-api 2.31.0 to prod-euw1; was "
          "2.30.4; commit 9f3c2ab; by Clara Wall\n"
          "- 2026-11-17T14:12:00Z commit [9f3c2ab] Result cache for search-api; by Clara Wall\n"
          "- 2026-11-16T10:02:00Z deploy [d.jsonl:7] Deploy of mail-api 3.4.0 to staging; by Ann "
          "Berg\n",
          "R1"),
      receipt_with(
          "## p95_latency of {service=\"search-api\"}\n"
          "Now: 2.485 s (at 2026-11-18T12:00:00Z).\n"
          "Rose at 2026-11-17T15:44:00Z: from 0.4066 s to 2.482 s (medians; p < 0.000001).\n"
          "Active alerts (3), says the snapshot snap:\n"
          "- SearchSlow active since 2026-11-17T15:50:00Z: p95 above 800 ms\n"
          "- SearchErrors active since 2026-11-17T15:55:00Z: errors above 1 %\n"
          "- MailLate active since 2026-11-17T16:55:00Z: mails wait\n",
          "R2", R"({"query":"metric=p95_latency"})"),
      receipt_with("## error_rate of {service=\"search-api\"}\n"
                   "Now: 6.8 % (at 2026-11-18T12:00:00Z).\n",
                   "R3", R"({"query":"metric=error_rate"})"),
      receipt_with("## search-api\n**Owner**: Team Search\nTeam Search owns search-api.\n", "R4")};
  all[0].tool = "recent_changes";
  all[1].tool = all[2].tool = "metrics_query";
  return all;
}

void expect_verdict(ClaimVerdict verdict, std::initializer_list<std::string_view> answers) {
  for (const std::string_view answer : answers) {
    const Verification verification = verify(answer, receipts());
    ASSERT_EQ(verification.claims.size(), 1u) << answer;
    const Claim& claim = verification.claims.front();
    EXPECT_EQ(name(claim.verdict), name(verdict)) << answer << ": " << claim.reason;
  }
}

TEST(Entities, ATimeIsOfAKindOfChange) {
  expect_verdict(ClaimVerdict::kSupported, {"search-api 2.31.0 was deployed at 15:40.",
                                            "The commit 9f3c2ab for search-api is of 14:12."});
  expect_verdict(
      ClaimVerdict::kUnsupported,
      {"search-api 2.31.0 was deployed at 14:12.", "The deploy of search-api was at 14:12.",
       "search-api was rolled out at 14:12 in the deploy by Clara Wall.",
       "The commit for search-api was made at 15:40."});
}

TEST(Entities, AFigureIsOfAMetric) {
  expect_verdict(ClaimVerdict::kSupported, {"p95_latency is 2.485 s now.", "error_rate is 6.8 %.",
                                            "The latency of search-api is 2.485 s now."});
  expect_verdict(ClaimVerdict::kUnsupported,
                 {"error_rate of search-api is 2.485 s now.", "p95_latency is 6.8 % now.",
                  "The error rate of search-api is 2.485 s."});
}

TEST(Entities, WhatOnlyLeavesIsSaid) {
  expect_verdict(ClaimVerdict::kSupported, {"search-api 2.31.0 was deployed to prod-euw1 only."});
  expect_verdict(ClaimVerdict::kUnsupported, {"search-api 2.31.0 was deployed to staging only.",
                                              "search-api 2.31.0 was deployed only to staging.",
                                              "search-api 2.31.0 was deployed only in Frankfurt."});
}

TEST(Entities, OnlySoMany) {
  expect_verdict(ClaimVerdict::kSupported, {"Only three alerts are active."});
  expect_verdict(ClaimVerdict::kUnsupported,
                 {"Only two alerts are active.", "There is only one deploy in the list."});
}

TEST(Entities, WhoOwnsIt) {
  expect_verdict(ClaimVerdict::kSupported, {"Team Search owns search-api."});
  expect_verdict(ClaimVerdict::kUnsupported, {"Team Search does not own search-api."});
}

TEST(Entities, WhatAVersionTookAway) {
  expect_verdict(ClaimVerdict::kUnsupported,
                 {"The result cache of search-api was removed in 2.31.0."});
}

TEST(Entities, WhatCameAfterAChange) {
  expect_verdict(ClaimVerdict::kSupported, {"The latency of search-api rose at 15:44."});
  expect_verdict(ClaimVerdict::kUnsupported,
                 {"After the rollback at 11:10 latency came down.",
                  "The latency came back down after the rollback at 11:10.",
                  "After the rollback at 11:10 the latency rose."});
}

}  // namespace
}  // namespace precedent
