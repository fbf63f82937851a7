#include "agent/language/type_opinion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "embed/fake_embedder.h"
#include "embed/fake_learned_reader.h"

namespace precedent {
namespace {

using testing::HasSubstr;

constexpr std::string_view kTypes =
    "types:\n"
    "  conceptual: [what is a circuit breaker]\n"
    "  recent_incidents: [which outages were there lately, what broke lately]\n";

class TypeOpinionTest : public testing::Test {
 protected:
  std::unique_ptr<TypeOpinion> opinion(std::string_view yaml = "types: {}") const {
    return TypeOpinion::parse(yaml, "i.yaml", reader_, embedder_).value();
  }

  FakeLearnedReader reader_;
  const FakeEmbedder embedder_;  // texts that share words are close
};

TEST_F(TypeOpinionTest, IsTheAdaptersAmongTheTypesThatAreAnswered) {
  reader_.say_type("why is it slow", "debug_incident", 0.8F);
  reader_.say_type("something else", "ambiguous", 0.8F);
  const auto types = opinion();
  const auto ranked = types->rank("why is it slow");
  ASSERT_EQ(ranked.size(), 2u);
  EXPECT_EQ(ranked[0].type, QuestionType::kDebugIncident);
  EXPECT_NEAR(ranked[0].probability, 0.8, 1e-6);
  EXPECT_EQ(ranked[1].type, QuestionType::kKnowledge);
  // Whether it is answered at all is not asked here.
  const auto answered = types->rank("something else");
  ASSERT_EQ(answered.size(), 1u);
  EXPECT_EQ(answered[0].type, QuestionType::kKnowledge);
  EXPECT_NEAR(answered[0].probability, 1, 1e-6);
}

TEST_F(TypeOpinionTest, ASentenceOfTheOperatorCorrectsIt) {
  const auto types = opinion(kTypes);
  const auto ranked = types->rank("what broke lately");
  ASSERT_EQ(ranked.size(), 1u);
  EXPECT_EQ(ranked[0].type, QuestionType::kRecentIncidents);
  EXPECT_THAT(ranked[0].because, HasSubstr("like 'what broke lately' (1.00)"));
  EXPECT_EQ(types->rank("whom do I call about the ledger")[0].type, QuestionType::kKnowledge);
}

TEST_F(TypeOpinionTest, ThereIsNoneOfAPageOfTextNorWhereNothingCanBeRead) {
  const auto types = opinion(kTypes);
  EXPECT_TRUE(types->rank(std::string(2001, 'a')).empty());
  reader_.fail_with({ErrorCode::kResourceExhausted, "no memory"});
  EXPECT_TRUE(types->rank("why is it slow").empty());
}

TEST(TypeOpinion, AnErrorNamesFileLineAndTheNearestType) {
  const auto wrong = read_intents("types:\n  conceptuel: [a]\n", "i.yaml");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().text(), HasSubstr("i.yaml:2: types.conceptuel: there is no such type"));
  EXPECT_THAT(wrong.error().text(), HasSubstr("did you mean 'conceptual'?"));
  EXPECT_FALSE(read_intents("kinds: {}\n", "i.yaml"));
  ConfigProblems problems;
  ASSERT_TRUE(read_intents("types:\n  a: [x]\n  b: [y]\n", "i.yaml", &problems));
  EXPECT_EQ(problems.size(), 2u);
}

TEST(TypeOpinion, TheBuiltInFileIsValidAndCorrectsNothing) {
  const auto types = read_intents(default_intents(), "config/intents.yaml");
  ASSERT_TRUE(types) << types.error().text();
  EXPECT_TRUE(types->empty());
}

TEST(TypeOpinion, WithoutWeightsThereIsNone) {
  const auto none = TypeOpinion::open("/nonexistent", nullptr, nullptr);
  ASSERT_TRUE(none);
  EXPECT_EQ(*none, nullptr);
}

}  // namespace
}  // namespace precedent
