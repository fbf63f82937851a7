#include "grounding/text/lexer.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace precedent {
namespace {

LexedText lexed(std::string_view text) {
  LexedText out;
  lex(text, 0, out);
  return out;
}

Quantity only_quantity(std::string_view text) {
  const LexedText out = lexed(text);
  EXPECT_EQ(out.quantities.size(), 1u) << text;
  return out.quantities.empty() ? Quantity{} : out.quantities.front();
}

TEST(Lexer, ReadsQuantitiesInTheirUnits) {
  struct Case {
    std::string_view text;
    double value;
    Dimension dimension;
  };
  const Case cases[] = {
      {"1h 32m", 5520, Dimension::kTime},
      {"92 minutes", 5520, Dimension::kTime},
      {"four hours and 39 minutes", 16740, Dimension::kTime},
      {"half a minute", 30, Dimension::kTime},
      {"a quarter of an hour", 900, Dimension::kTime},
      {"2,400 req/s", 2400, Dimension::kRate},
      {"40 times a second", 40, Dimension::kRate},
      {"690 requests per second", 690, Dimension::kRate},
      {"97.6 %", 0.976, Dimension::kShare},
      {"two thirds", 2.0 / 3, Dimension::kShare},
      {"14x", 14, Dimension::kTimes},
      {"3× normal", 3, Dimension::kTimes},
      {"three times", 3, Dimension::kTimes},
      {"2.94 million EUR", 2940000, Dimension::kMoney},
      {"timeout_ms: 2500", 2.5, Dimension::kTime},
      {"max.block.ms=60000", 60, Dimension::kTime},
      {"200 * time.Millisecond", 0.2, Dimension::kTime},
      {"210 ms a week ago", 0.21, Dimension::kTime},
      {"5 working days", 432000, Dimension::kTime},
      {"4.00 GiB", 4294967296.0, Dimension::kBytes},
      {"61 million rows", 61000000, Dimension::kNone},
  };
  for (const Case& c : cases) {
    const Quantity q = only_quantity(c.text);
    EXPECT_NEAR(q.value, c.value, 1e-9 * c.value) << c.text;
    EXPECT_EQ(q.dimension, c.dimension) << c.text;
  }
}

TEST(Lexer, ASignBelongsToItsNumber) {
  for (const std::string_view text :
       {"-72.72 celsius", "it is -72.72 celsius", "**-72.72 celsius**", "Now: -72.72 celsius",
        "a line\n-72.72 celsius", "(-72.72 celsius)"})
    EXPECT_EQ(only_quantity(text).value, -72.72) << text;
  // What marks a list item is no sign.
  EXPECT_EQ(only_quantity("- 72.72 celsius").value, 72.72);
}

TEST(Lexer, VersionsAndNamesWithDigitsAreNoQuantities) {
  for (const std::string_view text :
       {"2.31.0", "0142", "40P01", "5xx", "9f3c2ab", "INC-2025-08-24-001"})
    EXPECT_TRUE(lexed(text).quantities.empty()) << text;
}

TEST(Lexer, ReadsDatesInEverySpelling) {
  for (const std::string_view text : {"2025-08-24", "24 August 2025", "August 24, 2025",
                                      "24th of Aug 2025", "2025-08-24T09:17:00Z"}) {
    const LexedText out = lexed(text);
    ASSERT_EQ(out.dates.size(), 1u) << text;
    EXPECT_EQ(out.dates[0].year, 2025) << text;
    EXPECT_EQ(out.dates[0].month, 8) << text;
    EXPECT_EQ(out.dates[0].day, 24) << text;
  }
  EXPECT_TRUE(lexed("it may be").dates.empty());
}

TEST(Lexer, TimesOfDay) {
  const LexedText out = lexed("from 09:07 to 10:12:30");
  std::vector<uint32_t> times;
  for (const Token& token : out.tokens) {
    if (token.kind == TokenKind::kTime) times.push_back(token.value);
  }
  EXPECT_EQ(times, (std::vector<uint32_t>{9 * 3600 + 7 * 60, 10 * 3600 + 12 * 60 + 30}));
}

TEST(Lexer, PathsCarryTheirLines) {
  const LexedText out = lexed("see `services/search/cache.py:41-58`");
  ASSERT_EQ(out.lines.size(), 1u);
  EXPECT_EQ(out.lines[0], (LineRange{41, 58}));
}

TEST(Lexer, TypographyAndCaseDoNotMatter) {
  EXPECT_EQ(lexed("inc‑2025‑01‑20‑005").tokens.front().term,
            lexed("INC-2025-01-20-005").tokens.front().term);
  EXPECT_EQ(term_of("Went"), term_of("go"));
  EXPECT_EQ(term_of("peaked"), term_of("max"));
}

TEST(Lexer, TellsServicesNamesAndWordsApart) {
  const LexedText out = lexed("the checkout-api of Siobhan Keane is long-running");
  std::vector<TokenKind> kinds;
  for (const Token& token : out.tokens) {
    if (!token.part) kinds.push_back(token.kind);
  }
  EXPECT_EQ(kinds,
            (std::vector{TokenKind::kStop, TokenKind::kService, TokenKind::kStop, TokenKind::kName,
                         TokenKind::kName, TokenKind::kStop, TokenKind::kWord}));
}

TEST(Lexer, ReadsHoursInWords) {
  const std::pair<std::string_view, uint32_t> cases[] = {
      {"at six in the morning", 6 * 3600}, {"at 6 in the evening", 18 * 3600},
      {"until ten at night", 22 * 3600},   {"by half past four", 16200},
      {"at quarter past eleven", 40500},   {"at six o'clock", 6 * 3600}};
  for (const auto& [text, second] : cases) {
    const LexedText out = lexed(text);
    const auto found = std::ranges::find(out.tokens, TokenKind::kTime, &Token::kind);
    ASSERT_NE(found, out.tokens.end()) << text;
    EXPECT_EQ(found->value, second) << text;
  }
  for (const std::string_view text :
       {"six in the queue", "half past the list", "thirteen at night"})
    EXPECT_EQ(std::ranges::count(lexed(text).tokens, TokenKind::kTime, &Token::kind), 0) << text;
}

TEST(Lexer, APercentileHasOneName) {
  EXPECT_EQ(lexed("95th percentile").tokens.front().term, lexed("p95").tokens.front().term);
}

}  // namespace
}  // namespace precedent
