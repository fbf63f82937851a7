#include "agent/language/question_type.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

TEST(QuestionTypes, AreReadAsTheyAreWritten) {
  for (int i = 0; i <= static_cast<int>(QuestionType::kOffTopic); ++i) {
    const auto type = static_cast<QuestionType>(i);
    const auto read = parse_question_type(name(type));
    ASSERT_TRUE(read) << name(type);
    EXPECT_EQ(name(*read), name(type));
  }
  EXPECT_EQ(name(QuestionType::kHowTo), "knowledge");
  EXPECT_FALSE(parse_question_type("Debug_Incident"));
  EXPECT_FALSE(parse_question_type(""));
}

TEST(QuestionTypes, ATypoIsAnsweredWithTheNearest) {
  EXPECT_EQ(did_you_mean_type("debug_incidents"), "; did you mean 'debug_incident'?");
  EXPECT_EQ(did_you_mean_type("weather"), "");
}

}  // namespace
}  // namespace precedent
