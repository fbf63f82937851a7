// The aggregations of PromQL: several series → one of each group, or the topmost of each.
//
// Follows aggregation() of promql/engine.go. Thread safety: pure functions.
#pragma once

#include <span>

#include "telemetry/promql/promql_ast.h"
#include "telemetry/promql/promql_matrix.h"

namespace precedent {

// `parameter` has a value for each point where the aggregator takes one, and is empty otherwise.
// Errors: kInvalidArgument if k of topk or bottomk is no number; those of `budget`.
Result<PromMatrix> aggregate(const PromAggregation& aggregation, const PromMatrix& matrix,
                             std::span<const double> parameter, size_t points, PromBudget& budget);

}  // namespace precedent
