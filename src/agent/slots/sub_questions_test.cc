#include "agent/slots/sub_questions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

TEST(SubQuestions, OneMessageMayHoldSeveral) {
  EXPECT_THAT(split_questions("Who owns card-vault, and whom do I call after 15 minutes?"),
              ElementsAre("Who owns card-vault", "whom do I call after 15 minutes"));
  EXPECT_THAT(split_questions("Is it fixed? If not, what is evicting keys?"),
              ElementsAre("Is it fixed", "If not, what is evicting keys"));
  EXPECT_THAT(split_questions("Cache stampede: what is it and what are the remedies?"),
              ElementsAre("Cache stampede: what is it", "what are the remedies"));
  EXPECT_THAT(split_questions("root cause + owner of INC-1"),
              ElementsAre("root cause", "owner of INC-1"));
  EXPECT_THAT(split_questions("architecture of ledger-api? active or passive?"), SizeIs(2));
  EXPECT_THAT(split_questions("Why did it fail and when did it start?"),
              ElementsAre("Why did it fail", "when did it start"));
  EXPECT_THAT(split_questions("List the outages of March\nShow their owners"), SizeIs(2));
}

TEST(SubQuestions, CountedItemsAreQuestionsWhateverTheySay) {
  EXPECT_THAT(split_questions("1) size of the kiln queue 2) the phone of the porter"),
              ElementsAre("size of the kiln queue", "the phone of the porter"));
  EXPECT_THAT(split_questions("(1) which port?\n(2) longest outage"),
              ElementsAre("which port?", "longest outage"));
  EXPECT_THAT(
      split_questions("Kiln 3 is cold since noon.\n\n1) What is wrong?\n2) Who is on call?"),
      ElementsAre("Kiln 3 is cold since noon.\nWhat is wrong?", "Who is on call?"));
  EXPECT_THAT(split_questions("after step 2) the valve was open"), SizeIs(1)) << "not from 1";
  EXPECT_THAT(split_questions("error 1) in the valve"), SizeIs(1));
}

TEST(SubQuestions, WhatIsToldBelongsToTheQuestionAfterIt) {
  EXPECT_THAT(split_questions("Orders are late. Who is on call? And which runbook is it?"),
              ElementsAre("Orders are late. Who is on call", "And which runbook is it"));
  EXPECT_THAT(split_questions("Who is on call? Which runbook? It is urgent."),
              ElementsAre("Who is on call", "Which runbook. It is urgent."));
}

TEST(SubQuestions, OneQuestionStaysAsItIs) {
  for (const char* text :
       {"What is the p95 of /api/search since 14:30?",
        "Which services and which stores are affected?", "Orders are slow, and users complain.",
        "When latency rises and errors fall, what is it?", "Is v2.31.0 out? ",
        "the service that fails when it starts, why", "", "help"})
    EXPECT_THAT(split_questions(text), SizeIs(1)) << text;
  EXPECT_THAT(split_questions("  Is v2.31.0 out?  "), ElementsAre("Is v2.31.0 out?"));
}

TEST(SubQuestions, MeasuresOfSeveralSystemsAreSeveral) {
  EXPECT_THAT(split_questions("what is p95 of /v1/a, the error rate of b-api and the lag of c?"),
              ElementsAre("what is the p95 of /v1/a", "what is the error rate of b-api",
                          "what is the lag of c"));
  // Of one system they are one question; and what is no measure is none.
  EXPECT_THAT(split_questions("p95 of /v1/a and error rate of /v1/a"), SizeIs(1));
  EXPECT_THAT(split_questions("the owner of /v1/a and the latency of b-api"), SizeIs(1));
}

TEST(SubQuestions, APastedListIsOneMessage) {
  std::string list;
  for (int i = 0; i < 7; ++i) list += "Who owns it? ";
  EXPECT_THAT(split_questions(list), SizeIs(1));
}

}  // namespace
}  // namespace precedent
