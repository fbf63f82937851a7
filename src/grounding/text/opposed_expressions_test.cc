#include "grounding/text/opposed_expressions.h"

#include <gtest/gtest.h>

#include "grounding/text/lexer.h"
#include "grounding/text/negation.h"

namespace precedent {
namespace {

std::vector<OpposedExpression> expressions_of(std::string_view text) {
  LexedText lexed;
  lex(text, 0, lexed);
  return find_opposed_expressions(lexed.tokens, find_negation(lexed.tokens));
}

// Whether both take a side in one matter, and whether it is the same side.
std::optional<bool> agree(std::string_view one, std::string_view other) {
  for (const OpposedExpression& a : expressions_of(one)) {
    for (const OpposedExpression& b : expressions_of(other)) {
      if (a.matter == b.matter) return a.denies == b.denies;
    }
  }
  return std::nullopt;
}

TEST(OpposedExpressions, TheSameInOtherWords) {
  const std::pair<const char*, const char*> cases[] = {
      {"The deploy was innocent.", "The deploy was not to blame."},
      {"It had nothing to do with the switch.", "The switch was not the cause."},
      {"The restart changed nothing.", "The restart did not help."},
      {"Orders were refused.", "Orders were not accepted."},
      {"It is harmless.", "It is not dangerous."}};
  for (const auto& [one, other] : cases)
    EXPECT_EQ(agree(one, other), true) << one << " / " << other;
}

TEST(OpposedExpressions, TheContrary) {
  const std::pair<const char*, const char*> cases[] = {
      {"The deploy was innocent.", "The deploy was to blame."},
      {"The outage was caused by the deploy.", "The deploy was not involved."},
      {"The restart changed nothing.", "The restart fixed it."},
      {"Retry-After was honoured.", "Retry-After was ignored."},
      {"The cache is enabled.", "The cache is disabled."},
      {"The alert is firing.", "The alert is pending."}};
  for (const auto& [one, other] : cases)
    EXPECT_EQ(agree(one, other), false) << one << " / " << other;
}

TEST(OpposedExpressions, AnotherVerbIsNone) {
  EXPECT_EQ(agree("Fail over to the replica.", "The calls succeeded."), std::nullopt);
}

TEST(OpposedExpressions, AConditionTakesNoSide) {
  EXPECT_EQ(agree("If it was to blame, say so.", "It was innocent."), std::nullopt);
}

}  // namespace
}  // namespace precedent
