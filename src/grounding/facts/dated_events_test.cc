#include "grounding/facts/dated_events.h"

#include <gtest/gtest.h>

#include "grounding/text/lexer.h"

namespace precedent {
namespace {

ReceiptIndex index_of(std::string_view text) {
  Receipt receipt;
  receipt.id = "R1";
  receipt.text = text;
  return ReceiptIndex(std::span(&receipt, 1));
}

TEST(DatedEvents, AHeadingThatIsATimeDatesWhatFollows) {
  const ReceiptIndex index = index_of(
      "### 2026-05-04 16:30\n\nThe first alert is sent by mail.\n\n### 16:33\n\nThe pods are "
      "deleted.\n");
  std::vector<double> told;  // of the lines that are more than a time
  for (const DatedEvent& event : find_events(index)) {
    const EvidenceUnit& unit = index.units()[event.unit];
    if (event.timed && unit.end - unit.first > 3) told.push_back(event.at);
  }
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[1] - told[0], 180);
}

TEST(DatedEvents, ADayWithoutAYearIsOfTheYearThatTheReceiptsName) {
  const ReceiptIndex index = index_of("Opened on 2026-05-04.\n");
  LexedText sentence;
  lex("On 6 May it was closed.", 0, sentence);
  const std::vector<double> days = days_of(sentence, index);
  ASSERT_EQ(days.size(), 1u);
  EXPECT_EQ(days.front(), 1778025600);  // 2026-05-06
}

}  // namespace
}  // namespace precedent
