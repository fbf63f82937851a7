// Filter → which points of a segment may be found, decided on the columns before anything is
// scored.
//
// Thread safety: immutable values.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "index/bitmap.h"
#include "index/snapshot.h"
#include "knowledge/filter.h"

namespace precedent {

// The points of one level that may be found; `all` stands for every one, without a bitmap.
struct PointSet {
  std::optional<Bitmap> bits;
  bool all() const { return !bits; }
  bool contains(size_t point) const { return !bits || bits->test(point); }
};

// A Filter with its values folded once, to be asked about many segments.
class FilterScan {
 public:
  explicit FilterScan(const Filter& filter);

  // Live points of `level` that match, counted from 0 within the level.
  PointSet points(const LiveSegment& live, Level level) const;
  // Whose words the search compares.
  Population population() const { return population_; }
  // Groups of the segment that match; nothing stands for all.
  std::optional<Bitmap> groups(const Segment& segment) const;

 private:
  bool unfiltered_;
  Population population_;
  uint32_t kinds_ = 0;  // bit k: Kind k may be found
  std::array<std::optional<std::vector<std::string>>, kTextFields> values_;  // folded
  std::vector<std::string> systems_;                                         // folded
  TimeRange opened_;
};

}  // namespace precedent
