#include "agent/understand/question_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/understand/read_intent.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const Catalogue kCatalogue{
    {"PayU Core", "Checkout Platform"}, {"checkout-api", "ledger"}, {"SEV1"}, {"Open"}};

QuestionParts found(std::string_view question) {
  const IntentContext context{{kCatalogue, *parse_time("2026-11-20T12:00:00Z"),
                               [](std::string_view id) { return id == "INC-2025-01-20-005"; }},
                              nullptr,
                              true};
  const auto read = [&](const std::string& text) { return read_intent({{}, text, ""}, context); };
  return find_parts(read(std::string(question)), read);
}

std::vector<std::string> parts(std::string_view question) { return found(question).questions; }

TEST(QuestionParts, QuestionsWithSubjectsOfTheirOwnAreApart) {
  EXPECT_THAT(parts("What is the objective of ledger and how do I roll back a deploy?"),
              ElementsAre("What is the objective of ledger", "how do I roll back a deploy"));
  EXPECT_THAT(parts("What caused INC-2025-01-20-005, and who owns checkout-api?"),
              ElementsAre("What caused INC-2025-01-20-005", "who owns checkout-api"));
}

TEST(QuestionParts, WhatLeansOnTheQuestionBeforeStaysWithIt) {
  for (const char* one : {"When did INC-2025-01-20-005 start and who was accountable?",
                          "What does checkout-api do and which port has checkout-api?",
                          "How is the ledger backed up?", "What broke? Why?"})
    EXPECT_THAT(parts(one), IsEmpty()) << one;
  EXPECT_THAT(
      parts("What does checkout-api do, which port has it, and how do I restart a broker?"),
      ElementsAre("What does checkout-api do\nwhich port has it", "how do I restart a broker"));
}

TEST(QuestionParts, WhatDocumentsAnswerWithOtherLinesIsApart) {
  EXPECT_THAT(
      parts("what is the width of the loading door? and where do we keep the spare fuses?"),
      ElementsAre("what is the width of the loading door", "and where do we keep the spare fuses"));
  for (const char* one : {"how wide is the loading door, and how wide is the side door?",
                          "what is the width of the loading door and where is it?"})
    EXPECT_THAT(parts(one), IsEmpty()) << one << ": of one thing";
}

TEST(QuestionParts, WhatAnotherSourceAnswersIsMadeWholeAndApart) {
  EXPECT_THAT(parts("Who owns checkout-api and what is its pool size?"),
              ElementsAre("Who owns checkout-api", "what is checkout-api's pool size"));
  EXPECT_THAT(parts("what does LedgerLagHigh mean and is it firing?"),
              ElementsAre("what does LedgerLagHigh mean", "is LedgerLagHigh firing"));
  EXPECT_THAT(
      parts("what's the SLO of checkout-api and are we meeting it?"),
      ElementsAre("what's the SLO of checkout-api", "are we meeting the SLO of checkout-api"));
  EXPECT_THAT(parts("is checkout-api healthy? and who is on call?"),
              ElementsAre("is checkout-api healthy", "and who is on call for checkout-api"));
  EXPECT_THAT(parts("What changed in ledger-api since Monday and who owns checkout-api?"),
              ElementsAre("What changed in ledger-api since Monday", "who owns checkout-api"));
}

TEST(QuestionParts, WhatAnInvestigationTellsAnywayStaysWithIt) {
  for (const char* one : {"Why is checkout-api slow right now, and what should I do about it?",
                          "Is checkout-api healthy and what changed in it today?"})
    EXPECT_THAT(parts(one), IsEmpty()) << one;
  EXPECT_THAT(parts("Why is checkout-api slow right now, and how do I restart a broker?"),
              ElementsAre("Why is checkout-api slow right now", "how do I restart a broker"));
}

TEST(QuestionParts, WhatLeansOnWhatIsYetToBeFoundIsLeftOut) {
  const QuestionParts message = found("which alerts are firing and who owns them");
  EXPECT_THAT(message.questions, ElementsAre("which alerts are firing"));
  EXPECT_THAT(message.left_out, ElementsAre("who owns them"));
}

}  // namespace
}  // namespace precedent
