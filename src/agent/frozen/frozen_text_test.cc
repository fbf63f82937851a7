#include "agent/frozen/frozen_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/frozen/time_word.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// What reads a text takes one; a frozen one is none.
static_assert(!std::is_convertible_v<FrozenText, std::string>);
static_assert(!std::is_convertible_v<FrozenText, std::string_view>);
static_assert(!std::is_convertible_v<std::string, FrozenText>);

TEST(FrozenText, ItsViewsAreThoseOfItsText) {
  const std::string text = "What was the root cause of the torn belt?";
  const FrozenText frozen(text);
  EXPECT_EQ(frozen.to_show(), text);
  EXPECT_EQ(frozen.to_search(), text);
  EXPECT_EQ(frozen.terms(), Analyzer().terms(text));
  // "Root cause" asks for a field of a record.
  EXPECT_THAT(frozen.own_terms(), ElementsAre("torn", "belt"));
  EXPECT_THAT(frozen.words_not_held({"torn"}), ElementsAre("belt"));
  EXPECT_THAT(frozen.words_not_held({"torn", "belt"}), IsEmpty());
}

TEST(FrozenText, AHeadOfACatalogueThatItHoldsWordForWord) {
  const Analyzer analyzer;
  const Verbatim said = FrozenText("what is OWL-MAIL-BURST about").verbatim(analyzer);
  EXPECT_TRUE(said.holds("OWL-MAIL-BURST"));
  EXPECT_FALSE(said.holds("OWL-MAIL-LOST"));
}

TEST(FrozenText, DiffersFromAnotherQuestion) {
  const Analyzer analyzer;
  const Synonyms synonyms = Synonyms::parse(default_synonyms(), "built in", analyzer).value();
  const FrozenText asked("How do I roll back checkout-api?");
  EXPECT_EQ(asked.difference_from("how can we roll back the checkout-api", analyzer, synonyms), "");
  EXPECT_EQ(asked.difference_from("How do I roll out checkout-api?", analyzer, synonyms),
            "'back' and 'out'");
}

TEST(FrozenText, IsFollowedByMore) {
  const FrozenText longer = FrozenText("who fixed it?").with("\nThe torn belt");
  EXPECT_EQ(longer, FrozenText("who fixed it?\nThe torn belt"));
  EXPECT_EQ(longer.terms(), Analyzer().terms("who fixed it?\nThe torn belt"));
}

TEST(FrozenText, IsBlankWithoutAWord) {
  EXPECT_TRUE(FrozenText().blank());
  EXPECT_TRUE(FrozenText(" \n").blank());
  EXPECT_FALSE(FrozenText("?").blank());
}

TEST(TimeWord, IsTheFirstTimeOrAWordLikeStill) {
  const TimePoint now = *parse_time("2026-11-20T12:00:00Z");
  EXPECT_EQ(time_word("is it still down since yesterday?", now), "since yesterday");
  EXPECT_EQ(time_word("Is it Still down?", now), "Still");
  EXPECT_EQ(time_word("why do workers know nothing of each other?", now), "");
}

}  // namespace
}  // namespace precedent
