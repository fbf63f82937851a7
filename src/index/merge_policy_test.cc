#include "index/merge_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

TEST(MergePolicy, ChoosesFullTiersThenSegmentsWithManyDead) {
  struct Case {
    std::vector<SegmentSize> sizes;
    std::vector<size_t> chosen;
  };
  const Case cases[] = {
      {{}, {}},
      {{{10, 0}, {10, 0}, {10, 0}}, {}},
      {{{10, 0}, {10, 0}, {10, 0}, {10, 0}}, {0, 1, 2, 3}},
      {{{100'000, 0}, {10, 0}, {10, 0}, {10, 0}, {10, 0}}, {1, 2, 3, 4}},
      // A full tier takes the smaller ones along.
      {{{500, 0}, {500, 0}, {10, 0}, {500, 0}, {500, 0}}, {0, 1, 2, 3, 4}},
      {{{300, 100}}, {}},
      {{{1'000'000, 0}, {299, 101}}, {1}},
  };
  for (const Case& c : cases) EXPECT_EQ(choose_merge(c.sizes), c.chosen);
}

// Updates of one document each: what the merging costs in all.
TEST(MergePolicy, EachPointIsRewrittenABoundedNumberOfTimes) {
  std::vector<SegmentSize> sizes;
  size_t rewritten = 0, most = 0;
  constexpr size_t kUpdates = 20'000, kPoints = 60;
  for (size_t i = 0; i < kUpdates; ++i) {
    sizes.push_back({kPoints, 0});
    for (std::vector<size_t> chosen; !(chosen = choose_merge(sizes)).empty();) {
      SegmentSize merged;
      for (size_t c = chosen.size(); c-- > 0;) {
        merged.live += sizes[chosen[c]].live;
        sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(chosen[c]));
      }
      rewritten += merged.live;
      sizes.push_back(merged);
    }
    most = std::max(most, sizes.size());
  }
  EXPECT_LE(most, 21u);
  EXPECT_LE(static_cast<double>(rewritten) / (kUpdates * kPoints), 9.0);
}

}  // namespace
}  // namespace precedent
