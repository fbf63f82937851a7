// The functions of PromQL that a snapshot knows: their signatures, for the parser, and what those
// over a range and over single values compute.
//
// Follows promql/functions.go of Prometheus 2.42. Thread safety: pure functions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "telemetry/promql/promql_ast.h"

namespace precedent {

// What a function over a range sees at one point: samples within [from, to], at least one.
struct RangeView {
  std::span<const Sample> samples;  // none of them stale
  Instant from{}, to{};
  std::span<const double> parameters;  // the scalars among the arguments, in their order
};
using OverRange = std::optional<double> (*)(const RangeView& view);
// `value`, and the other arguments of the call.
using OverValue = std::optional<double> (*)(double value, std::span<const double> parameters);

struct PromFunction {
  // What the evaluator has to do beyond calling one of the two.
  enum class Special {
    kNone,
    kAbsent,
    kAbsentOverTime,
    kHistogramQuantile,
    kLabelJoin,
    kLabelReplace,
    kScalar,
    kSort,
    kTime,
    kTimestamp,
    kVector,
  };
  std::string_view name;
  std::vector<PromType> args;
  size_t optional_args = 0;   // how many of the last ones may be left out
  bool repeats_last = false;  // the last argument may come any number of times, also none
  PromType returns = PromType::kVector;
  OverRange over_range = nullptr;
  OverValue over_value = nullptr;
  Special special = Special::kNone;
  bool keeps_name = false;
};

// Null if a snapshot does not know it.
const PromFunction* find_prom_function(std::string_view name);
// Of all, by name.
std::vector<std::string> prom_function_names();

// The quantile of values as `quantile` and `quantile_over_time` take it; NaN of none.
double value_quantile(double quantile, std::vector<double> values);

}  // namespace precedent
