#include "agent/model/model_question_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "llm/scripted_model.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Catalogue kCatalogue{
    {"PayU Core", "Settlement & Reporting"}, {"checkout-api"}, {"SEV1", "SEV2"}, {"Open"}};
const TimePoint kNow = *parse_time("2026-11-20T12:00:00Z");

TEST(ModelQuestionReader, TakesWhatTheKnowledgeBaseHasAndDropsTheRest) {
  const auto read = parse_read_question(
      R"({"query": "timeouts", "applications": ["payu core", "Zebra"], "severities": ["sev1"],
          "kinds": ["runbook", "poem"], "opened_from": "2026-01-01", "opened_to": "soon",
          "ids": ["inc‑2025‑01‑20‑005"]})",
      kCatalogue);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->query, "timeouts");
  EXPECT_THAT(read->filter.applications, ElementsAre("PayU Core"));
  EXPECT_THAT(read->filter.severities, ElementsAre("SEV1"));
  EXPECT_THAT(read->filter.kinds, ElementsAre(Kind::kRunbook));
  EXPECT_THAT(read->filter.ids, ElementsAre("INC-2025-01-20-005"));
  EXPECT_EQ(read->filter.opened.from, *parse_time("2026-01-01"));
  EXPECT_FALSE(read->filter.opened.to);
  EXPECT_THAT(read->cues, testing::Contains(HasSubstr("Zebra was dropped")));
}

TEST(ModelQuestionReader, WhatIsNoObjectIsAnError) {
  for (const std::string_view text : {"PayU Key Rotation", "[]", "{\"query\": 3, \"x\": 1}", ""})
    EXPECT_FALSE(parse_read_question(text, kCatalogue)) << text;
}

TEST(ModelQuestionReader, TheModelIsGivenTheCatalogueAndAsksForAForm) {
  ScriptedModel model;
  model.answer(R"({"query": "slow"})");
  const auto prompts = PromptLibrary::open("/nonexistent").value();
  const CancelToken cancel;
  const ModelQuestionReader reader(model, *prompts, cancel);
  const auto read = reader.read("why is checkout slow", kCatalogue, kNow);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_TRUE(read->filter.empty());
  const ModelRequest request = model.requests().at(0);
  EXPECT_TRUE(request.response);
  EXPECT_THAT(request.messages.at(0).content, HasSubstr("Settlement & Reporting"));
  EXPECT_THAT(request.messages.at(0).content, HasSubstr("why is checkout slow"));
}

}  // namespace
}  // namespace precedent
