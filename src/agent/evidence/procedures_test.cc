#include "agent/evidence/procedures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "embed/fake_learned_reader.h"

namespace precedent {
namespace {

using ::testing::FloatNear;
using ::testing::SizeIs;

KnowledgeItem section(std::string id, std::string text, Kind kind = Kind::kRunbook) {
  KnowledgeItem item;
  item.id = std::move(id);
  item.title = "Loading pump";
  item.kind = kind;
  item.heading = {"Loading pump", "Prime it"};
  item.text = std::move(text);
  return item;
}

TEST(ProceduresTest, AReaderIsGivenTheHeadingAndHowTheSectionBegins) {
  EXPECT_EQ(beginning_of(section("a", "## Prime it\n\n1. Close V3.\n```\npumpctl fill\n```\n")),
            "Prime it: 1. Close V3. pumpctl fill");
  std::string text;
  for (int word = 0; word < 60; ++word) text += "w" + std::to_string(word) + " ";
  const std::string beginning = beginning_of(section("a", text));
  EXPECT_TRUE(beginning.ends_with(" w47")) << beginning;
  EXPECT_EQ(beginning_of(section("a", "")), "Prime it:");
}

TEST(ProceduresTest, SectionsAreWeighedAgainstEachOtherAndAgainstNone) {
  FakeLearnedReader reader;
  reader.say_answers("Prime it: Close V3.", 0.8f);  // 4 : 1
  reader.say_answers("Prime it: Open V3.", 0.5f);   // 1 : 1
  const auto ratings = rate_procedures(
      FrozenText("pump runs dry"), {section("a", "Close V3."), section("b", "Open V3.")}, reader);
  ASSERT_THAT(ratings, SizeIs(2));
  EXPECT_EQ(ratings[0].document, "a");
  EXPECT_THAT(ratings[0].probability, FloatNear(4.0f / 6, 1e-3f));
  EXPECT_THAT(ratings[1].probability, FloatNear(1.0f / 6, 1e-3f));
  EXPECT_EQ(reader.last_before().front(),
            std::pair(std::string("pump runs dry"), std::string("Loading pump")));
}

TEST(ProceduresTest, WhatHoldsNoStepsIsNotReadAndOfTheRestAFew) {
  const FakeLearnedReader reader;
  std::vector<KnowledgeItem> sections = {section("past", "It was the valve.", Kind::kPostmortem)};
  for (size_t i = 0; i < kMaxProceduresRead + 3; ++i)
    sections.push_back(section("rb-" + std::to_string(i), "Close V3."));
  const auto ratings = rate_procedures(FrozenText("pump runs dry"), sections, reader);
  ASSERT_THAT(ratings, SizeIs(kMaxProceduresRead));
  EXPECT_EQ(ratings.front().document, "rb-0");
}

TEST(ProceduresTest, NothingIsRatedWhereItCannotBeRead) {
  FakeLearnedReader reader;
  reader.fail_with({ErrorCode::kInternal, "no memory"});
  EXPECT_THAT(rate_procedures(FrozenText("pump runs dry"), {section("a", "Close V3.")}, reader),
              SizeIs(0));
}

TEST(ProceduresTest, ShortProseIsWhatToDoWhereSomebodyWantsToAct) {
  const KnowledgeItem prose = section("d", "Close V3, then open V4.", Kind::kDoc);
  EXPECT_TRUE(may_tell_what_to_do(prose, true));
  EXPECT_FALSE(may_tell_what_to_do(prose, false));
  EXPECT_FALSE(may_tell_what_to_do(section("d", std::string(2000, 'a'), Kind::kDoc), true));
  EXPECT_TRUE(may_tell_what_to_do(section("d", "1. Close V3.\n2. Open V4.", Kind::kDoc), false));
  EXPECT_FALSE(may_tell_what_to_do(section("d", "1. Close V3.\n2. Open V4.", Kind::kAdr), true));
}

TEST(ProceduresTest, TroubleWantsToBeActedOn) {
  Intent intent;
  EXPECT_FALSE(wants_to_act(intent));
  intent.after = QuestionType::kDebugIncident;
  EXPECT_TRUE(wants_to_act(intent));
  intent = {};
  intent.asks.steps = true;
  EXPECT_TRUE(wants_to_act(intent));
}

}  // namespace
}  // namespace precedent
