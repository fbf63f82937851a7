#include "cli/index/ir_metrics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace precedent {
namespace {

TEST(IrMetrics, PerfectRunScoresOne) {
  const IrMeasures m = measure({{"q1", {{"a", 1}, {"b", 2}}}}, {{"q1", {"b", "a", "c"}}});
  EXPECT_DOUBLE_EQ(m.ndcg10, 1);
  EXPECT_DOUBLE_EQ(m.mrr10, 1);
  EXPECT_DOUBLE_EQ(m.recall10, 1);
}

TEST(IrMetrics, DiscountsByRankWithLinearGain) {
  const IrMeasures m = measure({{"q1", {{"a", 1}}}}, {{"q1", {"x", "y", "a"}}});
  EXPECT_DOUBLE_EQ(m.ndcg10, 1 / std::log2(4.0));
  EXPECT_DOUBLE_EQ(m.mrr10, 1.0 / 3);
}

TEST(IrMetrics, MissingQueryCountsZeroAndUnjudgedQueryDoesNotCount) {
  const Qrels qrels = {{"q1", {{"a", 1}}}, {"q2", {{"b", 1}}}, {"q3", {{"c", 0}}}};
  const IrMeasures m = measure(qrels, {{"q1", {"a"}}, {"q3", {"c"}}});
  EXPECT_EQ(m.queries, 2u);
  EXPECT_DOUBLE_EQ(m.ndcg10, 0.5);
}

TEST(IrMetrics, RanksBeyondTenCountOnlyForRecallAt100) {
  std::vector<std::string> ranked(10, "x");
  ranked.push_back("a");
  const IrMeasures m = measure({{"q1", {{"a", 1}}}}, {{"q1", ranked}});
  EXPECT_DOUBLE_EQ(m.ndcg10, 0);
  EXPECT_DOUBLE_EQ(m.mrr10, 0);
  EXPECT_DOUBLE_EQ(m.recall10, 0);
  EXPECT_DOUBLE_EQ(m.recall100, 1);
}

}  // namespace
}  // namespace precedent
