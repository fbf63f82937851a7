// Series and a MetricQuery → the series that Prometheus would answer with. What a snapshot
// computes.
//
// Follows the semantics of Prometheus 2.42 (promql/engine.go, functions.go, quantile.go), as PromQL
// on a snapshot does (telemetry/promql/promql_eval.h), so that both give the same numbers:
//   a value counts for five minutes after its sample, unless the series was marked stale;
//   ranges and look-back have both their ends, [t - range, t];
//   rate and increase add up counter resets and extrapolate to the ends of the range;
//   quantiles interpolate linearly within a bucket.
// Thread safety: pure functions.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/error.h"
#include "telemetry/metrics/metric_query.h"

namespace precedent {

// Whether labels pass all filters. Patterns are compiled once, so make one matcher for many series.
class LabelMatcher {
 public:
  // Errors: kInvalidArgument naming the pattern.
  static Result<LabelMatcher> create(const std::vector<LabelFilter>& filters);
  bool matches(const LabelSet& labels) const;

  LabelMatcher(LabelMatcher&&) noexcept;
  ~LabelMatcher();

 private:
  struct Test;
  LabelMatcher();
  std::vector<Test> tests_;
};

// How a source hands out its series: all of a metric by name, empty if there is none.
using SeriesOf = std::function<std::span<const Series>(std::string_view metric)>;

// Series by labels, points without a value left out. Errors: those of LabelMatcher.
Result<std::vector<Series>> evaluate(const MetricQuery& query, const Window& window,
                                     const SeriesOf& series_of);

// --- The parts, for tests.

// Prometheus' --query.lookback-delta.
inline constexpr std::chrono::minutes kLookback{5};

// increase() and delta() over samples within [from, to]; nothing with fewer than two.
// REQUIRES: no stale markers among them.
enum class Counting { kCounter, kGauge };
std::optional<double> extrapolated(std::span<const Sample> samples, Instant from, Instant to,
                                   Counting counting);
// That of a counter over the range that ends at `to`.
std::optional<double> increase_within(std::span<const Sample> samples, Instant to,
                                      std::chrono::milliseconds range);

struct Bucket {
  double upper_bound;  // le
  double count;        // cumulative
};
// NaN where Prometheus says NaN: no observation, no +Inf bucket, fewer than two buckets.
// The upper bound of a bucket's series by its label le; NaN if that is none.
double bucket_bound(const LabelSet& labels);
double bucket_quantile(double quantile, std::vector<Bucket> buckets);

}  // namespace precedent
