#include "telemetry/promql/promql_ast.h"

#include <algorithm>
#include <array>
#include <set>

namespace precedent {
namespace {

// In the order of PromOp.
constexpr std::array<PromOperator, 16> kOperators = {{{"+", PromOp::kAdd, 4},
                                                      {"-", PromOp::kSubtract, 4},
                                                      {"*", PromOp::kMultiply, 5},
                                                      {"/", PromOp::kDivide, 5},
                                                      {"%", PromOp::kModulo, 5},
                                                      {"^", PromOp::kPower, kPowerStrength},
                                                      {"atan2", PromOp::kAtan2, 5},
                                                      {"==", PromOp::kEqual, 3},
                                                      {"!=", PromOp::kNotEqual, 3},
                                                      {"<", PromOp::kLess, 3},
                                                      {"<=", PromOp::kLessEqual, 3},
                                                      {">", PromOp::kGreater, 3},
                                                      {">=", PromOp::kGreaterEqual, 3},
                                                      {"and", PromOp::kAnd, 2},
                                                      {"or", PromOp::kOr, 1},
                                                      {"unless", PromOp::kUnless, 2}}};
constexpr std::array<PromAggregatorName, 11> kAggregators = {
    {{"sum", PromAggregator::kSum, false},
     {"avg", PromAggregator::kAvg, false},
     {"min", PromAggregator::kMin, false},
     {"max", PromAggregator::kMax, false},
     {"count", PromAggregator::kCount, false},
     {"group", PromAggregator::kGroup, false},
     {"stddev", PromAggregator::kStddev, false},
     {"stdvar", PromAggregator::kStdvar, false},
     {"topk", PromAggregator::kTopk, true},
     {"bottomk", PromAggregator::kBottomk, true},
     {"quantile", PromAggregator::kQuantile, true}}};

struct NameCollector {
  std::set<std::string>& names;

  void operator()(const PromNumber&) const {}
  void operator()(const PromString&) const {}
  void operator()(const PromSelector& selector) const {
    if (!selector.metric.empty()) names.insert(selector.metric);
    for (const LabelFilter& filter : selector.filters)
      if (filter.label == "__name__" && filter.op == LabelFilter::Op::kEqual)
        names.insert(filter.value);
  }
  void operator()(const PromRange& range) const { collect(*range.of); }
  void operator()(const PromSubquery& subquery) const { collect(*subquery.of); }
  void operator()(const PromNegation& negation) const { collect(*negation.of); }
  void operator()(const PromBinary& binary) const {
    collect(*binary.left);
    collect(*binary.right);
  }
  void operator()(const PromAggregation& aggregation) const {
    if (aggregation.parameter) collect(*aggregation.parameter);
    collect(*aggregation.of);
  }
  void operator()(const PromCall& call) const {
    for (const PromNodePtr& arg : call.args) collect(*arg);
  }
  void collect(const PromNode& node) const { std::visit(*this, node.kind); }
};

}  // namespace

std::string_view name(PromType type) {
  switch (type) {
    case PromType::kScalar: return "a scalar";
    case PromType::kVector: return "an instant vector";
    case PromType::kRange: return "a range vector";
    case PromType::kString: return "a string";
  }
  return "";
}

bool is_comparison(PromOp op) { return op >= PromOp::kEqual && op <= PromOp::kGreaterEqual; }
bool is_set_operation(PromOp op) { return op >= PromOp::kAnd; }
std::string_view name(PromOp op) { return kOperators[static_cast<size_t>(op)].sign; }

const PromOperator* find_prom_operator(std::string_view sign) {
  const auto found = std::ranges::find(kOperators, sign, &PromOperator::sign);
  return found == kOperators.end() ? nullptr : &*found;
}

const PromAggregatorName* find_prom_aggregator(std::string_view name) {
  const auto found = std::ranges::find(kAggregators, name, &PromAggregatorName::name);
  return found == kAggregators.end() ? nullptr : &*found;
}

std::vector<std::string> prom_aggregator_names() {
  std::vector<std::string> names;
  for (const PromAggregatorName& known : kAggregators) names.emplace_back(known.name);
  return names;
}

std::vector<std::string> metrics_named_in(const PromNode& node) {
  std::set<std::string> names;
  NameCollector{names}.collect(node);
  return {names.begin(), names.end()};
}

}  // namespace precedent
