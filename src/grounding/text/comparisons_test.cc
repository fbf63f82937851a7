#include "grounding/text/comparisons.h"

#include <gtest/gtest.h>

#include "grounding/text/lexer.h"

namespace precedent {
namespace {

bool is_false(std::string_view text) {
  LexedText lexed;
  lex(text, 0, lexed);
  return find_false_comparison(lexed).has_value();
}

TEST(Comparisons, AreHeldAgainstTheirOwnFigures) {
  for (const std::string_view text :
       {"p95 is 480 ms, above the objective of 400 ms.",
        "Traffic of 560 req/s was below 650 req/s.",
        "The limit of 650 req/s was exceeded by traffic of 700 req/s.",
        "It rose from 200 ms to 3 s.", "It fell from 2.9 s to 380 ms.",
        "It was not above the limit: 3 s, not below 2 s."})
    EXPECT_FALSE(is_false(text)) << text;
  for (const std::string_view text :
       {"p95 is 380 ms, above the objective of 400 ms.",
        "The limit of 650 req/s was exceeded by traffic of 560 req/s.",
        "It rose from 3 s to 200 ms.", "Traffic of 560 req/s, not below the limit of 650 req/s."})
    EXPECT_TRUE(is_false(text)) << text;
}

TEST(Comparisons, OfFiguresThatAreNotComparedAreNone) {
  for (const std::string_view text :
       {"The ratio is 3 % where more than 70 % was expected.",
        "Ten pods with 8 sessions each exceeded the 64.", "200 more than the 700 of the contract.",
        "Two limiters (650 and 250) add up to more than the 840 of the contract.",
        "It was exceeded by 40 ms after 20 minutes.", "3 s, more than 2 GB."})
    EXPECT_FALSE(is_false(text)) << text;
}

}  // namespace
}  // namespace precedent
