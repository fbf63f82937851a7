// MetricQuery: what is asked of a metric, in a form that every source can answer.
//
// Prometheus gets it as PromQL (`to_promql`), a snapshot computes it
// (telemetry/metrics/evaluate.h); both give the same numbers, which the contract suite checks.
// PromQL that somebody wrote is a `PromQl` (telemetry/promql/promql_eval.h). Thread safety: plain
// values, pure functions.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "telemetry/metrics/series.h"

namespace precedent {

struct LabelFilter {
  enum class Op { kEqual, kNotEqual, kMatches, kNotMatches };  // = != =~ !~
  std::string label;
  Op op = Op::kEqual;
  std::string value;  // a missing label is ""; a pattern is anchored at both ends, RE2
  bool operator==(const LabelFilter&) const = default;
};

struct Selector {
  std::string metric;
  std::vector<LabelFilter> filters = {};
  bool operator==(const Selector&) const = default;
};

enum class Statistic {
  kValue,     // as it is: gauges
  kRate,      // a second, of a counter
  kIncrease,  // within the range, of a counter
  kQuantile,  // of a histogram: the selector names it without _bucket
  kRatio,     // the rate of one counter over that of another
};
enum class Aggregation { kSum, kAvg, kMin, kMax, kCount };

std::string_view name(Statistic statistic);
std::string_view name(Aggregation aggregation);
std::optional<Statistic> statistic_of(std::string_view name);
std::optional<Aggregation> aggregation_of(std::string_view name);

struct MetricQuery {
  Statistic statistic = Statistic::kValue;
  Selector of = {};
  Selector over = {};      // kRatio: the denominator
  double quantile = 0.95;  // kQuantile, 0 to 1
  // Over which rates are taken; long enough for several samples.
  std::chrono::seconds range{300};
  Aggregation aggregation = Aggregation::kSum;  // kQuantile and kRatio sum, whatever it says
  std::vector<std::string> by = {};             // the labels that are kept
  bool operator==(const MetricQuery&) const = default;
};

struct PromQl {
  std::string text;
  bool operator==(const PromQl&) const = default;
};

std::string to_promql(const Selector& selector);
// A ratio whose numerator has no series (no error was ever counted) is 0, not nothing:
//   (sum(rate(a[5m])) or 0 * sum(rate(b[5m]))) / sum(rate(b[5m]))
std::string to_promql(const MetricQuery& query);
std::string to_text(const LabelFilter& filter);  // code=~"5.."

// "5m", "1h30m", "1d12h".
std::string format_duration(std::chrono::seconds duration);
// The same read back; also "2w". Nothing if it is none, or longer than ten years.
std::optional<std::chrono::seconds> duration_of(std::string_view text);

}  // namespace precedent
