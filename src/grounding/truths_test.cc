// True sentences that stand in the receipts in other words, and what "only" leaves.
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
      receipt_with("## search-api\n**Owner**: Team Search\n**Tier**: 1\n", "R4")};
  all[0].tool = "recent_changes";
  all[0].result = ChangesResult{};
  all[1].tool = all[2].tool = "metrics_query";
  MetricsResult alerts;
  alerts.alert_source = "the snapshot snap";
  all[1].result = alerts;
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

TEST(Entities, WhatOnlyLeavesIsSaid) {
  expect_verdict(ClaimVerdict::kSupported, {"search-api 2.31.0 was deployed to prod-euw1 only."});
  expect_verdict(ClaimVerdict::kUnsupported, {"search-api 2.31.0 was deployed to staging only.",
                                              "search-api 2.31.0 was deployed only to staging.",
                                              "search-api 2.31.0 was deployed only in Frankfurt."});
}

void expect_all_proved(const std::string& answer, std::string_view text, std::string args = "{}") {
  const Receipt receipt = receipt_with(std::string(text), "R1", std::move(args));
  for (const Claim& claim : verify(answer, std::span(&receipt, 1)).claims)
    EXPECT_EQ(name(claim.verdict), name(ClaimVerdict::kSupported))
        << claim.bytes.in(answer) << ": " << claim.reason;
}

TEST(Truths, AListOfAPeriodIsCountedAndDated) {
  constexpr std::string_view kList =
      "Incidents opened from 2026-01-01 to 2026-02-01, newest first\n"
      "## Incident INC-2026-01-20-001\n**Title**: Queue stuck\n**Opened**: 2026-01-20T08:00:00Z\n"
      "## Incident INC-2026-01-11-002\n**Title**: Disk full\n**Opened**: 2026-01-11T08:00:00Z\n"
      "## Incident INC-2026-01-02-001\n**Title**: Login slow\n**Opened**: 2026-01-02T08:00:00Z\n";
  for (const std::string head : {"3 incidents between 2026-01-01 and 2026-02-01:",
                                 "3 incidents were opened between 2026-01-01 and 2026-02-01:"})
    expect_all_proved(head +
                          "\n- INC-2026-01-20-001 Queue stuck\n- INC-2026-01-11-002 Disk full\n"
                          "- INC-2026-01-02-001 Login slow\n",
                      kList, R"({"from":"2026-01-01","to":"2026-02-01"})");
}

TEST(Truths, ATimeMayHaveAnOffset) {
  constexpr std::string_view kOffset =
      "The batch started at 2026-05-04T11:10:00+02:00 in Vienna.\n";
  for (const char* answer :
       {"The batch started at 2026-05-04T11:10:00+02:00.", "The batch started at 11:10 in Vienna.",
        "The batch started at 11:10+02:00 in Vienna.", "The batch in Vienna started at 09:10 UTC."})
    expect_all_proved(answer, kOffset);
  expect_all_proved("The batch started at 11:10+02:00.",
                    "The batch started at 2026-05-04T09:10:00Z.\n");
}

TEST(Truths, FilesMayHaveAnyName) {
  constexpr std::string_view kFiles =
      "The limit is set in deploy/Dockerfile, values-prod.yaml and Makefile; release notes.md and "
      ".env.example tell why. See `src/a-b/c_d.test.ts:3`.\n";
  for (const char* answer : {"The limit is set in `deploy/Dockerfile` and values-prod.yaml.",
                             "The limit is set in ./values-prod.yaml and the Makefile.",
                             "\"release notes.md\" and `.env.example` tell why the limit is set.",
                             "The limit is set in Dockerfile.", "See src/a-b/c_d.test.ts:3."})
    expect_all_proved(answer, kFiles);
}

TEST(Truths, ATitlesWordsAreNoStatus) {
  constexpr std::string_view kRunbook =
      "## Fraud scoring is slow, down or wrong\n**Kind**: runbook\n**Status**: active\n"
      "Restart the scorer, then wait for the queue.\n"
      "## Alerts resolved by nobody\n**Kind**: runbook\nAsk the owner.\n";
  for (const char* answer :
       {"**Steps** from runbook \"Fraud scoring is slow, down or wrong\":",
        "The runbook \"Fraud scoring is slow, down or wrong\" says: restart the scorer.",
        "The runbook \"Alerts resolved by nobody\" says: ask the owner."})
    expect_all_proved(answer, kRunbook);
}

}  // namespace
}  // namespace precedent
