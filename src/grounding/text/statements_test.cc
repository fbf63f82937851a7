#include "grounding/text/statements.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

TEST(Statements, CitationsBelongToTheSentenceBeforeThem) {
  const std::string_view answer = "It failed at 09:14. [R1]\n\nIt ended [INC-2025-01-20-005].";
  const auto statements = find_statements(answer);
  ASSERT_EQ(statements.size(), 2u);
  EXPECT_EQ(statements[0].bytes.in(answer), "It failed at 09:14. [R1]");
  EXPECT_FALSE(statements[0].citations.tokens.empty());
  EXPECT_FALSE(statements[1].citations.tokens.empty());
}

TEST(Statements, ACitationBehindAFullStopBelongsToTheSentenceBeforeIt) {
  const auto said = [](std::string_view answer) {
    std::vector<std::string_view> all;
    for (const Statement& s : find_statements(answer)) all.push_back(s.bytes.in(answer));
    return all;
  };
  using Said = std::vector<std::string_view>;
  EXPECT_EQ(said("It failed at nine. [R1]\nMars was the cause. [R2] [R3] It ended. [R4]"),
            (Said{"It failed at nine. [R1]", "Mars was the cause. [R2] [R3]", "It ended. [R4]"}));
  EXPECT_EQ(said("It failed [R1]. [R2] It ended."), (Said{"It failed [R1].", "[R2] It ended."}));
  EXPECT_EQ(said("It failed. [R1] shows why."), (Said{"It failed.", "[R1] shows why."}));
  EXPECT_EQ(said("It failed.\n\n[R1] It ended."), (Said{"It failed.", "[R1] It ended."}));
}

TEST(Statements, LabelsAreNoPartOfWhatIsSaid) {
  const std::string_view answer = "**Likely cause (hypothesis):** the cache expires early.";
  const auto statements = find_statements(answer);
  ASSERT_EQ(statements.size(), 1u);
  EXPECT_EQ(statements[0].body.in(answer), "the cache expires early.");
  EXPECT_TRUE(statements[0].supposing);
}

TEST(Statements, ALabelThatDeniesBelongsToWhatIsSaid) {
  const std::string_view answer = "Not found: an active alert of shop-api.";
  EXPECT_EQ(find_statements(answer)[0].body.in(answer), answer);
}

TEST(Statements, CodeInAQuotationIsCode) {
  const std::string_view answer =
      "> Diagnosis\n> ```\n> count(code=~\"401|403\")\n> ```\n> [a/b.md]";
  const auto statements = find_statements(answer);
  ASSERT_EQ(statements.size(), 3u);
  EXPECT_EQ(statements[1].form, StatementForm::kCode);
  EXPECT_EQ(statements[1].bytes.in(answer), "count(code=~\"401|403\")");
  EXPECT_FALSE(statements[2].citations.tokens.empty());
}

TEST(Statements, AFrameKnowsHowManyItemsFollow) {
  const auto statements = find_statements("2 incidents in the last 7 days:\n- one\n- two\n\nDone.");
  ASSERT_EQ(statements.size(), 4u);
  EXPECT_EQ(statements[0].form, StatementForm::kFrame);
  EXPECT_EQ(statements[0].listed, 2u);
}

TEST(Statements, SourcesAndCodeAreToldApart) {
  const auto statements =
      find_statements("```\nmake it so\n```\n\n**Sources**\n- INC-1 (a/b.md)\n");
  ASSERT_EQ(statements.size(), 3u);
  EXPECT_EQ(statements[0].form, StatementForm::kCode);
  EXPECT_EQ(statements[2].form, StatementForm::kSource);
}

TEST(Statements, SuppositionsAdviceAndQuestions) {
  EXPECT_TRUE(find_statements("The index may be missing.")[0].supposing);
  EXPECT_FALSE(find_statements("It began in May 2026.")[0].supposing);
  EXPECT_FALSE(find_statements("The host could not be reached.")[0].supposing);
  EXPECT_TRUE(find_statements("Check the TTL of the keys.")[0].advising);
  EXPECT_TRUE(find_statements("To prove it: restart the pods, and watch.")[0].advising);
  EXPECT_FALSE(find_statements("To restart the pods, the team waited.")[0].advising);
  EXPECT_TRUE(find_statements("Which service do you mean?")[0].question);
}

}  // namespace
}  // namespace precedent
