#include "telemetry/report/window_total.h"

#include <cmath>

namespace precedent {
namespace {

using std::chrono::seconds;

// How often `of` was counted; 0 if it has no series, which a counter has not before its first
// count.
std::optional<double> counted(const MetricsSource& metrics, const Selector& of, seconds length,
                              Instant to, const SourceContext& context) {
  const MetricQuery increase{.statistic = Statistic::kIncrease, .of = of, .range = length};
  const auto answer = metrics.range(increase, {to, to, length}, context);
  if (!answer) return std::nullopt;
  if (answer->series.empty() || answer->series.front().samples.empty()) return 0;
  const double value = answer->series.front().samples.front().value;
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<WindowTotal> total_of(const MetricsSource& metrics, const MetricQuery& query,
                                    std::string_view unit, Instant from, Instant to,
                                    const SourceContext& context) {
  const bool ratio = query.statistic == Statistic::kRatio;
  const bool counter =
      (query.statistic == Statistic::kRate || query.statistic == Statistic::kIncrease) &&
      query.aggregation == Aggregation::kSum;
  // Seconds of CPU are no count, nor is what a latency is made of.
  if (ratio ? unit != "ratio" : !counter || unit.starts_with("seconds")) return std::nullopt;
  const auto length = std::chrono::floor<seconds>(to - from);
  const auto count = counted(metrics, query.of, length, to, context);
  if (!count) return std::nullopt;
  if (!ratio) return WindowTotal{*count, std::nullopt};
  const auto all = counted(metrics, query.over, length, to, context);
  // A part of nothing says nothing.
  if (!all || *all <= 0) return std::nullopt;
  return WindowTotal{*count, all};
}

}  // namespace precedent
