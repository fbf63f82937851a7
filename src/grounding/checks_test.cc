// The table of checks: what a row must have, that a verdict names its check, and that a check is
// one function and one row (docs/how-to/add-a-check.md).
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "grounding/grounding_lab.h"

namespace precedent {
namespace {

constexpr std::string_view kText =
    "Nora Vint deployed search 5.5.0 at 09:12. The cache was full.\n";

Claim judged(std::string_view answer, std::span<const ClaimCheck> checks) {
  const Receipt receipt = receipt_with(std::string(kText));
  const Verification verification =
      verify(answer, Facts(std::span(&receipt, 1)), nullptr, {}, checks);
  EXPECT_FALSE(verification.claims.empty()) << answer;
  return verification.claims.empty() ? Claim{} : verification.claims.front();
}

TEST(Checks, EveryRowHasANameOfItsOwnAndSaysWhatItDoes) {
  std::set<std::string_view> names;
  for (const ClaimCheck& check : claim_checks()) {
    EXPECT_TRUE(names.insert(check.name).second) << check.name;
    EXPECT_FALSE(check.does.empty()) << check.name;
    EXPECT_EQ(check.does.find('\n'), std::string_view::npos) << check.name;
    EXPECT_NE(check.applies, nullptr) << check.name;
    EXPECT_NE(check.judge, nullptr) << check.name;
  }
}

TEST(Checks, AVerdictNamesTheCheckThatRejectedIt) {
  const auto check_of = [](std::string_view answer) {
    return judged(answer, claim_checks()).check;
  };
  EXPECT_EQ(check_of("Search 5.6.0 was deployed at 09:12."), "references");
  EXPECT_EQ(check_of("Nora Vint deployed search 5.5.0 at 09:21."), "times");
  EXPECT_EQ(check_of("The cache was not full."), "polarity");
  EXPECT_EQ(check_of("Nora Vint deployed search 5.5.0 at 09:12."), "");
}

TEST(Checks, TheNameStandsInJsonAndInTheTable) {
  const std::string_view answer = "The cache was not full.";
  const Verification verification{.claims = {judged(answer, claim_checks())}};
  EXPECT_EQ(to_json(verification, answer)["claims"][0]["check"], "polarity");
  EXPECT_NE(claim_table(verification, answer).find("(check: polarity)"), std::string::npos);
}

TEST(Checks, ChecksThatTheUnseenSetsHaveNoExampleOf) {
  const auto check_of = [](std::string_view answer, std::string_view text) {
    const Receipt receipt = receipt_with(std::string(text));
    const Verification verification = verify(answer, std::span(&receipt, 1));
    EXPECT_EQ(verification.claims.size(), 1u) << answer;
    return verification.claims.empty() ? "" : verification.claims.front().check;
  };
  // Of a table, what stands in the row of another.
  EXPECT_EQ(check_of("Search may take 40 requests a second.",
                     "| service | limit |\n|---|---|\n| search | 20 requests a second |\n"
                     "| mail | 40 requests a second |\n"),
            "tables");
  // Of what only a call without a result names.
  Receipt missing = receipt_with("There is no incident INC-77.\n");
  missing.status = ReceiptStatus::kEmpty;
  missing.args = R"({"id":"INC-77"})";
  const Verification verification =
      verify("INC-77 is an incident of search.", std::span(&missing, 1));
  ASSERT_EQ(verification.claims.size(), 1u);
  EXPECT_EQ(verification.claims.front().check, "absence");
}

TEST(Checks, WhatIsLeftOutOfTheTableIsNotAsked) {
  std::vector<ClaimCheck> rest;
  for (const ClaimCheck& check : claim_checks())
    if (check.name != "polarity") rest.push_back(check);
  EXPECT_EQ(judged("The cache was not full.", rest).verdict, ClaimVerdict::kSupported);
}

// "Full", which nobody may say here.
Judgement check_forbidden_word(const Sentence& sentence, const Facts&) {
  for (const Token& token : sentence.tokens())
    if (token.term == term_of("full")) return refuted(ClaimKind::kGeneral, "nobody says \"full\"");
  return {};
}

TEST(Checks, OneFunctionAndOneRowAreACheck) {
  std::vector<ClaimCheck> more(claim_checks().begin(), claim_checks().end());
  more.push_back({"forbidden word", CheckStage::kAssertions,
                  [](const Sentence& sentence) { return sentence.is_assertion; },
                  check_forbidden_word, "nobody says \"full\"", "\"the cache was full\""});
  const std::string_view answer = "The cache had been full at 09:12.";
  EXPECT_EQ(judged(answer, claim_checks()).verdict, ClaimVerdict::kSupported);
  const Claim claim = judged(answer, more);
  EXPECT_EQ(claim.verdict, ClaimVerdict::kUnsupported);
  EXPECT_EQ(claim.check, "forbidden word");
  EXPECT_EQ(claim.reason, "nobody says \"full\"");
}

}  // namespace
}  // namespace precedent
