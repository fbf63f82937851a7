#include "agent/question_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const Catalogue kCatalogue{
    {"PayU Core", "Checkout Platform"}, {"checkout-api", "ledger"}, {"SEV1"}, {"Open"}};

std::vector<std::string> parts(std::string_view question) {
  const IntentContext context{{kCatalogue, *parse_time("2026-11-20T12:00:00Z"),
                               [](std::string_view id) { return id == "INC-2025-01-20-005"; }}};
  std::vector<std::string> texts;
  for (const Intent& part :
       read_parts(read_intent({{}, std::string(question), ""}, context), context))
    texts.push_back(part.question);
  return texts;
}

TEST(QuestionParts, QuestionsWithSubjectsOfTheirOwnAreApart) {
  EXPECT_THAT(parts("What is the objective of ledger and how do I roll back a deploy?"),
              ElementsAre("What is the objective of ledger", "how do I roll back a deploy"));
  EXPECT_THAT(parts("What caused INC-2025-01-20-005, and who owns checkout-api?"),
              ElementsAre("What caused INC-2025-01-20-005", "who owns checkout-api"));
}

TEST(QuestionParts, WhatLeansOnTheQuestionBeforeStaysWithIt) {
  for (const char* one : {"Who owns checkout-api and what is its pool size?",
                          "When did INC-2025-01-20-005 start and who was accountable?",
                          "What does checkout-api do and which port has checkout-api?",
                          "How is the ledger backed up?", "What broke? Why?"})
    EXPECT_THAT(parts(one), IsEmpty()) << one;
  EXPECT_THAT(
      parts("Who owns checkout-api, what is its pool size, and how do I restart a broker?"),
      ElementsAre("Who owns checkout-api\nwhat is its pool size", "how do I restart a broker"));
}

TEST(QuestionParts, WhatTheSystemsAreAskedIsAskedTogether) {
  EXPECT_THAT(parts("Why is checkout-api slow right now, and how do I restart a broker?"),
              IsEmpty());
  EXPECT_THAT(parts("What changed in ledger since Monday and who owns checkout-api?"), IsEmpty());
}

}  // namespace
}  // namespace precedent
