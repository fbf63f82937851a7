#include "investigate/onset/running_level.h"

#include <gtest/gtest.h>

#include <random>

#include "telemetry/statistics/summary.h"

namespace precedent {
namespace {

// The plain way beside it.
void expect_same(const std::vector<double>& values) {
  RunningLevel level;
  std::vector<double> all;
  for (const double value : values) {
    level.add(value);
    all.push_back(value);
    std::vector<double> copy = all;
    const double median = quantile_of(copy, 0.5);
    ASSERT_EQ(level.size(), all.size());
    ASSERT_EQ(level.median(), median) << all.size();
    ASSERT_EQ(level.deviation(), robust_deviation(all, median)) << all.size();
  }
}

TEST(RunningLevel, IsWhatSortingAllValuesGives) {
  expect_same({1});
  expect_same({2, 1, 2, 2, 7, 2});
  expect_same({-1, 0, -0.0, 1e300, -1e300, 5, 5, 5, 5});
  expect_same({5, 4, 3, 2, 1, 0});
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::vector<double> values;
    for (int i = 0; i < 200; ++i)
      values.push_back(seed % 2 == 0 ? static_cast<double>(random() % 7)
                                     : std::normal_distribution<double>(10, 3)(random));
    expect_same(values);
  }
}

}  // namespace
}  // namespace precedent
