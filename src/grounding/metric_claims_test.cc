// Claims over receipts in the shape of metrics_query and recent_changes.
#include <gtest/gtest.h>

#include "grounding/grounding_lab.h"

namespace precedent {
namespace {

constexpr std::string_view kLatency =
    "## p95_latency of {endpoint=\"/pay\"}\n"
    "Now: 2.485 s (at 2026-10-07T08:00:00Z).\n"
    "Window 2026-10-06T08:00:00Z to 2026-10-07T08:00:00Z, 289 points every 5m: mean 2.046 s, p95 "
    "2.691 s, lowest 0.3741 s at 2026-10-06T09:25:00Z, highest 3.067 s at 2026-10-06T15:50:00Z.\n"
    "Against the 1d before (2026-10-05T08:00:00Z to 2026-10-06T08:00:00Z): mean 0.4059 s, now "
    "5.04×, difference +1.64 s.\n"
    "Against a week earlier (2026-09-29T08:00:00Z to 2026-09-30T08:00:00Z): mean 0.4011 s, now "
    "5.1×, difference +1.645 s.\n"
    "Rose at 2026-10-06T13:20:00Z: from 0.4066 s to 2.482 s (medians; p < 0.000001).\n"
    "Of 2 series, those that contribute most to the difference:\n"
    "- {path=\"/v2/quotes\",pod=\"q-1\"}: mean 2.344 s, before 0.4291 s\n"
    "- {path=\"/v2/lanes\",pod=\"q-0\"}: mean 0.1398 s, before 0.1426 s\n"
    "Active alerts (1), says the snapshot snap:\n"
    "- QuoteSlow active since 2026-10-06T13:31:00Z {service=\"quote-api\"}: p95 above 800 ms\n";

Claim claim_of(std::string_view text, std::string_view answer) {
  const Receipt receipt = receipt_with(std::string(text));
  const Verification verification = verify(answer, std::span(&receipt, 1));
  EXPECT_FALSE(verification.claims.empty()) << answer;
  return verification.claims.empty() ? Claim{} : verification.claims.front();
}

void expect_all(std::string_view text, ClaimVerdict verdict,
                std::initializer_list<std::string_view> answers) {
  for (const std::string_view answer : answers) {
    const Claim claim = claim_of(text, answer);
    EXPECT_EQ(name(claim.verdict), name(verdict)) << answer << ": " << claim.reason;
  }
}

TEST(MetricClaims, AFigureIsHeldAgainstTheWordBeforeIt) {
  expect_all(kLatency, ClaimVerdict::kSupported,
             {"p95_latency is 2.485 s now, mean 2.046 s since 2026-10-06T08:00:00Z, 5.04× the 1d "
              "before (0.4059 s), 5.1× a week earlier (0.4011 s) [R1: p95_latency].",
              "The mean of q-1 is 2.344 s."});
  expect_all(kLatency, ClaimVerdict::kUnsupported, {"The mean of q-1 is 0.1398 s."});
}

TEST(MetricClaims, ANumberBelowZeroIsReadWithItsSign) {
  constexpr std::string_view kFreezer =
      "## freezer_celsius\nNow: -72.72 celsius (at 2027-02-10T03:10:00Z).\n"
      "Rose at 2027-02-10T02:25:00Z: from -79.37 celsius to -73.12 celsius (medians).\n";
  expect_all(kFreezer, ClaimVerdict::kSupported,
             {"- **freezer_celsius**: -72.72 celsius now (at 2027-02-10T03:10:00Z); rose at "
              "2027-02-10T02:25:00Z from -79.37 celsius to -73.12 celsius [R1: freezer_celsius]",
              "It is **-72.72 celsius** now."});
  expect_all(kFreezer, ClaimVerdict::kUnsupported, {"- **freezer_celsius**: 72.72 celsius now."});
}

TEST(MetricClaims, ACitationOfAReceiptsPartIsOfThatReceipt) {
  const Receipt receipts[] = {
      receipt_with("## error_rate\nNow: 9 % (at 2026-10-07T08:00:00Z).\n", "R1"),
      receipt_with("## error_rate\nNow: 4 % (at 2026-10-07T08:00:00Z).\n", "R2")};
  EXPECT_EQ(verify("error_rate is 9 % now [R1: error_rate].", receipts).claims.at(0).verdict,
            ClaimVerdict::kSupported);
  EXPECT_EQ(verify("error_rate is 9 % now [R2: error_rate].", receipts).claims.at(0).verdict,
            ClaimVerdict::kUnsupported);
}

// As metrics_query gives it: only there is it known that figures are of one metric over time.
Claim measured_claim(std::string_view text, std::string_view answer) {
  Receipt receipt = receipt_with(std::string(text));
  receipt.tool = "metrics_query";
  const Verification verification = verify(answer, std::span(&receipt, 1));
  EXPECT_FALSE(verification.claims.empty()) << answer;
  return verification.claims.empty() ? Claim{} : verification.claims.front();
}

void expect_measured(ClaimVerdict verdict, std::initializer_list<std::string_view> answers) {
  for (const std::string_view answer : answers) {
    const Claim claim = measured_claim(kLatency, answer);
    EXPECT_EQ(name(claim.verdict), name(verdict)) << answer << ": " << claim.reason;
  }
}

TEST(MetricClaims, TheWayAFigureWentIsReadFromItsFigures) {
  expect_measured(ClaimVerdict::kUnsupported,
                  {"p95_latency of /pay has not risen.", "p95 latency of /pay is unchanged.",
                   "The p95 latency of /pay fell to 2.482 s.", "p95 latency of /pay is fine.",
                   "Latency of /pay did not change.", "The queue length of /pay doubled."});
  expect_measured(ClaimVerdict::kSupported,
                  {"p95_latency of /pay rose to 2.482 s.", "p95 latency of /pay has not fallen.",
                   "p95_latency of /pay is 2.49 s.", "Latency of /pay rose."});
}

TEST(MetricClaims, AnActiveAlertIsNotOver) {
  expect_measured(
      ClaimVerdict::kUnsupported,
      {"QuoteSlow is not firing.", "The alert QuoteSlow is resolved.", "All systems are healthy."});
  expect_measured(ClaimVerdict::kSupported, {"The alert QuoteSlow is active since 13:31."});
}

constexpr std::string_view kChanges =
    "Changes of shop-api, newest first\n"
    "- 2026-11-17T15:40:00Z deploy [log.jsonl:64] Deploy of shop-api 2.31.0; was 2.30.4; commit "
    "a3ec5d6837; by Clara Neumann\n"
    "- 2026-11-17T14:20:00Z commit [a3ec5d6837] shop-api 2.31.0; by Clara Neumann; files: a.py\n"
    "- 2026-11-16T09:05:00Z commit [442e69ee58] alert on a low ratio; by Priya Menon\n";

TEST(MetricClaims, WhoChangedItStandsInTheLineOfTheChange) {
  expect_all(kChanges, ClaimVerdict::kSupported,
             {"shop-api 2.31.0 was deployed by Clara Neumann.",
              "Priya Menon wrote commit 442e69ee58, and Clara Neumann wrote a3ec5d6837.",
              "Deploy of shop-api 2.31.0 (was 2.30.4), by Clara Neumann [log.jsonl:64]"});
  expect_all(kChanges, ClaimVerdict::kUnsupported,
             {"Priya Menon deployed shop-api 2.31.0.",
              "The commit a3ec5d6837 was written by Priya Menon."});
}

TEST(MetricClaims, WhatIsSaidToHaveCausedItIsGivenAsACause) {
  constexpr std::string_view kText =
      "shop-api and mail-api share a queue. The spike of latency was caused by shop-api.\n";
  expect_all(kText, ClaimVerdict::kSupported, {"shop-api caused the spike of latency."});
  expect_all(kText, ClaimVerdict::kUnsupported,
             {"mail-api caused the spike of latency.", "mail-api is behind the latency spike."});
}

TEST(MetricClaims, OtherSpellingsOfOneName) {
  expect_all("The key has a sha1 of the filter; p95 is 3 s.", ClaimVerdict::kSupported,
             {"The key has a SHA-1 of the filter.", "The 95th percentile, p95, is 3 s."});
}

}  // namespace
}  // namespace precedent
