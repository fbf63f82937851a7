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
  EXPECT_EQ(mark_unsupported(answer, check(answer)), answer);
}

TEST_F(Repair, MarksWhatIsNotProvedWhereItStands) {
  const std::string_view answer =
      "order-api refused 4,210 orders. The fix took 90 minutes. The fix took 20 minutes.\n\n"
      "- The fix took 95 minutes [R1]\n\n| what | how long |\n|---|---|\n| The fix took | 80 "
      "minutes "
      "|\n";
  EXPECT_EQ(
      mark_unsupported(answer, check(answer)),
      "order-api refused 4,210 orders. *(unverified)* The fix took 90 minutes. The fix took 20 "
      "minutes.\n\n- *(unverified)* The fix took 95 minutes [R1]\n\n| what | how long "
      "|\n|---|---|\n| *(unverified)* The fix took | 80 minutes |\n");
}

TEST_F(Repair, LeavesCodeAsItIs) {
  const std::string_view answer = "Run:\n\n```\nfixctl --now\n```\n";
  ASSERT_EQ(check(answer).count(ClaimVerdict::kUnsupported), 1u);
  EXPECT_EQ(mark_unsupported(answer, check(answer)), answer);
}

TEST_F(Repair, AMarkIsNoPartOfWhatIsSaid) {
  const std::string_view answer = "order-api refused 4,210 orders. The fix took 90 minutes.";
  const Verification before = check(answer);
  const std::string marked = mark_unsupported(answer, before);
  const Verification after = check(marked);
  ASSERT_EQ(after.claims.size(), before.claims.size());
  for (size_t i = 0; i < before.claims.size(); ++i) {
    EXPECT_EQ(after.claims[i].verdict, before.claims[i].verdict);
    EXPECT_EQ(after.claims[i].bytes.in(marked), before.claims[i].bytes.in(answer));
  }
}

TEST_F(Repair, TellsAModelWhatToRepair) {
  const std::string_view answer = "The fix took 90 minutes.";
  EXPECT_EQ(repair_request(answer, check(answer)),
            "- \"The fix took 90 minutes.\": no receipt states 90 minutes and none of its figures "
            "gives it\n");
}

}  // namespace
}  // namespace precedent
