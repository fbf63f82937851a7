#include "grounding/facts/action_states.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

ReceiptIndex index_of(std::string_view text) {
  Receipt receipt;
  receipt.id = "R1";
  receipt.text = text;
  return ReceiptIndex(std::span(&receipt, 1));
}

TEST(ActionStates, TheStatusFieldDecides) {
  const auto status = [](std::string_view word) {
    const ReceiptIndex index =
        index_of("## Incident INC-1\n**Title**: Refused\n**Status**: " + std::string(word) + "\n");
    return status_of(index, index.records().front());
  };
  EXPECT_EQ(status("Closed"), ActionProgress::kDone);
  EXPECT_EQ(status("Monitoring"), ActionProgress::kOpen);
  EXPECT_EQ(status("SEV2"), std::nullopt);
}

TEST(ActionStates, AnActionIsOpenOrDoneByItsLine) {
  const ReceiptIndex index = index_of(
      "- Retry the renewal (M. Ito, open)\n- Alert on expiry (M. Ito, done)\n- Ask the vendor\n");
  const std::vector<ActionState> actions = find_actions(index);
  ASSERT_EQ(actions.size(), 2u);
  EXPECT_EQ(actions[0].progress, ActionProgress::kOpen);
  EXPECT_EQ(actions[1].progress, ActionProgress::kDone);
}

TEST(ActionStates, OpenedIsNotOpen) {
  EXPECT_TRUE(find_actions(index_of("- The ticket (M. Ito, opened by phone)\n")).empty());
}

}  // namespace
}  // namespace precedent
