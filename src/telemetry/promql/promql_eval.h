// PromQL over series in memory: what a snapshot answers it with.
//
// The numbers are those of Prometheus 2.42 (promql/engine.go, functions.go), to rounding; the
// contract is a test that asks a real server the same
// (telemetry/prometheus/promql_servers_test.cc). What that means:
//
//   Time. A selector's value at t is its last sample within [t - 5m, t]; none, if that sample is a
//   staleness marker. A range [5m] has the samples within [t - 5m, t], both ends, without markers.
//   `offset` moves t back. A subquery is evaluated at the multiples of its step, whatever the
//   window's points are.
//   Counters. rate, increase and irate add what a reset took away. rate and increase (and delta,
//   without resets) extrapolate to both ends of the range, but only half a scrape beyond a series
//   that begins or ends in it, and a counter never below 0. Without two samples there is no value.
//   Names. What changes a value drops __name__: arithmetic, bool, functions, aggregations; filters,
//   and, or, unless, topk, last_over_time, label_replace and sort keep it. If two series become the
//   same by that, the query is an error, as with Prometheus. Matching. Two vectors meet by all
//   labels but __name__, by those of on (), or by all but those of ignoring (). One to one; several
//   to one only with group_left or group_right. Else an error. NaN is a value: it goes through
//   arithmetic and sum, loses in min, max and topk, fails every comparison but !=.
//
// A result of type scalar is one series without labels.
// Limits: PromBudget::kMaxValues on the way, MetricsSource::kMaxSeries and kMaxSamples in the
// answer, kMaxPromDepth levels; the deadline and the cancel token are looked at while samples are
// read. Thread safety: pure functions.
#pragma once

#include "telemetry/metrics/metrics_source.h"
#include "telemetry/promql/promql_ast.h"

namespace precedent {

using NamedSeries = std::map<std::string, std::vector<Series>, std::less<>>;

// `root` is what parse_promql made of `text`. Series by labels, without __name__. Errors:
// kInvalidArgument with the place in the text; kResourceExhausted, kTimeout, kCancelled.
Result<std::vector<Series>> evaluate_promql(std::string_view text, const PromNode& root,
                                            const Window& window, const NamedSeries& series,
                                            const SourceContext& context);

}  // namespace precedent
