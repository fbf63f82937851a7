// The binary operators of PromQL over instant vectors and scalars: which series meets which, and
// what comes of it.
//
// Follows VectorBinop, VectorAnd, VectorOr, VectorUnless and VectorscalarBinop of promql/engine.go.
// Thread safety: pure functions.
#pragma once

#include <span>

#include "telemetry/promql/promql_ast.h"
#include "telemetry/promql/promql_matrix.h"

namespace precedent {

// Arithmetic as it is; a comparison is 0 or 1. REQUIRES: no set operation.
double combine(PromOp op, double left, double right);

// Errors: kInvalidArgument if a series meets several where it may meet one; those of `budget`.
Result<PromMatrix> combine(const PromBinary& binary, const PromMatrix& left,
                           const PromMatrix& right, size_t points, PromBudget& budget);
// With a scalar at each point; `scalar_left` says on which side it stands.
Result<PromMatrix> combine(const PromBinary& binary, PromMatrix vector,
                           std::span<const double> scalar, bool scalar_left);

}  // namespace precedent
