#include "investigate/onset/running_level.h"

#include <algorithm>
#include <limits>

namespace precedent {
namespace {

// Of an even number of values, the middle lies between two.
double between(double low, double high, size_t count) {
  return count % 2 == 1 ? low : low + (high - low) * 0.5;
}

}  // namespace

void RunningLevel::add(double value) {
  sorted_.insert(std::ranges::upper_bound(sorted_, value), value);
}

double RunningLevel::median() const {
  const size_t below = (sorted_.size() - 1) / 2;
  return between(sorted_[below], sorted_[std::min(below + 1, sorted_.size() - 1)], sorted_.size());
}

double RunningLevel::deviation() const {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const double centre = median();
  size_t right = static_cast<size_t>(std::ranges::lower_bound(sorted_, centre) - sorted_.begin());
  size_t left = right;  // of the values below, those that are not taken yet
  const size_t below = (sorted_.size() - 1) / 2;
  double low = 0, high = 0;
  for (size_t taken = 0; taken < std::min(below + 2, sorted_.size()); ++taken) {
    const double down = left > 0 ? centre - sorted_[left - 1] : kNone;
    const double up = right < sorted_.size() ? sorted_[right] - centre : kNone;
    low = taken <= below ? std::min(down, up) : low;
    high = std::min(down, up);
    if (down < up)
      --left;
    else
      ++right;
  }
  return between(low, high, sorted_.size()) / 0.6745;
}

}  // namespace precedent
