// What a sentence says that there is none of, or that was so all the time.
#include <gtest/gtest.h>

#include "grounding/grounding_lab.h"

namespace precedent {
namespace {

std::vector<Receipt> receipts() {
  Receipt latency = receipt_with(
      "## p95_latency of {endpoint=\"/quotes\"}\n"
      "Now: 2.485 s (at 2026-10-07T08:00:00Z).\n"
      "Window 2026-10-06T08:00:00Z to 2026-10-07T08:00:00Z, 289 points every 5m: mean 2.046 s, p95 "
      "2.691 s, lowest 0.3741 s at 2026-10-06T09:25:00Z, highest 3.067 s at 2026-10-06T15:50:00Z.\n"
      "Rose at 2026-10-06T13:20:00Z: from 0.4066 s to 2.482 s (medians; p < 0.000001).\n"
      "Active alerts (1), says the snapshot snap:\n"
      "- QuoteSlow active since 2026-10-06T13:31:00Z {service=\"quote-api\"}: p95 above 800 ms\n");
  latency.tool = "metrics_query";
  latency.args = R"({"query":"metric=p95_latency window=24h"})";
  MetricsResult alerts;
  alerts.alert_source = "the snapshot snap";
  latency.result = alerts;
  Receipt changes = receipt_with(
      "Changes from 2026-10-05T08:00:00Z to 2026-10-07T08:00:00Z, newest first\n"
      "- 2026-10-07T07:15:00Z flag [flags.jsonl:9] Flag lanes_v2 to 50 %; by Ana Ruiz\n"
      "- 2026-10-06T13:05:00Z deploy [log.jsonl:64] Deploy of quote-api 4.2.0; was 4.1.7; by Ben "
      "Okoro\n"
      "- 2026-10-05T10:40:00Z deploy [log.jsonl:63] Deploy of tariff-db 1.9.0; by Ana Ruiz\n"
      "Asked: flags.jsonl: 1; log.jsonl: 2\n",
      "R2");
  changes.tool = "recent_changes";
  changes.result = ChangesResult{};
  return {latency, changes};
}

void expect(ClaimVerdict verdict, std::initializer_list<std::string_view> answers) {
  for (const std::string_view answer : answers) {
    const Verification verification = verify(answer, receipts());
    ASSERT_FALSE(verification.claims.empty()) << answer;
    const Claim& claim = verification.claims.front();
    EXPECT_EQ(name(claim.verdict), name(verdict)) << answer << ": " << claim.reason;
  }
}

TEST(Lists, AnActiveAlertIsOne) {
  expect(
      ClaimVerdict::kUnsupported,
      {"No alert is firing.", "There are no alerts.", "There are no active alerts for quote-api.",
       "Alerts are quiet.", "The alerts are not firing.", "Nothing is firing right now.",
       "None of the alerts is active."});
  expect(ClaimVerdict::kSupported, {"One alert is active, QuoteSlow.", "QuoteSlow is firing."});
}

TEST(Lists, NoAlertOfSomethingElseIsADifferentClaim) {
  for (const std::string_view answer :
       {"No other alert is firing.", "No alert for tariff-db is firing.",
        "No alert was active before 13:31.", "If no alert is firing, wait.",
        "No alert is active for that service.", "The alert LaneSlow ended at 13:05.",
        "The latest deploy before that was tariff-db 1.9.0 by Ana Ruiz."}) {
    const Verification verification = verify(answer, receipts());
    for (const Claim& claim : verification.claims)
      EXPECT_NE(claim.reason, "what the receipts list of it says otherwise") << answer;
  }
}

TEST(Lists, NotSinceIsNoFlipOfWords) {
  const Verification verification =
      verify("quote-api has not been deployed since the 6th.", receipts());
  for (const Claim& claim : verification.claims)
    EXPECT_FALSE(claim.reason.contains("the opposite")) << claim.reason;
}

TEST(Lists, WhatIsNamedHasItsOrder) {
  expect(ClaimVerdict::kUnsupported,
         {"The flag lanes_v2 was set before the deploy of quote-api 4.2.0 by Ben Okoro.",
          "quote-api 4.2.0 was deployed only after QuoteSlow was active."});
  expect(ClaimVerdict::kSupported,
         {"The flag lanes_v2 was set after the deploy of quote-api 4.2.0 by Ben Okoro.",
          "quote-api 4.2.0 was deployed before QuoteSlow was active."});
}

TEST(Lists, AListedChangeWasMade) {
  expect(ClaimVerdict::kUnsupported,
         {"Nothing was deployed.", "No deploy happened before the rise.",
          "There were no changes today.", "No change was made in the last 24 hours.",
          "Nothing was deployed yesterday.", "There was no deploy of quote-api.",
          "No deploys happened after 10:30 on 6 October 2026."});
}

TEST(Lists, NoChangeInAnotherTimeOrOfSomethingElseIsADifferentClaim) {
  for (const std::string_view answer :
       {"Nothing was deployed today.", "No deploy happened after the rise.",
        "No change was made in the last 20 minutes.", "There was no deploy of lane-worker.",
        "There was no other deploy.", "No deploy happened after 14:00 on 6 October 2026."}) {
    const Verification verification = verify(answer, receipts());
    for (const Claim& claim : verification.claims)
      EXPECT_NE(claim.reason, "what the receipts list of it says otherwise") << answer;
  }
}

TEST(Lists, WhatWasSoAllTheTimeHoldsForTheExtremes) {
  expect(ClaimVerdict::kUnsupported,
         {"p95 latency of /quotes stayed below 1 s.", "p95 latency was above 2 s all night.",
          "p95_latency never exceeded 2.691 s."});
}

TEST(Lists, TheWayAFigureWentIsGoodOrBad) {
  expect(ClaimVerdict::kUnsupported,
         {"Latency of /quotes is getting better.", "p95 latency has improved."});
  expect(ClaimVerdict::kSupported, {"Latency of /quotes rose."});
}

TEST(Lists, WhatTheListDoesNotHaveIsProved) {
  expect(ClaimVerdict::kSupported,
         {"No alert is active for tariff-db.", "No rollback is among them.",
          "Nothing has been changed on quote-api since the deploy at 13:05 on 6 October 2026.",
          "tariff-db was neither rolled back nor deployed since 11:00 on 5 October 2026."});
}

TEST(Lists, AnActiveAlertMustBeListed) {
  expect(ClaimVerdict::kUnsupported, {"tariff-db has an alert that is firing."});
  expect(ClaimVerdict::kSupported, {"QuoteSlow is active, as a warning and not as a page."});
}

TEST(Lists, TheLatestIsTheNewestOfItsKind) {
  expect(ClaimVerdict::kSupported, {"The latest deploy was quote-api 4.2.0 by Ben Okoro.",
                                    "The last deploy of tariff-db was 1.9.0 by Ana Ruiz."});
  expect(ClaimVerdict::kUnsupported, {"The latest deploy was tariff-db 1.9.0 by Ana Ruiz."});
}

TEST(Lists, AllAreAll) {
  expect(ClaimVerdict::kUnsupported,
         {"All of the deploys were made by Ana Ruiz.", "Every change was made by Ana Ruiz."});
}

TEST(Lists, TheNumberOfChangesIsCounted) {
  expect(ClaimVerdict::kSupported, {"There were three changes: two deploys and one flag.",
                                    "Ana Ruiz made one of the deploys."});
  expect(ClaimVerdict::kUnsupported, {"There were seven deploys."});
}

TEST(Lists, TimeBetweenLinesOfTwoReceipts) {
  expect(ClaimVerdict::kSupported,
         {"QuoteSlow became active 26 minutes after the deploy of quote-api.",
          "p95 latency rose fifteen minutes after the deploy of quote-api."});
  expect(ClaimVerdict::kUnsupported,
         {"QuoteSlow became active 47 minutes after the deploy of quote-api."});
}

}  // namespace
}  // namespace precedent
