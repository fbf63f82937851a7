#include "telemetry/promql/promql_eval.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "telemetry/metrics/evaluate.h"
#include "telemetry/promql/promql_aggregate.h"
#include "telemetry/promql/promql_binary.h"
#include "telemetry/promql/promql_functions.h"
#include "telemetry/promql/promql_labels.h"
#include "telemetry/promql/promql_lexer.h"

namespace precedent {
namespace {

using std::chrono::milliseconds;
using Scalars = std::vector<double>;  // one for each point
using Special = PromFunction::Special;

double seconds_of(Instant at) {
  return std::chrono::duration<double>(at.time_since_epoch()).count();
}

// The samples of a series within [from, to], without staleness markers; `copy` is room for them.
std::span<const Sample> between(const std::vector<Sample>& samples, Instant from, Instant to,
                                std::vector<Sample>& copy) {
  const auto first = std::ranges::lower_bound(samples, from, {}, &Sample::at);
  const auto end = std::ranges::upper_bound(first, samples.end(), to, {}, &Sample::at);
  const auto is_marker = [](const Sample& sample) { return is_stale(sample.value); };
  if (std::none_of(first, end, is_marker)) return {first, end};
  copy.clear();
  std::remove_copy_if(first, end, std::back_inserter(copy), is_marker);
  return copy;
}

// A window has this many points; evaluated at `grid`.
class Evaluator {
 public:
  Evaluator(std::string_view text, const NamedSeries& series, PromBudget& budget,
            const Window& grid)
      : text_(text), series_(series), budget_(budget), grid_(grid), points_(grid.points()) {}

  // REQUIRES: a node of type instant vector.
  Result<PromMatrix> vector(const PromNode& node) const {
    if (const auto* selector = std::get_if<PromSelector>(&node.kind))
      return instant(*selector, false);
    if (const auto* negation = std::get_if<PromNegation>(&node.kind))
      return placed(node, negated(TRY(vector(*negation->of))));
    if (const auto* binary = std::get_if<PromBinary>(&node.kind)) return combined(node, *binary);
    if (const auto* aggregation = std::get_if<PromAggregation>(&node.kind))
      return aggregated(node, *aggregation);
    return called(node, std::get<PromCall>(node.kind));
  }

  // REQUIRES: a node of type scalar.
  Result<Scalars> scalar(const PromNode& node) const {
    TRY(budget_.make(1, points_));
    if (const auto* number = std::get_if<PromNumber>(&node.kind))
      return Scalars(points_, number->value);
    if (const auto* negation = std::get_if<PromNegation>(&node.kind)) {
      Scalars values = TRY(scalar(*negation->of));
      for (double& value : values) value = -value;
      return values;
    }
    if (const auto* binary = std::get_if<PromBinary>(&node.kind)) {
      Scalars left = TRY(scalar(*binary->left));
      const Scalars right = TRY(scalar(*binary->right));
      for (size_t point = 0; point < points_; ++point)
        left[point] = combine(binary->op, left[point], right[point]);
      return left;
    }
    const auto& call = std::get<PromCall>(node.kind);
    Scalars values(points_);
    if (call.function->special == Special::kTime) {
      for (size_t point = 0; point < points_; ++point) values[point] = seconds_of(at(point));
      return values;
    }
    return only_values(TRY(vector(*call.args[0])));
  }

 private:
  Instant at(size_t point) const { return grid_.from + grid_.step * static_cast<int64_t>(point); }

  // With the place of the node, where the query is to blame. `result` is of the node itself: the
  // errors of its parts have their places.
  Result<PromMatrix> placed(const PromNode& node, Result<PromMatrix> result) const {
    if (result || result.error().code != ErrorCode::kInvalidArgument) return result;
    const size_t end = text_.find_first_of(" \t\n(", node.at);
    return promql_error(text_, node.at, text_.substr(node.at, end - node.at),
                        result.error().message);
  }

