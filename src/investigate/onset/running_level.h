// RunningLevel: median and robust deviation of values that are added one after another, to the bit
// what quantile_of() and robust_deviation() (telemetry/statistics/summary.h) give for all of them.
//
// The values are kept in order, so that the distances from the median grow in both directions: the
// middle one is reached by walking from the median outwards. Cost: O(n) for each value and each
// question, with a small constant. Thread safety: plain value.
#pragma once

#include <cstddef>
#include <vector>

namespace precedent {

class RunningLevel {
 public:
  // REQUIRES: a finite value.
  void add(double value);
  size_t size() const { return sorted_.size(); }
  // REQUIRES, both: there is a value.
  double median() const;
  // Around the median, as the standard deviation of normal values.
  double deviation() const;

 private:
  std::vector<double> sorted_;
};

}  // namespace precedent
