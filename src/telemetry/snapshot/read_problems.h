// What could not be read of a file: the first few in full, the others as a number. One bad line
// does not stop the others.
//
// Thread safety: plain values.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

namespace precedent {

class ReadProblems {
 public:
  // As many as somebody reads before correcting the file.
  static constexpr size_t kShown = 10;

  void add(std::string problem) {
    if (first_.size() < kShown) first_.push_back(std::move(problem));
    ++total_;
  }
  bool empty() const { return total_ == 0; }
  // "metrics.csv:7: …", and at the end "and 112 more problems".
  std::vector<std::string> lines() const {
    std::vector<std::string> out = first_;
    if (total_ > first_.size())
      out.push_back(fmt::format("and {} more problems like these", total_ - first_.size()));
    return out;
  }

 private:
  std::vector<std::string> first_;
  size_t total_ = 0;
};

}  // namespace precedent