  // Calls take(name, series) for each series that the selector selects.
  template <typename Take>
  Result<void> select(const PromSelector& selector, const Take& take) const {
    std::vector<LabelFilter> of_name, of_labels;
    for (const LabelFilter& filter : selector.filters)
      (filter.label == kNameLabel ? of_name : of_labels).push_back(filter);
    const LabelMatcher names = TRY(LabelMatcher::create(of_name));
    const LabelMatcher labels = TRY(LabelMatcher::create(of_labels));
    const auto take_all = [&](const auto& entry) -> Result<void> {
      for (const Series& series : entry.second)
        if (labels.matches(series.labels)) TRY(take(entry.first, series));
      return {};
    };
    if (!selector.metric.empty()) {
      const auto found = series_.find(selector.metric);
      return found == series_.end() ? Result<void>() : take_all(*found);
    }
    for (const auto& entry : series_)
      if (names.matches({{std::string(kNameLabel), entry.first}})) TRY(take_all(entry));
    return {};
  }

  static LabelSet named(LabelSet labels, const std::string& name) {
    labels.insert_or_assign(std::string(kNameLabel), name);
    return labels;
  }

  // The values of the samples, or their times.
  Result<PromMatrix> instant(const PromSelector& selector, bool times) const {
    PromMatrix out;
    const auto take = [&](const std::string& name, const Series& series) -> Result<void> {
      TRY(budget_.make(1, points_));
      PromColumn column(named(series.labels, name), points_);
      const std::vector<Sample>& samples = series.samples;
      auto next = std::ranges::upper_bound(samples, at(0) - selector.offset, {}, &Sample::at);
      for (size_t point = 0; point < points_; ++point) {
        const Instant now = at(point) - selector.offset;
        while (next != samples.end() && next->at <= now) ++next;
        if (next == samples.begin()) continue;
        const Sample& last = *std::prev(next);
        if (last.at >= now - kLookback && !is_stale(last.value))
          column.values[point] = times ? seconds_of(last.at) : last.value;
      }
      if (!column.empty()) out.push_back(std::move(column));
      return {};
    };
    TRY(select(selector, take));
    return out;
  }

  static Result<PromMatrix> negated(PromMatrix matrix) {
    for (PromColumn& column : matrix) {
      column.labels = without_name(std::move(column.labels));
      for (double& value : column.values)
        if (!is_stale(value)) value = -value;
    }
    return united(std::move(matrix));
  }

  Result<PromMatrix> combined(const PromNode& node, const PromBinary& binary) const {
    const bool left_scalar = binary.left->type == PromType::kScalar;
    if (left_scalar || binary.right->type == PromType::kScalar) {
      const Scalars values = TRY(scalar(left_scalar ? *binary.left : *binary.right));
      PromMatrix matrix = TRY(vector(left_scalar ? *binary.right : *binary.left));
      return placed(node, combine(binary, std::move(matrix), values, left_scalar));
    }
    const PromMatrix left = TRY(vector(*binary.left));
    const PromMatrix right = TRY(vector(*binary.right));
    return placed(node, combine(binary, left, right, points_, budget_));
  }

  Result<PromMatrix> aggregated(const PromNode& node, const PromAggregation& aggregation) const {
    const Scalars parameter =
        aggregation.parameter ? TRY(scalar(*aggregation.parameter)) : Scalars();
    const PromMatrix matrix = TRY(vector(*aggregation.of));
    return placed(node, aggregate(aggregation, matrix, parameter, points_, budget_));
  }

  // The value where there is exactly one series, NaN elsewhere.
  Scalars only_values(const PromMatrix& matrix) const {
    Scalars values(points_, std::numeric_limits<double>::quiet_NaN());
    for (size_t point = 0; point < points_; ++point) {
      const auto has = [point](const PromColumn& column) { return column.has(point); };
      if (std::ranges::count_if(matrix, has) == 1)
        values[point] = std::ranges::find_if(matrix, has)->values[point];
    }
    return values;
  }

