// What calls were made for, from the plan to the parts of a question.
#include "agent/plan/call_reasons.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::ElementsAre;

Receipt receipt_of(const ToolCall& call) {
  Receipt receipt;
  receipt.call = call.id;
  receipt.tool = call.name;
  receipt.args = call.args;
  return receipt;
}

TEST(CallReasons, ReachTheReceiptsOfTheCallsThatWerePlanned) {
  const PlannedCall first{IncidentLookup{"INC-1"}, "the incident", "rule", {0}};
  const PlannedCall second{CodeQuery{"cache", 5}, "the code", "", {1}};
  const ToolCall call{"call_0_1", first.tool(), arguments_of(first)};
  const ToolCall earlier{"call_0_0", second.tool(), arguments_of(second)};
  std::vector<Receipt> receipts = {receipt_of(earlier), receipt_of(call)};
  take_reasons(receipts, reasons_of({first, second}, {call}, {receipts[0]}));
  EXPECT_EQ(receipts[0].reason, (CallReason{"the code", "", {1}}));
  EXPECT_EQ(receipts[1].reason, (CallReason{"the incident", "rule", {0}}));
  const auto planned = planned_calls(receipts);
  ASSERT_EQ(planned.size(), 2u);
  EXPECT_EQ(planned[1].purpose, "the incident");
  EXPECT_EQ(planned[1].rule, "rule");
  EXPECT_EQ(arguments_of(planned[1]), call.args);
}

TEST(CallReasons, ACallThatIsPlannedAgainForAnotherPartServesBoth) {
  std::vector<Receipt> receipts = {receipt_of({"call_0_1", "repo_search", "{}"})};
  take_reasons(receipts,
               {{"call_0_1", {"the code", "", {1}}}, {"call_0_1", {"again", "", {0, 1}}}});
  EXPECT_EQ(receipts[0].reason.purpose, "the code");
  EXPECT_THAT(receipts[0].reason.parts, ElementsAre(1, 0));
}

TEST(CallReasons, APartHasTheReceiptsThatServeIt) {
  Reading reading;
  reading.parts.resize(2);
  for (const std::vector<size_t>& parts : {std::vector<size_t>{0}, {1}, {0, 1}, {}}) {
    Receipt& receipt = reading.receipts.emplace_back();
    receipt.id = "R" + std::to_string(reading.receipts.size());
    receipt.reason.parts = parts;
  }
  const auto ids_of = [&](size_t part) {
    std::vector<std::string> ids;
    for (const Receipt& receipt : part_of(reading, part).receipts) ids.push_back(receipt.id);
    return ids;
  };
  // Nobody said what the last one is for: a model called it.
  EXPECT_THAT(ids_of(0), ElementsAre("R1", "R3", "R4"));
  EXPECT_THAT(ids_of(1), ElementsAre("R2", "R3", "R4"));
}

}  // namespace
}  // namespace precedent
