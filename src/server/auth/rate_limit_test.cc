#include "server/auth/rate_limit.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

using namespace std::chrono_literals;

TEST(RateLimit, ABurstThenAsManyAsTheTimeGivesBack) {
  RateLimit limit(60);
  const RateLimit::Moment start{};
  for (int i = 0; i < 60; ++i) EXPECT_FALSE(limit.take("ann", start));
  EXPECT_EQ(limit.take("ann", start), 1s);
  EXPECT_EQ(limit.wait("ann", start), 1s);
  EXPECT_FALSE(limit.take("bob", start));
  EXPECT_FALSE(limit.take("ann", start + 1s));
  EXPECT_TRUE(limit.take("ann", start + 1s));
  for (int i = 0; i < 60; ++i) EXPECT_FALSE(limit.take("ann", start + 10min));
  EXPECT_TRUE(limit.take("ann", start + 10min));
}

TEST(RateLimit, NoneAtAll) {
  RateLimit limit(0);
  for (int i = 0; i < 10'000; ++i) ASSERT_FALSE(limit.take("ann", {}));
}

TEST(RateLimit, ManyNamesShareWhatIsLeft) {
  RateLimit limit(2);
  for (size_t i = 0; i < RateLimit::kMaxNames; ++i)
    ASSERT_FALSE(limit.take(std::to_string(i), RateLimit::Moment{}));
  EXPECT_FALSE(limit.take("new 1", RateLimit::Moment{}));
  EXPECT_FALSE(limit.take("new 2", RateLimit::Moment{}));
  EXPECT_TRUE(limit.take("new 3", RateLimit::Moment{}));
  // Those that were known are not worse off.
  EXPECT_FALSE(limit.take("7", RateLimit::Moment{}));
  EXPECT_FALSE(limit.take("new 3", RateLimit::Moment{} + 2min));
}

}  // namespace
}  // namespace precedent
