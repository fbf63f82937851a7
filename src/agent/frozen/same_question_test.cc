#include "agent/frozen/same_question.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

namespace precedent {
namespace {

std::string difference(std::string_view a, std::string_view b) {
  static const Analyzer analyzer;
  static const Synonyms synonyms =
      Synonyms::parse(default_synonyms(), "built in", analyzer).value();
  return difference_of(a, b, analyzer, synonyms);
}

TEST(SameQuestion, NamesWhatTellsTwoQuestionsApart) {
  EXPECT_EQ(difference("How do I roll back checkout-api?", "how can we roll back the checkout-api"),
            "");
  EXPECT_EQ(difference("How do I roll back checkout-api?", "How do I roll out checkout-api?"),
            "'back' and 'out'");
  EXPECT_EQ(difference("Who owns PayU?", "What owns PayU?"), "'who' and 'what'");
  EXPECT_EQ(difference("How do I copy to blue?", "How do I copy from blue?"), "'to' and 'from'");
  EXPECT_EQ(difference("How do I drain pool b?", "How do I drain pool?"), "'b'");
  EXPECT_EQ(difference("How do I drain pool a?", "How do I drain pool?"), "'a'");
  EXPECT_EQ(difference("How do I drain a pool?", "How do I drain pool?"), "");
  EXPECT_EQ(difference("Can I restart it?", "Must I restart it?"), "'can' and 'must'");
  EXPECT_EQ(difference("Why is it slow?", "Why was it slow?"), "'was'");
  EXPECT_EQ(difference("Fix PayU 403", "Fix PayU forbidden"), "");
}

// Pairs of questions that are near for an embedding model, some of them the same; written before
// the rule was.
TEST(SameQuestion, NoNearQuestionIsTakenForTheSame) {
  std::ifstream file("eval/question_pairs.jsonl");
  size_t same = 0, recognised = 0, different = 0;
  for (std::string line; std::getline(file, line);) {
    const auto pair = nlohmann::json::parse(line);
    const std::string verified = pair["verified"], asked = pair["asked"];
    const std::string found = difference(verified, asked);
    if (pair["same"].get<bool>()) {
      ++same;
      recognised += found.empty() ? 1 : 0;
    } else {
      ++different;
      EXPECT_NE(found, "") << verified << " | " << asked;
    }
  }
  EXPECT_GE(same + different, 200U);
  EXPECT_GE(recognised * 10, same * 9) << recognised << " of " << same;
}

}  // namespace
}  // namespace precedent
