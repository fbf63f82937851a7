#include "search/passages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "search/search_lab.h"

namespace precedent {
namespace {

std::vector<PassageScore> ranked(std::string_view question, const std::vector<Passage>& passages,
                                 bool dense = true, size_t max_embedded = 32) {
  SearchLab lab(dense);
  return rank_passages(question, passages, lab.search(), {}, max_embedded).value();
}

size_t best(std::string_view question, const std::vector<Passage>& passages, bool dense = true) {
  return ranked(question, passages, dense).front().passage;
}

TEST(Passages, OfNothingIsNothing) {
  EXPECT_TRUE(ranked("why", {}).empty());
  EXPECT_TRUE(ranked("", {}).empty());
}

TEST(Passages, EveryPassageIsRankedOnce) {
  std::vector<Passage> passages;
  for (int i = 0; i < 50; ++i) passages.push_back({"passage number " + std::to_string(i)});
  std::vector<size_t> seen;
  for (const PassageScore& score : ranked("number 7", passages)) seen.push_back(score.passage);
  std::ranges::sort(seen);
  for (size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], i);
  EXPECT_EQ(seen.size(), 50u);
}

TEST(Passages, TheLineThatHoldsTheWordsWins) {
  const std::vector<Passage> passages = {
      {"Restart the gateway."}, {"Raise the pool to 80 connections."}, {"Tell the merchants."}};
  EXPECT_EQ(best("how many connections has the pool", passages), 1u);
  EXPECT_EQ(best("how many connections has the pool", passages, false), 1u);
}

TEST(Passages, AShortLineBeatsAParagraphThatSaysTheSame) {
  std::string paragraph = "The pool timeout is 30 seconds. ";
  for (int i = 0; i < 12; ++i) paragraph += "Other words about other things follow here. ";
  EXPECT_EQ(best("pool timeout", {{paragraph}, {"The pool timeout is 30 seconds."}}, false), 1u);
}

TEST(Passages, ContextCountsLessThanText) {
  EXPECT_EQ(best("pool timeout", {{"It is 30.", "pool timeout"}, {"pool timeout: 30.", ""}}, false),
            1u);
  EXPECT_EQ(
      best("pool timeout", {{"It is 30.", "pool timeout"}, {"It is 40.", "cache size"}}, false),
      0u);
}

TEST(Passages, AWordThatAllHoldSaysNothing) {
  EXPECT_EQ(best("gateway deadlock",
                 {{"gateway alpha gateway"}, {"gateway beta"}, {"gateway deadlock"}}, false),
            2u);
}

TEST(Passages, PriorAndFormBreakTies) {
  EXPECT_EQ(best("pool", {{"the pool", "", 0.1f, 0}, {"the pool", "", 0.9f, 0}}), 1u);
  EXPECT_EQ(best("pool", {{"the pool", "", 0, 0}, {"the pool", "", 0, 1}}), 1u);
  EXPECT_EQ(best("pool", {{"the pool"}, {"the pool"}}), 0u);
}

TEST(Passages, CoverageIsTheShareOfTheQuestion) {
  const auto scores = ranked("pool timeout", {{"pool timeout"}, {"nothing"}}, false);
  EXPECT_FLOAT_EQ(scores[0].coverage, 1);
  EXPECT_FLOAT_EQ(scores[1].coverage, 0);
}

TEST(Passages, OnlyTheBestAreEmbedded) {
  std::vector<Passage> passages;
  for (int i = 0; i < 10; ++i) passages.push_back({"other words"});
  passages.push_back({"the pool timeout"});
  size_t embedded = 0;
  for (const PassageScore& score : ranked("pool timeout", passages, true, 3)) {
    if (!score.cosine) continue;
    ++embedded;
  }
  EXPECT_EQ(embedded, 3u);
  EXPECT_EQ(ranked("pool timeout", passages, true, 3).front().passage, 10u);
}

TEST(Passages, APassageIsReadBehindTheQuestionAndTheTitleOfItsDocument) {
  SearchLab lab(true);
  lab.lines.say_answers("after 30 s", 0.9F);
  const std::vector<Passage> passages = {{.text = "after 30 s", .title = "Pools"}};
  const auto scores = rank_passages("when does the pool give up", passages, lab.search()).value();
  EXPECT_FLOAT_EQ(scores.front().answers.value(), 0.9F);
  EXPECT_THAT(lab.lines.last_before(),
              testing::ElementsAre(testing::Pair("when does the pool give up", "Pools")));
}

TEST(Passages, OnlyTheBestAreReadAndAReaderThatFailsCostsNothing) {
  std::vector<Passage> passages(30, Passage{"the pool"});
  SearchLab lab(true);
  const auto read = [&] {
    const auto scores = rank_passages("pool", passages, lab.search()).value();
    return std::ranges::count_if(scores, [](const auto& s) { return s.answers.has_value(); });
  };
  EXPECT_EQ(read(), static_cast<std::ptrdiff_t>(kMaxRead));
  lab.lines.fail_with({ErrorCode::kInternal, "gone"});
  EXPECT_EQ(read(), 0);
}

TEST(Passages, WithoutAnEmbedderThereIsNoCosine) {
  for (const PassageScore& score : ranked("pool", {{"pool"}, {"size"}}, false))
    EXPECT_FALSE(score.cosine);
}

TEST(Passages, AQuestionOfStopWordsRanksByPrior) {
  EXPECT_EQ(best("what is it", {{"a", "", 0.2f, 0}, {"b", "", 0.8f, 0}}, false), 1u);
}

}  // namespace
}  // namespace precedent
