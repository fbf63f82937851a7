#include "grounding/text/quantity.h"

#include <gtest/gtest.h>

#include "grounding/text/arithmetic.h"
#include "grounding/text/lexer.h"

namespace precedent {
namespace {

Quantity quantity(std::string_view text) {
  LexedText out;
  lex(text, 0, out);
  EXPECT_EQ(out.quantities.size(), 1u) << text;
  return out.quantities.at(0);
}

TEST(Quantity, SameWhenRoundedOrConverted) {
  struct Case {
    std::string_view claimed, stated;
    Hedge hedge = Hedge::kNone;
    bool same = true;
  };
  const Case cases[] = {
      {"92 minutes", "1h 32m"},
      {"2.5 s", "2500 ms"},
      {"2.9 s", "2.91 s"},
      {"2.91 s", "2.9 s", Hedge::kNone, false},  // more exact than what is known
      {"4.2 %", "0.042"},
      {"61 million", "60,988,211"},
      {"24,000", "23,740", Hedge::kAbout},
      {"460", "500", Hedge::kAbout, false},
      {"30 s", "30 ms", Hedge::kNone, false},
      {"72 minutes", "72 h", Hedge::kNone, false},
      {"3.4 GB", "3.40 GiB"},
      {"3 times", "3.28 times", Hedge::kOver},
      {"429s", "429"},
      {"205", "205 ms"},
      {"5 times", "5 s", Hedge::kNone, false},
  };
  for (const Case& c : cases)
    EXPECT_EQ(same_quantity(quantity(c.claimed), quantity(c.stated), c.hedge), c.same)
        << c.claimed << " / " << c.stated;
}

TEST(Quantity, ARatioToAnotherTimeIsNoRate) {
  EXPECT_EQ(quantity("2.1× a week earlier").dimension, Dimension::kTimes);
  EXPECT_EQ(quantity("3 times a week").dimension, Dimension::kRate);
}

TEST(Arithmetic, OnlyWhatTheWordsAnnounce) {
  const Quantity figures[] = {quantity("2400 req/s"), quantity("640 req/s")};
  const auto cues = [](std::string_view sentence) { return arithmetic_cues(sentence); };
  EXPECT_TRUE(derive(quantity("3.75 times"), Hedge::kNone, cues("3.75 times as much"), figures));
  EXPECT_FALSE(derive(quantity("4 times"), Hedge::kNone, cues("nothing"), figures));
  EXPECT_TRUE(derive(quantity("1,760 req/s"), Hedge::kNone, cues("1,760 req/s more"), figures));
  EXPECT_TRUE(derive(quantity("3,040 req/s"), Hedge::kNone, cues("3,040 req/s in total"), figures));
  EXPECT_FALSE(
      derive(quantity("3,041 req/s"), Hedge::kNone, cues("3,041 req/s in total"), figures));
}

TEST(Arithmetic, APreciseResultNeedsNoAnnouncement) {
  const std::vector<Quantity> figures = {quantity("4,096"), quantity("250 ms")};
  EXPECT_TRUE(
      derive(quantity("1,024 seconds"), Hedge::kNone, arithmetic_cues("a full turn"), figures));
  EXPECT_FALSE(
      derive(quantity("1,034 seconds"), Hedge::kNone, arithmetic_cues("a full turn"), figures));
}

}  // namespace
}  // namespace precedent
