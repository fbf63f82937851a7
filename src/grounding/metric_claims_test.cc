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

TEST(MetricClaims, ACitationOfAReceiptsPartIsOfThatReceipt) {
  const Receipt receipts[] = {
      receipt_with("## error_rate\nNow: 9 % (at 2026-10-07T08:00:00Z).\n", "R1"),
      receipt_with("## error_rate\nNow: 4 % (at 2026-10-07T08:00:00Z).\n", "R2")};
  EXPECT_EQ(verify("error_rate is 9 % now [R1: error_rate].", receipts).claims.at(0).verdict,
            ClaimVerdict::kSupported);
  EXPECT_EQ(verify("error_rate is 9 % now [R2: error_rate].", receipts).claims.at(0).verdict,
            ClaimVerdict::kUnsupported);
}

}  // namespace
}  // namespace precedent
