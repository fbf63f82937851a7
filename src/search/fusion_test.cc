#include "search/fusion.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

// Round numbers, so that the expected values below can be checked by hand.
constexpr FusionWeights kWeights{
    .document = 0.25f, .passage = 0.25f, .dense = 0.5f, .bonus = 0.25f};

std::vector<std::string> order(const std::vector<Candidate>& candidates,
                               const FusionWeights& weights = kWeights) {
  std::vector<std::string> ids;
  for (const Fused& fused : fuse(candidates, weights))
    ids.push_back(candidates[fused.candidate].doc_id);
  return ids;
}

float fused_of(const std::vector<Candidate>& candidates, std::string_view id) {
  for (const Fused& fused : fuse(candidates, kWeights)) {
    if (candidates[fused.candidate].doc_id == id) return fused.parts.fused;
  }
  return -1;
}

TEST(Fusion, NothingFusesToNothing) { EXPECT_TRUE(fuse({}, kWeights).empty()); }

TEST(Fusion, ScalesEachListByItsMinimumAndMaximum) {
  const std::vector<Candidate> candidates = {
      {"a", 10.f, 4.f, 0.9f, 0}, {"b", 6.f, 2.f, 0.5f, 0}, {"c", 2.f, 3.f, 0.1f, 0}};
  // a: (.25·1 + .25·1 + .5·1) / 1.25;  b: (.25·.5 + 0 + .5·.5) / 1.25;  c: (0 + .25·.5 + 0) / 1.25
  EXPECT_FLOAT_EQ(fused_of(candidates, "a"), 0.8f);
  EXPECT_FLOAT_EQ(fused_of(candidates, "b"), 0.3f);
  EXPECT_FLOAT_EQ(fused_of(candidates, "c"), 0.1f);
  EXPECT_EQ(order(candidates), (std::vector<std::string>{"a", "b", "c"}));
}

TEST(Fusion, ACandidateThatAListDoesNotHoldGetsNothingThere) {
  const std::vector<Candidate> candidates = {{"both", 5.f, std::nullopt, 0.5f, 0},
                                             {"words", 9.f, std::nullopt, std::nullopt, 0},
                                             {"least", 1.f, std::nullopt, 0.4f, 0}};
  const std::vector<Fused> fused = fuse(candidates, kWeights);
  for (const Fused& f : fused) {
    if (candidates[f.candidate].doc_id != "words") continue;
    EXPECT_FALSE(f.parts.dense.has_value());
    EXPECT_EQ(f.parts.dense_scaled, 0);
    EXPECT_EQ(f.parts.document_scaled, 1);
  }
}

TEST(Fusion, AListThatReturnedNothingDoesNotDilute) {
  const std::vector<Candidate> lexical = {{"a", 3.f, 3.f, std::nullopt, 0},
                                          {"b", 1.f, 1.f, std::nullopt, 0}};
  EXPECT_FLOAT_EQ(fused_of(lexical, "a"), 0.8f);  // (.25 + .25) / .5 / 1.25
  EXPECT_FLOAT_EQ(fused_of(lexical, "b"), 0.0f);
}

TEST(Fusion, EqualScoresSayOnlyPresent) {
  const std::vector<Candidate> candidates = {{"a", 7.f, std::nullopt, std::nullopt, 0},
                                             {"b", 7.f, std::nullopt, std::nullopt, 0}};
  EXPECT_FLOAT_EQ(fused_of(candidates, "a"), 0.8f);
  EXPECT_FLOAT_EQ(fused_of(candidates, "b"), 0.8f);
}

TEST(Fusion, TiesFallToTheSmallerId) {
  EXPECT_EQ(order({{"z", 1.f, 1.f, 1.f, 0}, {"a", 1.f, 1.f, 1.f, 0}, {"m", 1.f, 1.f, 1.f, 0}}),
            (std::vector<std::string>{"a", "m", "z"}));
}

TEST(Fusion, ABonusBreaksWhatScoresLeaveEqual) {
  EXPECT_EQ(order({{"a", 2.f, 2.f, 2.f, 0}, {"b", 2.f, 2.f, 2.f, 1}}),
            (std::vector<std::string>{"b", "a"}));
}

TEST(Fusion, StaysBetweenZeroAndOne) {
  for (const Fused& fused :
       fuse({{"a", 100.f, 50.f, 1.f, 1}, {"b", -3.f, 0.f, -1.f, 0}}, kWeights)) {
    EXPECT_GE(fused.parts.fused, 0);
    EXPECT_LE(fused.parts.fused, 1);
  }
}

TEST(Fusion, WithoutAnyListOnlyTheBonusCounts) {
  const std::vector<Candidate> candidates = {{"a", {}, {}, {}, 0}, {"b", {}, {}, {}, 1}};
  EXPECT_EQ(order(candidates), (std::vector<std::string>{"b", "a"}));
  EXPECT_FLOAT_EQ(fused_of(candidates, "b"), 0.2f);
}

}  // namespace
}  // namespace precedent
