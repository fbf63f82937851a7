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
  const Repaired repaired = remove_or_mark(answer, check(answer));
  EXPECT_EQ(repaired.text, answer);
  EXPECT_EQ(repaired.claims, 0u);
}

TEST_F(Repair, RemovesTheSentenceAndSaysSo) {
  const std::string_view answer = "order-api refused 4,210 orders. The fix took 90 minutes.";
  const Repaired repaired = remove_or_mark(answer, check(answer));
  EXPECT_EQ(repaired.text,
            "order-api refused 4,210 orders.\n\n_1 statement that nothing retrieved proves was "
            "removed._");
}

TEST_F(Repair, TakesAnEmptyListItemWithIt) {
  const std::string_view answer =
      "- order-api refused 4,210 orders.\n- The fix took 90 minutes.\n- The fix took 20 minutes.";
  const Repaired repaired = remove_or_mark(answer, check(answer));
  EXPECT_TRUE(
      repaired.text.starts_with("- order-api refused 4,210 orders.\n- The fix took 20 minutes.\n"))
      << repaired.text;
}

TEST_F(Repair, MarksInstead) {
  const std::string_view answer = "The fix took 90 minutes.";
  const Repaired repaired = remove_or_mark(answer, check(answer), RepairMode::kMark);
  EXPECT_TRUE(repaired.text.starts_with("~~The fix took 90 minutes.~~ *(unverified)*"))
      << repaired.text;
}

TEST_F(Repair, TellsAModelWhatToRepair) {
  const std::string_view answer = "The fix took 90 minutes.";
  EXPECT_EQ(repair_request(answer, check(answer)),
            "- \"The fix took 90 minutes.\": no receipt states 90 minutes and none of its figures "
            "gives it\n");
}

}  // namespace
}  // namespace precedent
