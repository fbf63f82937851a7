// The functions of PromQL that look at labels: they rewrite them, or make them of nothing.
//
// Thread safety: pure functions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "telemetry/promql/promql_ast.h"
#include "telemetry/promql/promql_matrix.h"

namespace precedent {

// label_replace and label_join; `texts` are their strings, in their order. Errors: kInvalidArgument
// for what is no label or no pattern.
Result<PromMatrix> replace_labels(PromMatrix matrix, const std::vector<std::string>& texts);
Result<PromMatrix> join_labels(PromMatrix matrix, const std::vector<std::string>& texts);
// histogram_quantile: buckets with their `le` → a column for each histogram.
PromMatrix histogram_quantiles(const PromMatrix& buckets, std::span<const double> quantile,
                               size_t points);
// absent: the labels that the one that is missing would have, as far as its filters say.
LabelSet labels_of_absent(const PromNode& node);

}  // namespace precedent
