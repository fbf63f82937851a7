#include "grounding/repair.h"

#include <gtest/gtest.h>

#include "grounding/grounding_lab.h"

namespace precedent {
namespace {

class Repair : public testing::Test {
 protected:
  Verification check(std::string_view answer) const {
    return verify(answer, std::span(&receipt_, 1));
  }

  Receipt receipt_ = receipt_with("order-api refused 4,210 orders. The fix took 20 minutes.");
};

TEST_F(Repair, LeavesAProvedAnswerAlone) {
  const std::string_view answer = "order-api refused 4,210 orders.";
  Verification verification = check(answer);
  EXPECT_EQ(mark_unsupported(answer, verification), answer);
  EXPECT_EQ(verification, check(answer));
}

TEST_F(Repair, MarksWhatIsNotProvedWhereItStands) {
  const std::string_view answer =
      "order-api refused 4,210 orders. The fix took 90 minutes. The fix took 20 minutes.\n\n"
      "- The fix took 95 minutes [R1]\n\n| what | how long |\n|---|---|\n| The fix took | 80 "
      "minutes "
      "|\n";
  Verification verification = check(answer);
  EXPECT_EQ(
      mark_unsupported(answer, verification),
      "order-api refused 4,210 orders. *(unverified)* The fix took 90 minutes. The fix took 20 "
      "minutes.\n\n- *(unverified)* The fix took 95 minutes [R1]\n\n| what | how long "
      "|\n|---|---|\n| *(unverified)* The fix took | 80 minutes |\n");
}

TEST_F(Repair, LeavesCodeAsItIs) {
  const std::string_view answer = "Run:\n\n```\nfixctl --now\n```\n";
  Verification verification = check(answer);
  ASSERT_EQ(verification.count(ClaimVerdict::kUnsupported), 1u);
  EXPECT_EQ(mark_unsupported(answer, verification), answer);
}

TEST_F(Repair, ClaimsMoveWithTheMarks) {
  const std::string_view answer =
      "order-api refused 4,210 orders. The fix took 90 minutes. The fix took 20 minutes. It took "
      "70 minutes.";
  const Verification before = check(answer);
  Verification after = before;
  const std::string marked = mark_unsupported(answer, after);
  ASSERT_EQ(after.claims.size(), 4u);
  for (size_t i = 0; i < before.claims.size(); ++i) {
    EXPECT_EQ(after.claims[i].verdict, before.claims[i].verdict);
    EXPECT_EQ(after.claims[i].bytes.in(marked), before.claims[i].bytes.in(answer));
  }
}

// Whoever writes the mark or the list of what is not proved says what stands behind it all the
// same.
TEST_F(Repair, AMarkThatAModelWroteHidesNothing) {
  for (const std::string_view answer : {"*(unverified)* The fix took 90 minutes.",
                                        "**Not proved by anything that was found** (1 of 2 "
                                        "statements):\n- The fix took 90 minutes."})
    EXPECT_GT(check(answer).count(ClaimVerdict::kUnsupported), 0u) << answer;
}

TEST_F(Repair, TellsAModelWhatToRepair) {
  const std::string_view answer = "The fix took 90 minutes.";
  EXPECT_EQ(repair_request(answer, check(answer)),
            "- \"The fix took 90 minutes.\": no receipt states 90 minutes and none of its figures "
            "gives it\n");
}

}  // namespace
}  // namespace precedent
