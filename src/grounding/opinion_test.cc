#include "grounding/opinion.h"

#include <gtest/gtest.h>

#include "embed/fake_learned_reader.h"
#include "grounding/verify.h"

namespace precedent {
namespace {

class OpinionTest : public testing::Test {
 protected:
  Claim judged(const std::string& claim) const {
    const Verification verification = verify(claim, std::span(&receipt_, 1), &judge_);
    EXPECT_EQ(verification.claims.size(), 1u);
    return verification.claims.front();
  }

  FakeLearnedReader judge_;
  const Receipt receipt_ = [] {
    Receipt receipt;
    receipt.id = "R1";
    receipt.tool = "lookup_incident_by_id";
    receipt.status = ReceiptStatus::kOk;
    receipt.text =
        "The gateway dropped requests because its certificate had expired.\n"
        "Nadia renewed it at 10:12 and traffic came back.\n";
    return receipt;
  }();
};

constexpr const char* kFree = "Outdated credentials at the gateway turned users away on that day.";
constexpr const char* kNear = "The gateway dropped requests and the certificate expired.";

TEST_F(OpinionTest, WordsOfItsOwnAreBelievedWhereTheReceiptsLikelyBearThemOut) {
  judge_.say_verdict(kFree, "not_stated", 0.6F);
  EXPECT_EQ(judged(kFree).verdict, ClaimVerdict::kUnsupported);
  EXPECT_EQ(judged(kFree).check, "words");
  judge_.say_verdict(kFree, "not_stated", 0.02F);
  const Claim believed = judged(kFree);
  EXPECT_EQ(believed.verdict, ClaimVerdict::kSupported);
  EXPECT_NEAR(believed.opinion.value().supported, 0.98, 1e-5);
}

TEST_F(OpinionTest, WordsOfTheReceiptsAreNotBelievedWhereTheyLikelySaySomethingElse) {
  EXPECT_EQ(judged(kNear).verdict, ClaimVerdict::kSupported);
  judge_.say_verdict(kNear, "contradicted", 0.99F);
  const Claim denied = judged(kNear);
  EXPECT_EQ(denied.verdict, ClaimVerdict::kUnsupported);
  EXPECT_EQ(denied.check, kJudgeCheck);
}

TEST_F(OpinionTest, TheExactChecksKeepTheirVeto) {
  const std::string wrong = "Nadia renewed it at 10:47 and traffic came back.";
  judge_.say_verdict(wrong, "not_stated", 0.0F);
  EXPECT_EQ(judged(wrong).verdict, ClaimVerdict::kUnsupported);
  EXPECT_EQ(judged(wrong).check, "times");
}

TEST_F(OpinionTest, AnInventedCauseIsNotVouchedFor) {
  const std::string cause = "The gateway dropped requests because a disk was full.";
  judge_.say_verdict(cause, "not_stated", 0.0F);
  EXPECT_EQ(judged(cause).verdict, ClaimVerdict::kUnsupported);
  EXPECT_EQ(judged(cause).check, "words");
}

TEST_F(OpinionTest, ASentenceIsReadAsItIsSaidBehindThePassagesNearestToIt) {
  judged("**Nadia** renewed the certificate at 10:12 [R1].");
  EXPECT_EQ(judge_.last_text(), "Nadia renewed the certificate at 10:12.");
  ASSERT_EQ(judge_.last_before().size(), 1u);
  EXPECT_EQ(judge_.last_before()[0].first,
            "The gateway dropped requests because its certificate had expired\n"
            "Nadia renewed it at 10:12 and traffic came back");
  EXPECT_EQ(judge_.last_before()[0].second, "");
}

TEST_F(OpinionTest, OfASentenceThatAlsoNamesAGapTheRestIsRead) {
  judged("Nadia renewed it at 10:12, but who noticed is not recorded.");
  EXPECT_EQ(judge_.last_text().find("recorded"), std::string::npos) << judge_.last_text();
}

TEST_F(OpinionTest, NoMoreSentencesAreReadThanTheRulesAllow) {
  judge_.say_verdict(kNear, "contradicted", 0.99F);
  const std::string twice = std::string(kNear) + " " + kNear;
  const auto rejected = [&](size_t most) {
    return verify(twice, std::span(&receipt_, 1), &judge_, {.max_opinions = most})
        .count(ClaimVerdict::kUnsupported);
  };
  EXPECT_EQ(rejected(2), 2u);
  EXPECT_EQ(rejected(1), 1u);
}

TEST_F(OpinionTest, AReaderThatFailsLeavesTheChecks) {
  judge_.fail_with({ErrorCode::kInternal, "gone"});
  EXPECT_EQ(judged(kNear).verdict, ClaimVerdict::kSupported);
  EXPECT_FALSE(judged(kNear).opinion);
}

}  // namespace
}  // namespace precedent
