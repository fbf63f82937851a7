// What the parts of a PromQL expression are while they are computed: a column of values for each
// series, a value for each point of the window.
//
// Computed series by series, not point by point: labels are matched once. Thread safety: plain
// values; a budget belongs to one thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "telemetry/metrics/metrics_source.h"

namespace precedent {

inline constexpr std::string_view kNameLabel = "__name__";

// The marker of a stale series is "no value here": Prometheus never hands it on, and no arithmetic
// makes it, so it needs no bit beside each value.
struct PromColumn {
  LabelSet labels;  // with __name__, while it is known
  std::vector<double> values;

  PromColumn(LabelSet with_labels, size_t points)
      : labels(std::move(with_labels)), values(points, stale_marker()) {}
  bool has(size_t point) const { return !is_stale(values[point]); }
  bool empty() const;
};
using PromMatrix = std::vector<PromColumn>;

// Bounds what one query may use, and stops it when it is asked to.
class PromBudget {
 public:
  // Values of all parts together: 200 MB if all were kept at once, which they are not.
  static constexpr size_t kMaxValues = 25'000'000;

  explicit PromBudget(const SourceContext& context) : context_(context) {}
  // Before so many values are made. Errors: kResourceExhausted, kCancelled, kTimeout.
  Result<void> make(size_t columns, size_t points);
  // After so many samples were read; looks at the clock now and then.
  Result<void> read(size_t samples);

 private:
  Result<void> check() const;

  const SourceContext& context_;
  size_t made_ = 0;
  size_t read_ = 0;
};

// Columns of the same labels become one; empty ones are left out. Errors: kInvalidArgument if two
// have a value at one point, or (`apart`) if there are two at all.
Result<PromMatrix> united(PromMatrix matrix, bool apart = false);
LabelSet without_name(LabelSet labels);

}  // namespace precedent
