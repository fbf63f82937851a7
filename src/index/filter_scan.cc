#include "index/filter_scan.h"

#include <algorithm>

#include "knowledge/case_fold.h"

namespace precedent {
namespace {

// The groups with one of the folded values.
Bitmap groups_with(const TextColumn& column, const std::vector<std::string>& folded,
                   size_t groups) {
  Bitmap found(groups);
  std::vector<uint8_t> wanted(column.values());  // by code
  bool any = false;
  for (const std::string& value : folded) {
    const auto [begin, end] = column.find_folded(value);
    std::fill(wanted.begin() + begin, wanted.begin() + end, uint8_t{1});
    any = any || begin < end;
  }
  if (!any) return found;
  // One pass over the codes of all groups; the group of a code is looked for only when the code is
  // wanted.
  size_t group = 0;
  for (size_t i = 0; i < column.codes.size(); ++i) {
    const uint32_t code = column.codes[i];
    if (code >= wanted.size() || wanted[code] == 0) continue;
    while (group < groups && column.begins[group + 1] <= i) ++group;
    if (group == groups) break;
    found.set(group);
  }
  return found;
}

template <typename Matches>
Bitmap groups_where(size_t groups, Matches matches) {
  Bitmap found(groups);
  for (size_t group = 0; group < groups; ++group) {
    if (matches(group)) found.set(group);
  }
  return found;
}

}  // namespace

FilterScan::FilterScan(const Filter& filter)
    : unfiltered_(filter.empty()),
      population_(precedent::population(filter.kinds)),
      opened_(filter.opened) {
  for (const Kind kind : filter.kinds) kinds_ |= 1u << static_cast<unsigned>(kind);
  const auto add = [&](TextField field, const std::vector<std::string>& values) {
    if (values.empty()) return;
    auto& folded = values_[static_cast<size_t>(field)].emplace();
    for (const std::string& value : values) folded.push_back(case_fold(value));
  };
  add(TextField::kId, filter.ids);
  add(TextField::kApplication, filter.applications);
  add(TextField::kSeverity, filter.severities);
  add(TextField::kStatus, filter.statuses);
  add(TextField::kService, filter.services);
  add(TextField::kTag, filter.tags);
  for (const std::string& system : filter.systems) systems_.push_back(case_fold(system));
}

std::optional<Bitmap> FilterScan::groups(const Segment& segment) const {
  if (unfiltered_) return std::nullopt;
  std::optional<Bitmap> found;
  const auto narrow = [&](const Bitmap& matching) {
    if (found) {
      found->intersect(matching);
    } else {
      found = matching;
    }
  };
  for (uint32_t i = 0; i < kTextFields; ++i) {
    if (!values_[i]) continue;
    narrow(groups_with(segment.column(static_cast<TextField>(i)), *values_[i], segment.groups()));
  }
  if (!systems_.empty()) {
    const auto with = [&](TextField field) {
      return groups_with(segment.column(field), systems_, segment.groups());
    };
    Bitmap either = with(TextField::kService);
    either.unite(with(TextField::kApplication));
    narrow(either);
  }
  if (kinds_ != 0) {
    narrow(groups_where(segment.groups(), [&](size_t group) {
      const uint8_t kind = segment.kinds()[group];
      return kind < 32 && (kinds_ >> kind & 1) != 0;
    }));
  }
  if (!opened_.unbounded()) {
    narrow(groups_where(segment.groups(), [&](size_t group) {
      const int64_t opened = segment.opened()[group];
      return opened != kUndated && opened_.contains(TimePoint(std::chrono::seconds(opened)));
    }));
  }
  return found;
}

PointSet FilterScan::points(const LiveSegment& live, Level level) const {
  const Segment& segment = *live.segment;
  const auto groups = this->groups(segment);
  if (!groups && !live.has_dead(level)) return {};
  Bitmap points(segment.points(level));
  if (groups) {
    groups->for_each([&](size_t group) {
      const Range range = segment.group_points(group, level);
      points.set_range(range.begin, range.end);
    });
  } else {
    points.set_range(0, points.size());
  }
  if (live.has_dead(level)) points.subtract(live.dead_of(level));
  return {std::move(points)};
}

}  // namespace precedent
