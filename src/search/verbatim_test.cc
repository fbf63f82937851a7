#include "search/verbatim.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

float shared(std::string_view question, std::string_view text) {
  static const Analyzer kAnalyzer;
  return Verbatim(question, kAnalyzer).shared(text);
}

TEST(Verbatim, AMessageIsFoundInThePastedLine) {
  const std::string line =
      "2026-11-18T09:12:44.120Z WARN [pool-3-thread-7] c.e.Loader db-03 lease renewal refused by "
      "coordinator after 3000 ms (id=7f3a)";
  EXPECT_GT(shared(line, "`lease renewal refused by coordinator after 5000 ms`: the clock drifts"),
            0.5f);
  EXPECT_EQ(shared(line, "The lease of the coordinator is renewed every 3000 ms"), 0);
}

TEST(Verbatim, APathInsideOfAMessageDoesNotEndIt) {
  const std::string line =
      "depot-2 tanker[4412]: ERROR: could not widen hatch \"fore/16384/2619\": No room left beside "
      "tank";
  const std::string head = "could not widen hatch \"aft/7\": no room left beside tank";
  EXPECT_GT(shared(line, head), 0.8f);
  EXPECT_LT(shared(line, "no room is left; the hatch beside it could be wide"), 0.1f)
      << "the same words in another order";
}

TEST(Verbatim, NumbersAreAlikeAndCaseIsNot) {
  EXPECT_GT(shared("Tape Drive 4 reports sense key 0x3", "TAPE DRIVE 9 REPORTS SENSE KEY 0x5"),
            0.7f);
}

TEST(Verbatim, ACodeIsMoreThanANumber) {
  const std::string line = "[exec-77] ERROR qcirc-app1 - TS-503 no free session (waited 2500 ms)";
  EXPECT_GT(shared(line, "TS-503 no free session: the pool is empty"), 0.7f);
  EXPECT_LT(shared(line, "TS-211 no such reader"), 0.1f);
  EXPECT_LT(shared("INC-2025-01-20-005", "INC-2025-01-20-005"), 0.1f) << "an id is looked up";
}

TEST(Verbatim, ANameThatItsFormMarksIsMoreThanAWord) {
  const std::string alert = "[FIRING] TapeJammed host=vault-2 value=7 for=3m";
  EXPECT_GT(shared(alert, "`TapeJammed`: the robot holds a tape"), 0.3f);
  EXPECT_EQ(shared(alert, "the tape is jammed"), 0);
  EXPECT_GT(shared("RAT-TAPE-JAM on vault-2", "## RAT-TAPE-JAM"), 0.3f);
  EXPECT_LT(shared("MAX_TAPE is 3", "MAX_TAPE"), 0.1f) << "a constant of a program";
  EXPECT_LT(shared("the DVD-ROM of vault-2", "a DVD-ROM"), 0.1f) << "two words with a hyphen";
}

TEST(Verbatim, AQuestionHoldsTheHeadOfAnEntry) {
  static const Analyzer kAnalyzer;
  const Verbatim line("07:31 vault-2 robotd[88]: TAP-12 held: drift 9.8 mm, arm not parked",
                      kAnalyzer);
  EXPECT_TRUE(line.holds("`TAP-12 held: drift 7.4 mm`")) << "numbers are alike";
  EXPECT_TRUE(line.holds("*arm not parked*"));
  EXPECT_FALSE(line.holds("arm")) << "one word is chance";
  EXPECT_FALSE(line.holds("TAP-13")) << "another code";
  EXPECT_FALSE(line.holds("arm parked")) << "not one after the other";
  EXPECT_TRUE(line.names("See TAP-12 for the arm."));
  EXPECT_FALSE(line.names("See the arm."));
}

TEST(Verbatim, AFewCommonWordsAreChance) {
  EXPECT_LT(shared("how do I restart the payment service", "to restart the payment queue"), 0.1f);
  EXPECT_EQ(shared("what is it and who was it", "what is it and who was it"), 0);
}

TEST(Verbatim, EmptyAndHugeTexts) {
  EXPECT_EQ(shared("", "a text"), 0);
  EXPECT_EQ(shared("a text", ""), 0);
  const std::string huge(1'000'000, 'x');
  EXPECT_EQ(shared(huge, huge), 0) << "one word";
  std::string many;
  for (int i = 0; i < 100'000; ++i) many += "alpha beta ";
  EXPECT_EQ(shared(many, many), 1);
}

}  // namespace
}  // namespace precedent