  Result<PromMatrix> called(const PromNode& node, const PromCall& call) const {
    const PromFunction& function = *call.function;
    std::vector<Scalars> scalars;
    const PromNode* subject = nullptr;  // the argument that is a vector or a range
    for (const PromNodePtr& arg : call.args) {
      if (arg->type == PromType::kScalar)
        scalars.push_back(TRY(scalar(*arg)));
      else if (arg->type != PromType::kString)
        subject = arg.get();
    }
    if (function.over_range != nullptr)
      return placed(node, united(TRY(over_range(function, *subject, scalars)), true));
    if (function.special == Special::kTimestamp) return timestamps(node, *subject);
    if (function.special == Special::kAbsentOverTime)
      return absent(*subject,
                    TRY(over_range(*find_prom_function("present_over_time"), *subject, {})));
    PromMatrix matrix;
    if (subject != nullptr) matrix = TRY(vector(*subject));
    if (function.over_value != nullptr)
      return placed(node, over_values(function, std::move(matrix), scalars));
    return placed(node, special(call, std::move(matrix), subject, scalars));
  }

  // `matrix` is the value of `subject`, if there is one.
  Result<PromMatrix> special(const PromCall& call, PromMatrix matrix, const PromNode* subject,
                             const std::vector<Scalars>& scalars) const {
    std::vector<std::string> texts;
    for (const PromNodePtr& arg : call.args)
      if (const auto* text = std::get_if<PromString>(&arg->kind)) texts.push_back(text->value);
    switch (call.function->special) {
      case Special::kVector: {
        PromColumn& column = matrix.emplace_back(LabelSet(), points_);
        column.values = scalars[0];
        return matrix;
      }
      case Special::kAbsent: return absent(*subject, matrix);
      case Special::kHistogramQuantile:
        TRY(budget_.make(matrix.size(), points_));
        return united(histogram_quantiles(matrix, scalars[0], points_));
      case Special::kLabelReplace: return replace_labels(std::move(matrix), texts);
      case Special::kLabelJoin: return join_labels(std::move(matrix), texts);
      case Special::kSort: return matrix;
      default: return fail(ErrorCode::kInternal, "a function without an evaluation");
    }
  }

  Result<PromMatrix> absent(const PromNode& subject, const PromMatrix& found) const {
    TRY(budget_.make(1, points_));
    PromColumn column(labels_of_absent(subject), points_);
    for (size_t point = 0; point < points_; ++point)
      if (std::ranges::none_of(found, [&](const PromColumn& one) { return one.has(point); }))
        column.values[point] = 1;
    PromMatrix out;
    if (!column.empty()) out.push_back(std::move(column));
    return out;
  }

  Result<PromMatrix> timestamps(const PromNode& node, const PromNode& subject) const {
    const auto* selector = std::get_if<PromSelector>(&subject.kind);
    PromMatrix out = TRY(selector == nullptr ? vector(subject) : instant(*selector, true));
    for (PromColumn& column : out) {
      column.labels = without_name(std::move(column.labels));
      for (size_t point = 0; selector == nullptr && point < points_; ++point)
        if (column.has(point)) column.values[point] = seconds_of(at(point));
    }
    return placed(node, united(std::move(out)));
  }

  Result<PromMatrix> over_values(const PromFunction& function, PromMatrix matrix,
                                 const std::vector<Scalars>& scalars) const {
    Scalars parameters(scalars.size());
    for (PromColumn& column : matrix) {
      column.labels = without_name(std::move(column.labels));
      for (size_t point = 0; point < points_; ++point) {
        if (!column.has(point)) continue;
        for (size_t i = 0; i < scalars.size(); ++i) parameters[i] = scalars[i][point];
        column.values[point] =
            function.over_value(column.values[point], parameters).value_or(stale_marker());
      }
    }
    return united(std::move(matrix));
  }

  // `subject` is a range of a metric, or a subquery.
  Result<PromMatrix> over_range(const PromFunction& function, const PromNode& subject,
                                const std::vector<Scalars>& scalars) const {
    PromMatrix out;
    std::vector<Sample> copy;
    if (const auto* range = std::get_if<PromRange>(&subject.kind)) {
      const auto& selector = std::get<PromSelector>(range->of->kind);
      const auto take = [&](const std::string& name, const Series& series) -> Result<void> {
        const auto samples = between(series.samples, at(0) - selector.offset - range->range,
                                     at(points_ - 1) - selector.offset, copy);
        TRY(slide(function, named(series.labels, name), samples, range->range, selector.offset,
                  scalars, out));
        return {};
      };
      if (points_ > 0) TRY(select(selector, take));
      return out;
    }
    const auto& subquery = std::get<PromSubquery>(subject.kind);
    const Window grid = grid_of(subquery);
    const Evaluator inner(text_, series_, budget_, grid);
    TRY(budget_.make(1, grid.points()));
    PromMatrix matrix = TRY(inner.vector(*subquery.of));
    for (PromColumn& column : matrix) {
      copy.clear();
      for (size_t point = 0; point < column.values.size(); ++point)
        if (column.has(point)) copy.push_back({inner.at(point), column.values[point]});
      TRY(slide(function, std::move(column.labels), copy, subquery.range, subquery.offset, scalars,
                out));
    }
    return out;
  }

