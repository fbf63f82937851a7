// The tree of a PromQL expression, checked: each node has the type that its parent needs.
//
// Thread safety: plain values. Ownership: a node owns its children.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "telemetry/metrics/metric_query.h"

namespace precedent {

enum class PromType { kScalar, kVector, kRange, kString };
// "a scalar", "an instant vector" …
std::string_view name(PromType type);

struct PromFunction;  // telemetry/promql/promql_functions.h
struct PromNode;
using PromNodePtr = std::unique_ptr<PromNode>;

struct PromNumber {
  double value = 0;
};
struct PromString {
  std::string value = {};
};
// http_requests_total{code=~"5.."} offset 5m. The name is a filter on __name__ like any other.
struct PromSelector {
  std::string metric = {};  // "" if only the braces say it
  std::vector<LabelFilter> filters = {};
  std::chrono::milliseconds offset{0};
};
// child[5m], where the child is a selector.
struct PromRange {
  PromNodePtr of = {};
  std::chrono::milliseconds range{0};
};
// child[1h:5m] offset 1d. Without a step: a minute.
struct PromSubquery {
  PromNodePtr of = {};
  std::chrono::milliseconds range{0};
  std::chrono::milliseconds step{0};
  std::chrono::milliseconds offset{0};
};
struct PromNegation {
  PromNodePtr of = {};
};

enum class PromOp {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kModulo,
  kPower,
  kAtan2,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kAnd,
  kOr,
  kUnless,
};
bool is_comparison(PromOp op);
bool is_set_operation(PromOp op);

struct PromOperator {
  std::string_view sign;  // "+", "and"
  PromOp op;
  int strength;  // 1 to 6: the stronger binds first
};
inline constexpr int kPowerStrength = 6;
// Null if it is none.
const PromOperator* find_prom_operator(std::string_view sign);
std::string_view name(PromOp op);

struct PromBinary {
  // Which side may have several series for one of the other: group_left says the left one.
  enum class Many { kNeither, kLeft, kRight };
  PromOp op = PromOp::kAdd;
  PromNodePtr left = {}, right = {};
  bool as_bool = false;                  // comparisons: 0 or 1 instead of a filter
  bool on = false;                       // the labels are those to match, or else those to ignore
  std::vector<std::string> labels = {};  // of on() or ignoring()
  Many many = Many::kNeither;
  std::vector<std::string> include = {};  // labels taken over from the side with one series
};

enum class PromAggregator {
  kSum,
  kAvg,
  kMin,
  kMax,
  kCount,
  kGroup,
  kStddev,
  kStdvar,
  kTopk,
  kBottomk,
  kQuantile,
};
struct PromAggregatorName {
  std::string_view name;
  PromAggregator aggregator;
  bool has_parameter;
};
const PromAggregatorName* find_prom_aggregator(std::string_view name);  // null if it is none
std::vector<std::string> prom_aggregator_names();

struct PromAggregation {
  PromAggregator aggregator = PromAggregator::kSum;
  PromNodePtr parameter = {};  // of topk, bottomk and quantile; else null
  PromNodePtr of = {};
  bool without = false;
  std::vector<std::string> labels = {};  // of by () or without ()
};
struct PromCall {
  const PromFunction* function = nullptr;
  std::vector<PromNodePtr> args = {};
};

struct PromNode {
  std::variant<PromNumber, PromString, PromSelector, PromRange, PromSubquery, PromNegation,
               PromBinary, PromAggregation, PromCall>
      kind = {};
  PromType type = PromType::kVector;
  size_t at = 0;   // in the text: of an operator the operator, else the beginning
  int height = 1;  // of the tree below
  bool parenthesised = false;
};

// The metrics that its selectors name, each once.
std::vector<std::string> metrics_named_in(const PromNode& node);

}  // namespace precedent
