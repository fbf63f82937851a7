// PromQL's text → its tree, with every type checked, or the first thing that is wrong with it.
//
// The grammar is that of Prometheus 2.42 (promql/parser/generated_parser.y), without the modifier
// @, histograms of native buckets, count_values, and the functions that promql_functions.h leaves
// out. What is left out is refused by name, with its place and what there is instead: never
// computed as something else. Thread safety: pure functions.
#pragma once

#include <string_view>

#include "base/error.h"
#include "telemetry/promql/promql_ast.h"

namespace precedent {

// Levels of a tree, and of brackets around one another: bounds the stack of whoever walks it.
inline constexpr int kMaxPromDepth = 64;

// Of type scalar or instant vector, since the others are no answer. Errors: kInvalidArgument.
Result<PromNodePtr> parse_promql(std::string_view text);

// What a snapshot knows, in a sentence: for messages and documents.
std::string promql_abilities();

}  // namespace precedent
