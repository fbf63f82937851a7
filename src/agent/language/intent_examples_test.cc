#include "agent/language/intent_examples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "embed/fake_embedder.h"

namespace precedent {
namespace {

using testing::HasSubstr;

constexpr std::string_view kTypes =
    "types:\n"
    "  conceptual: [what is a circuit breaker]\n"
    "  recent_incidents: [which outages were there lately, what broke lately]\n";

TEST(IntentExamples, RankTypesByTheirNearestSentence) {
  const FakeEmbedder embedder;
  const auto examples = IntentExamples::parse(kTypes, "i.yaml", embedder);
  ASSERT_TRUE(examples) << examples.error().text();
  for (int again = 0; again < 2; ++again) {  // the second time from memory
    const auto ranked = (*examples)->rank("what broke lately");
    ASSERT_EQ(ranked.size(), 2u);
    EXPECT_EQ(ranked[0].type, QuestionType::kRecentIncidents);
    EXPECT_EQ(ranked[0].sentence, "what broke lately");
    EXPECT_NEAR(ranked[0].cosine, 1, 0.01);
    EXPECT_LT(ranked[1].cosine, ranked[0].cosine);
  }
}

TEST(IntentExamples, APageOfTextResemblesNothing) {
  const FakeEmbedder embedder;
  const auto examples = IntentExamples::parse(kTypes, "i.yaml", embedder);
  ASSERT_TRUE(examples);
  EXPECT_TRUE((*examples)->rank(std::string(2001, 'a')).empty());
}

TEST(IntentExamples, AnErrorNamesFileLineAndTheNearestType) {
  const auto wrong = read_intents("types:\n  conceptuel: [a]\n", "i.yaml");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().text(), HasSubstr("i.yaml:2: types.conceptuel: there is no such type"));
  EXPECT_THAT(wrong.error().text(), HasSubstr("did you mean 'conceptual'?"));
  EXPECT_FALSE(read_intents("kinds: {}\n", "i.yaml"));
  ConfigProblems problems;
  ASSERT_TRUE(read_intents("types:\n  a: [x]\n  b: [y]\n", "i.yaml", &problems));
  EXPECT_EQ(problems.size(), 2u);
}

TEST(IntentExamples, TheBuiltInSentencesHaveEveryTypeThatIsAskedFor) {
  const auto types = read_intents(default_intents(), "config/intents.yaml");
  ASSERT_TRUE(types) << types.error().text();
  EXPECT_GE(types->size(), 8u);
  for (const IntentSentences& type : *types) EXPECT_GE(type.sentences.size(), 5u);
}

TEST(IntentExamples, WithoutAnEmbedderThereAreNone) {
  const auto none = IntentExamples::open("/nonexistent", nullptr);
  ASSERT_TRUE(none);
  EXPECT_EQ(*none, nullptr);
}

}  // namespace
}  // namespace precedent
