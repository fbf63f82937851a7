#include "index/merge_policy.h"

#include <algorithm>

namespace precedent {
namespace {

// Below this, a segment costs little to rewrite: a document or two.
constexpr size_t kFloor = 256;
constexpr size_t kTierFactor = 4;
constexpr size_t kMaxInTier = 3;

size_t tier_of(size_t live) {
  size_t tier = 0;
  for (size_t bound = kFloor; live >= bound; bound *= kTierFactor) ++tier;
  return tier;
}

}  // namespace

std::vector<size_t> choose_merge(std::span<const SegmentSize> sizes) {
  size_t highest = 0;
  for (const SegmentSize& size : sizes) highest = std::max(highest, tier_of(size.live));
  for (size_t tier = 0; tier <= highest; ++tier) {
    std::vector<size_t> chosen;
    size_t in_tier = 0;
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (tier_of(sizes[i].live) <= tier) chosen.push_back(i);
      if (tier_of(sizes[i].live) == tier) ++in_tier;
    }
    if (in_tier > kMaxInTier) return chosen;
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i].dead * 4 > sizes[i].live + sizes[i].dead) return {i};
  }
  return {};
}

}  // namespace precedent
