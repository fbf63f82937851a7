// What is said to be missing, and what the receipts say in other words.
#include <gtest/gtest.h>

#include "grounding/grounding_lab.h"

namespace precedent {
namespace {

constexpr std::string_view kRecord =
    "## Incident INC-2026-05-04-001\n"
    "**Title**: Login refused\n"
    "**Status**: Resolved\n"
    "**Description**: A command deleted all worker nodes of the cluster. The certificate expired "
    "at "
    "09:12 UTC. The load balancer was not able to place any new pods.\n"
    "**Root Cause**: The cleanup script had no filter.\n";

TEST(Gaps, WhatTheReceiptsDoNotTellMayBeSaidToBeMissing) {
  expect_supported("Who ran the command is not recorded [R1].", kRecord);
  expect_supported("The record gives no time of resolution.", kRecord);
  expect_supported("The report does not say how long the recovery took.", kRecord);
}

TEST(Gaps, WhatTheyTellMayNot) {
  expect_unsupported("The record does not say when the certificate expired.", kRecord);
  expect_unsupported("The report does not mention that the cleanup script had no filter.", kRecord);
}

TEST(Gaps, TheRestOfTheSentenceIsStillChecked) {
  expect_supported(
      "The certificate expired at 09:12, but who should have renewed it is not recorded.", kRecord);
  expect_unsupported(
      "The certificate expired at 11:40, and who should have renewed it, the record does not say.",
      kRecord);
}

TEST(Gaps, OtherWordsOfOneMeaningCount) {
  expect_supported("All worker machines of the cluster were erased by a command.", kRecord);
  expect_unsupported("A wave of phishing hijacked the passwords of the staff.", kRecord);
}

TEST(Gaps, DenialsAreReadInEveryForm) {
  expect_supported("The load balancer could not place new pods.", kRecord);
  expect_unsupported("The load balancer was able to place new pods.",
                     "The load balancer was unable to place new pods.");
  expect_unsupported("The QA plan did have tests for expiry.",
                     "The QA plan lacked tests for expiry.");
  expect_supported("The table has an index on the id.",
                   "The table no longer lacks an index on the id.");
}

TEST(Gaps, AnOpenTaskIsNotDone) {
  const std::string_view tasks =
      "Action items:\n"
      "- [x] Add a metric for disk space messages\n"
      "- [ ] Enable SMTP for the alerts of the dashboard\n";
  expect_unsupported("SMTP for the alerts of the dashboard was enabled.", tasks);
  expect_supported("SMTP for the alerts of the dashboard is not enabled.", tasks);
}

TEST(Gaps, AWrappedLineIsOneSentence) {
  const std::string_view wrapped =
      "Ubuntu had removed the packages of that release, since it was not\n"
      "a long-term release.\n";
  expect_supported("Ubuntu had removed the packages, as this was not a long-term release.",
                   wrapped);
  expect_unsupported("Ubuntu had removed the packages, as this was a long-term release.", wrapped);
}

TEST(Gaps, AWordThatOnlyTheQuestionHasIsMentionedNowhere) {
  Receipt receipt = receipt_with(std::string(kRecord));
  receipt.args = R"({"query":"what about the cut-over"})";
  const auto verdict = [&](std::string_view answer) {
    return verify(answer, std::span(&receipt, 1)).claims.at(0).verdict;
  };
  EXPECT_EQ(verdict("Nothing in the knowledge base mentions 'cut-over'."),
            ClaimVerdict::kSupported);
  EXPECT_NE(verdict("Nothing in the knowledge base mentions 'command'."), ClaimVerdict::kSupported);
}

}  // namespace
}  // namespace precedent
