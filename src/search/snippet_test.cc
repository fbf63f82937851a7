#include "search/snippet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/utf8.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Snippet snippet(std::string_view chunk, std::string_view question, size_t max_bytes = 240) {
  const Analyzer analyzer;
  return make_snippet(chunk, analyzer.terms(question), analyzer, max_bytes);
}

// The matched words of a snippet, as its offsets say.
std::vector<std::string> matched(const Snippet& s) {
  std::vector<std::string> words;
  for (const auto& [begin, end] : s.matches) words.push_back(s.text.substr(begin, end - begin));
  return words;
}

std::string filler(size_t words) {
  std::string text;
  for (size_t i = 0; i < words; ++i) text += "lorem ipsum ";
  return text;
}

TEST(Snippet, AShortChunkIsItself) {
  const Snippet s = snippet("The pool was exhausted.", "pool exhaustion");
  EXPECT_EQ(s.text, "The pool was exhausted.");
  EXPECT_THAT(matched(s), ElementsAre("pool", "exhausted"));
}

TEST(Snippet, IsOneLine) {
  EXPECT_EQ(snippet("a pool\n\n  of   connections\n", "pool").text, "a pool of connections");
}

TEST(Snippet, WithoutAMatchItIsTheBeginning) {
  const Snippet s = snippet("first words " + filler(50), "nothing");
  EXPECT_TRUE(s.text.starts_with("first words"));
  EXPECT_TRUE(s.text.ends_with(" …"));
  EXPECT_THAT(s.matches, IsEmpty());
}

TEST(Snippet, OfNothingIsNothing) {
  EXPECT_EQ(snippet("", "pool").text, "");
  EXPECT_EQ(snippet(" \n ", "pool").text, "");
  EXPECT_THAT(snippet("", "").matches, IsEmpty());
}

TEST(Snippet, ShowsTheWindowWithTheMostDifferentTerms) {
  const Snippet s = snippet("pool pool pool pool " + filler(40) +
                                "the database pool ran out of connections " + filler(40),
                            "database pool connections");
  EXPECT_THAT(s.text, HasSubstr("database pool ran out of connections"));
  EXPECT_TRUE(s.text.starts_with("… "));
  EXPECT_TRUE(s.text.ends_with(" …"));
}

TEST(Snippet, KeepsToItsSize) {
  for (const size_t max_bytes : {40u, 120u, 240u}) {
    const Snippet s = snippet(filler(60) + "the pool " + filler(60), "pool", max_bytes);
    EXPECT_LE(s.text.size(), max_bytes + 8) << max_bytes;  // and two ellipses
    EXPECT_THAT(s.text, HasSubstr("pool")) << max_bytes;
  }
}

// The lead once pushed the last term of the window out of it.
TEST(Snippet, KeepsEveryTermOfTheWindowItChose) {
  for (size_t words = 0; words < 20; ++words) {
    const Snippet s =
        snippet(filler(60) + "alpha " + filler(words) + "omega " + filler(60), "alpha omega");
    if (12 * words + 11 <= 240) {
      EXPECT_THAT(matched(s), ElementsAre("alpha", "omega")) << words;
    }
  }
}

TEST(Snippet, CutsBetweenWords) {
  const Snippet s = snippet(filler(60) + "the pool " + filler(60), "pool");
  const std::string inside = s.text.substr(4, s.text.size() - 8);
  EXPECT_TRUE(inside.starts_with(" lorem ") || inside.starts_with(" ipsum ") ||
              inside.starts_with("lorem ") || inside.starts_with("ipsum "))
      << s.text;
  EXPECT_TRUE(s.text.ends_with("lorem …") || s.text.ends_with("ipsum …")) << s.text;
}

TEST(Snippet, OffsetsCountBytesOfUtf8) {
  const Snippet s = snippet(
      "Die Überweisung über die Zahlungs­brücke schlug fehl: HTTP 403 für PayU", "403 PayU");
  EXPECT_THAT(matched(s), ElementsAre("403", "PayU"));
}

TEST(Snippet, NeverCutsACodePoint) {
  std::string chunk;
  for (int i = 0; i < 200; ++i) chunk += "支付失败";
  chunk += " timeout ";
  for (int i = 0; i < 200; ++i) chunk += "支付失败";
  for (size_t max_bytes = 20; max_bytes < 60; ++max_bytes) {
    EXPECT_FALSE(invalid_utf8_at(snippet(chunk, "timeout", max_bytes).text)) << max_bytes;
  }
}

TEST(Snippet, MatchesDoNotOverlap) {
  const Snippet s = snippet("set db.pool.maxSize to 40", "db.pool.maxSize pool size db");
  ASSERT_EQ(s.matches.size(), 1u);
  EXPECT_THAT(matched(s), ElementsAre("db.pool.maxSize"));
}

TEST(Snippet, SecretsGoBeforeItIsCut) {
  for (size_t words = 0; words < 40; ++words) {
    std::string text = "password: swordfish, ";
    for (size_t i = 0; i < words; ++i) text += "lorem ";
    text += "the pool " + filler(40);
    EXPECT_FALSE(snippet(text, "pool").text.contains("swordfish")) << words;
  }
}

}  // namespace
}  // namespace precedent