  // The multiples of the step that any point of this grid looks at.
  Window grid_of(const PromSubquery& subquery) const {
    const milliseconds from = (grid_.from - subquery.offset - subquery.range).time_since_epoch();
    milliseconds start = subquery.step * (from / subquery.step);
    if (start < from) start += subquery.step;
    return {Instant(start), grid_.to - subquery.offset, subquery.step};
  }

  // The function over the range before each point; a column if any has a value.
  Result<void> slide(const PromFunction& function, LabelSet labels, std::span<const Sample> samples,
                     milliseconds range, milliseconds offset, const std::vector<Scalars>& scalars,
                     PromMatrix& out) const {
    if (samples.empty()) return {};
    TRY(budget_.make(1, points_));
    PromColumn column(function.keeps_name ? std::move(labels) : without_name(std::move(labels)),
                      points_);
    Scalars parameters(scalars.size());
    size_t begin = 0, end = 0;
    for (size_t point = 0; point < points_; ++point) {
      const Instant to = at(point) - offset;
      while (end < samples.size() && samples[end].at <= to) ++end;
      while (begin < end && samples[begin].at < to - range) ++begin;
      if (begin == end) continue;
      TRY(budget_.read(end - begin));
      for (size_t i = 0; i < scalars.size(); ++i) parameters[i] = scalars[i][point];
      column.values[point] =
          function.over_range({samples.subspan(begin, end - begin), to - range, to, parameters})
              .value_or(stale_marker());
    }
    if (!column.empty()) out.push_back(std::move(column));
    return {};
  }

  std::string_view text_;
  const NamedSeries& series_;
  PromBudget& budget_;
  Window grid_;
  size_t points_;
};

Result<void> check_size(const PromMatrix& matrix) {
  size_t samples = 0;
  for (const PromColumn& column : matrix)
    samples +=
        column.values.size() - static_cast<size_t>(std::ranges::count_if(column.values, is_stale));
  if (matrix.size() <= MetricsSource::kMaxSeries && samples <= MetricsSource::kMaxSamples)
    return {};
  return fail(ErrorCode::kResourceExhausted,
              fmt::format("the answer has more than {} series or {} samples; aggregate with sum by "
                          "(...), take topk(10, ...), or ask for a shorter window",
                          MetricsSource::kMaxSeries, MetricsSource::kMaxSamples));
}

}  // namespace

Result<std::vector<Series>> evaluate_promql(std::string_view text, const PromNode& root,
                                            const Window& window, const NamedSeries& series,
                                            const SourceContext& context) {
  PromBudget budget(context);
  // Before anything has a value for each of them.
  TRY(budget.make(1, window.points()));
  const Evaluator evaluator(text, series, budget, window);
  PromMatrix matrix;
  if (root.type == PromType::kScalar) {
    PromColumn column({}, window.points());
    column.values = TRY(evaluator.scalar(root));
    matrix.push_back(std::move(column));
  } else {
    matrix = TRY(evaluator.vector(root));
  }
  TRY(check_size(matrix));
  std::vector<Series> out;
  for (PromColumn& column : matrix) {
    Series one{without_name(std::move(column.labels)), {}};
    for (size_t point = 0; point < column.values.size(); ++point)
      if (column.has(point))
        one.samples.push_back(
            {window.from + window.step * static_cast<int64_t>(point), column.values[point]});
    if (!one.samples.empty()) out.push_back(std::move(one));
  }
  std::ranges::stable_sort(out, {}, &Series::labels);
  return out;
}

}  // namespace precedent
