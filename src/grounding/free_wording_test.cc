// Freely worded sentences, as a model writes them: the true ones pass, and what one word turns
// round does not.
#include <gtest/gtest.h>

#include "grounding/grounding_lab.h"

namespace precedent {
namespace {

constexpr std::string_view kIncidents =
    "## Incident INC-41\n"
    "**Title**: Milk tanks warm in the south hall\n"
    "**Status**: Closed\n"
    "**Opened**: 2026-03-02T06:10:00Z\n"
    "**Resolved**: 2026-03-02T09:40:00Z\n"
    "**Description**: Meters without network keep three days of readings; nothing is lost before. "
    "The "
    "scale wrote the unit as F instead of C. A queue without a limit filled the disk. Two of five "
    "tank sensors were dead. The alarm never fired. Rita Falk exchanged the sensors and Omar Sole "
    "recalibrated the scale.\n"
    "**Root Cause**: The cooling job started before the tank import had finished.\n"
    "- Replace the sensors of the north hall (Rita Falk, open)\n"
    "- Limit the queue (Omar Sole, done)\n"
    "\n"
    "## Incident INC-52\n"
    "**Title**: Cheese labels late\n"
    "**Status**: Investigating\n"
    "**Opened**: 2026-03-09T11:00:00Z\n"
    "**Description**: Labels come late since the noon shift. The press of label-api feeds at most "
    "900 labels a minute. Only the shop in Ulm kept working. If the lamp is dark, it is the fuse "
    "or "
    "the cable, not the software.\n";

std::string reason_of(std::string_view answer, ClaimVerdict verdict,
                      std::string_view text = kIncidents) {
  const Receipt receipt = receipt_with(std::string(text));
  const Verification verification = verify(answer, std::span(&receipt, 1));
  if (verification.claims.empty()) return "no claim";
  const Claim& claim = verification.claims.back();
  return claim.verdict == verdict ? "" : std::string(name(claim.verdict)) + ": " + claim.reason;
}
void expect_proved(std::initializer_list<std::string_view> answers) {
  for (const std::string_view answer : answers)
    EXPECT_EQ(reason_of(answer, ClaimVerdict::kSupported), "") << answer;
}
void expect_refuted(std::initializer_list<std::string_view> answers) {
  for (const std::string_view answer : answers)
    EXPECT_EQ(reason_of(answer, ClaimVerdict::kUnsupported), "") << answer;
}

TEST(FreeWording, AnAlternativeIsNotDenied) {
  expect_proved({"The scale wrote the unit as F rather than C.",
                 "The scale wrote the unit as F instead of C."});
}

TEST(FreeWording, ADeniedSubjectIsDenied) {
  expect_proved({"If the lamp is dark, look at the fuse or the cable; the software is not it.",
                 "Meters that lose the network keep readings for three days, so nothing is lost."});
}

TEST(FreeWording, WithoutDeniesNoVerb) {
  expect_proved({"The queue filled the disk.", "A queue that had no limit filled the disk."});
}

TEST(FreeWording, ADenialIsOfItsOwnComponent) {
  EXPECT_EQ(reason_of("tank-api has a database of its own.", ClaimVerdict::kSupported,
                      "tank-api uses a database of its own.\nlabel-api has no database.\n"),
            "");
  EXPECT_EQ(reason_of("label-api has a database.", ClaimVerdict::kUnsupported,
                      "label-api has no database.\n"),
            "");
}

TEST(FreeWording, TheCauseOfOneIncidentIsNotThatOfAnother) {
  expect_proved({"The labels come late; a cause is not recorded yet."});
}

TEST(FreeWording, WhatTheSpeakerLacksIsNoClaim) {
  constexpr std::string_view kMetric =
      "## p95_latency of {service=\"press-api\"}\nNow: 2.4 s (at 2026-03-09T08:00:00Z).\n"
      "No values a week earlier.\n## Incident INC-41\n**Root Cause**: The job started too early.\n";
  for (const std::string_view answer :
       {"I cannot compare with last week, because there are no values from that time.",
        "I therefore can't tell whether orders got slower."})
    EXPECT_EQ(reason_of(answer, ClaimVerdict::kSupported, kMetric), "") << answer;
}

TEST(FreeWording, HoursInWords) {
  expect_proved({"INC-41 was opened at 06:10 and INC-52 at eleven in the morning."});
  expect_refuted({"INC-52 was opened at eleven at night.", "INC-52 was opened at half past four."});
}

TEST(FreeWording, DaysAreCountedFromDayToDay) {
  expect_proved({"The incidents of the tanks and of the labels are seven days apart.",
                 "The milk tanks were warm on 2 March, seven days before the labels."});
  expect_refuted({"The incidents of the tanks and of the labels are nine days apart."});
}

TEST(FreeWording, ABoundIsNoDenial) {
  constexpr std::string_view kRunbook =
      "## Rinsing\nHold the tank at 80 degrees for at most 20 minutes. Close the valve.\n";
  EXPECT_EQ(
      reason_of("Do not hold the tank longer than 20 minutes.", ClaimVerdict::kSupported, kRunbook),
      "");
  EXPECT_EQ(reason_of("Do not forget to set the valve back.", ClaimVerdict::kSupported,
                      "## Rinsing\n1. Set the valve back to automatic.\n2. Close the lid.\n"),
            "");
  EXPECT_EQ(reason_of("Do not close the valve of the tank.", ClaimVerdict::kUnsupported,
                      "## Rinsing\nClose the valve of the tank.\n"),
            "");
}

TEST(FreeWording, WhatSomethingIsNotStandsInContrast) {
  EXPECT_EQ(
      reason_of("CPU of the press stood at 35 %, so the queue was the limit, not the press.",
                ClaimVerdict::kSupported,
                "## Labels\nCPU of the press was 35 %. The queue was the limit of the press.\n"),
      "");
}

TEST(FreeWording, ADenialOfWhatAnotherDoes) {
  constexpr std::string_view kCalls =
      "## Dependencies\n"
      "- label-api calls tank-api for every label\n"
      "- press-api uses the disk of label-api\n";
  EXPECT_EQ(reason_of("press-api uses the disk of label-api but does not call tank-api.",
                      ClaimVerdict::kSupported, kCalls),
            "");
  EXPECT_EQ(reason_of("label-api has labels but does not call tank-api.",
                      ClaimVerdict::kUnsupported, kCalls),
            "");
}

TEST(FreeWording, ADenialInOtherWords) {
  constexpr std::string_view kRules =
      "## Freezes\n"
      "No rinsing of the tanks on Fridays before 09:00.\n"
      "The press refuses to print a label that is outdated.\n";
  EXPECT_EQ(
      reason_of("On Fridays rinsing is frozen until 09:00.", ClaimVerdict::kSupported, kRules), "");
  EXPECT_EQ(reason_of("An outdated label can not be printed by the press.",
                      ClaimVerdict::kSupported, kRules),
            "");
}

TEST(FreeWording, NotSinceIsOfATime) {
  EXPECT_EQ(reason_of("label-api has not been rinsed since the 2nd.", ClaimVerdict::kSupported,
                      "## Rinsing\nThe last time label-api was rinsed was 2026-03-02.\n"),
            "");
}

TEST(FreeWording, BoundsAreRoundedOutwards) {
  constexpr std::string_view kPods =
      "## Presses\n- press a: mean 53.29 %\n- press b: mean 53.38 %\n";
  EXPECT_EQ(reason_of("The mean of the presses lies between 53.2 % and 53.4 %.",
                      ClaimVerdict::kSupported, kPods),
            "");
  EXPECT_EQ(reason_of("The mean of the presses lies between 53.1 % and 53.4 %.",
                      ClaimVerdict::kUnsupported, kPods),
            "");
}

TEST(FreeWording, AboutIsAsExactAsItsLastDigit) {
  EXPECT_EQ(reason_of("Only about 30 % of the tanks were full.", ClaimVerdict::kSupported,
                      "## Tanks\nFull tanks: 30.96 %\n"),
            "");
  EXPECT_EQ(reason_of("Only about 30 % of the tanks were full.", ClaimVerdict::kUnsupported,
                      "## Tanks\nFull tanks: 36.1 %\n"),
            "");
}

TEST(FreeWording, WhatFallsToSomebodyIsNoFigure) {
  Receipt latency = receipt_with(
      "## p95_latency\nNow: 2.4 s.\nRose at 2026-03-02T06:00:00Z: from 0.4 s to 2.4 s.\n");
  latency.tool = "metrics_query";
  const Receipt owners =
      receipt_with("## Incidents\nINC-41 and INC-52 are owned by Dairy.\n", "R2");
  const std::vector<Receipt> receipts{latency, owners};
  const Verification verification = verify("INC-41 fell to Dairy.", receipts);
  ASSERT_EQ(verification.claims.size(), 1);
  EXPECT_NE(verification.claims.front().reason, "nothing that was measured tells this");
}

TEST(FreeWording, WhatCitesALineOfALogRestsOnMoreThanTheMetricThatItNames) {
  Receipt latency =
      receipt_with("## p95_latency\nRose at 2026-03-02T06:00:00Z: from 0.4 s to 2.4 s.\n");
  latency.tool = "metrics_query";
  Receipt list = receipt_with(
      "Changes from 2026-03-01T06:00:00Z to 2026-03-02T06:00:00Z, newest first\n"
      "- 2026-03-02T05:35:00Z deploy [log.jsonl:6] Deploy of press-api 3.2.0; services: "
      "press-api\n",
      "R2");
  list.tool = "recent_changes";
  const std::vector<Receipt> receipts{latency, list};
  const Verification verification = verify(
      "Hypothesis: Deploy of press-api 3.2.0 is behind it; it came 25 min before p95_latency rose "
      "[log.jsonl:6]",
      receipts);
  ASSERT_EQ(verification.claims.size(), 1);
  EXPECT_EQ(name(verification.claims.front().verdict), name(ClaimVerdict::kHypothesis))
      << verification.claims.front().reason;
}

TEST(FreeWording, AFileIsOfTheComponentOfItsFolder) {
  EXPECT_EQ(
      reason_of(
          "label-api prints at most 900 labels [services/label-api/print.ts].",
          ClaimVerdict::kSupported,
          "## services/label-api/print.ts:1-3 (relevance 0.50)\nPrints at most 900 labels.\n"),
      "");
}

TEST(FreeWording, WorkedIsNotOut) {
  expect_proved({"The shop in Ulm kept working."});
  expect_refuted({"The shop in Ulm was out as well.", "The alarm went off."});
}

TEST(FreeWording, AFlagWentTheWayThatIsListed) {
  Receipt changes = receipt_with(
      "Changes from 2026-03-01T00:00:00Z to 2026-03-09T12:00:00Z, newest first\n"
      "- 2026-03-08T10:00:00Z flag [flags.jsonl:2] Flag soft_press: off → on; by Rita Falk\n");
  changes.tool = "recent_changes";
  const auto verdict = [&](std::string_view answer) {
    return name(verify(answer, std::span(&changes, 1)).claims.front().verdict);
  };
  EXPECT_EQ(verdict("Rita Falk turned soft_press on at 10:00."), "supported");
  EXPECT_EQ(verdict("Rita Falk turned soft_press off at 10:00."), "unsupported");
}

TEST(FreeWording, WhatWasNotFoundIsNotToldOf) {
  std::vector<Receipt> receipts = {receipt_with("There is no incident INC-77.", "R1"),
                                   receipt_with("There is no file lamp.py.", "R2")};
  for (Receipt& receipt : receipts) receipt.status = ReceiptStatus::kEmpty;
  const Verification verification = verify(
      "INC-77 was opened by the dairy and is worked on, but lamp.py was not found.", receipts);
  EXPECT_EQ(name(verification.claims.front().verdict), "unsupported");
}

TEST(FreeWording, ACapitalMakesNoRivalOfAName) {
  Receipt changes = receipt_with(
      "Changes from 2026-03-01T00:00:00Z to 2026-03-09T12:00:00Z, newest first\n"
      "- 2026-03-08T19:20:00Z deploy [log.jsonl:9] Deploy of press-api 5.12.0; services: "
      "press-api; "
      "was 5.11.3; environment production; commit dd7ef5ca; by Omar Sole\n"
      "- 2026-03-08T14:05:00Z commit [50e7612a13] press-api: keep labels between shifts; services: "
      "press-api; by Rita Falk; files: press/cache.py\n"
      "- 2026-03-01T14:00:00Z deploy [log.jsonl:4] Deploy of press-api 5.11.3; services: "
      "press-api; "
      "was 5.11.2; environment production; by Omar Sole\n");
  changes.tool = "recent_changes";
  for (const std::string_view answer :
       {"It came after Omar Sole had rolled out press-api 5.12.0 at 19:20.",
        "- 19:20: 5.12.0 goes to production",
        "Both deploys are by Omar Sole: 5.11.3 on 1 March and 5.12.0 on 8 March."}) {
    const Claim claim = verify(answer, std::span(&changes, 1)).claims.front();
    EXPECT_EQ(name(claim.verdict), "supported") << answer << ": " << claim.reason;
  }
}

}  // namespace
}  // namespace precedent
