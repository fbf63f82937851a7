#include "telemetry/promql/promql_aggregate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "telemetry/promql/promql_functions.h"

namespace precedent {
namespace {

LabelSet group_of(const LabelSet& labels, const PromAggregation& aggregation) {
  LabelSet out;
  for (const auto& [label, value] : labels) {
    const bool listed = std::ranges::find(aggregation.labels, label) != aggregation.labels.end();
    const bool stays = aggregation.without ? !listed && label != kNameLabel : listed;
    if (stays && !value.empty()) out.emplace(label, value);
  }
  return out;
}

// One group at one point, fed value by value.
class Running {
 public:
  void add(PromAggregator aggregator, double value) {
    count_ += 1;
    switch (aggregator) {
      case PromAggregator::kSum: value_ = count_ == 1 ? value : value_ + value; break;
      case PromAggregator::kAvg: add_to_mean(value); break;
      case PromAggregator::kMin:
        if (count_ == 1 || value < value_ || std::isnan(value_)) value_ = value;
        break;
      case PromAggregator::kMax:
        if (count_ == 1 || value > value_ || std::isnan(value_)) value_ = value;
        break;
      case PromAggregator::kCount: value_ = count_; break;
      case PromAggregator::kGroup: value_ = 1; break;
      case PromAggregator::kStddev:
      case PromAggregator::kStdvar: add_to_variance(value); break;
      case PromAggregator::kTopk:
      case PromAggregator::kBottomk:
      case PromAggregator::kQuantile: break;
    }
  }
  bool any() const { return count_ > 0; }
  double result(PromAggregator aggregator) const {
    if (aggregator == PromAggregator::kStdvar) return squares_ / count_;
    if (aggregator == PromAggregator::kStddev) return std::sqrt(squares_ / count_);
    return value_;
  }

 private:
  // Step by step, so that a sum of large values does not overflow.
  void add_to_mean(double value) {
    if (std::isinf(value_)) {
      const bool same = std::isinf(value) && (value_ > 0) == (value > 0);
      if (same || std::isfinite(value)) return;
    }
    value_ += value / count_ - value_ / count_;
  }
  void add_to_variance(double value) {
    // One value does not vary, whatever it is: not even NaN.
    if (count_ == 1) {
      value_ = value;
      return;
    }
    const double distance = value - value_;
    value_ += distance / count_;
    squares_ += distance * (value - value_);
  }

  double count_ = 0;
  double value_ = 0;
  double squares_ = 0;
};

struct Member {
  size_t column;
  double value;
};

// Of every point, as in Prometheus: also where there are no series to choose from.
Result<void> check_counts(std::span<const double> counts) {
  for (const double k : counts)
    if (std::isnan(k) || std::abs(k) > 9e18)
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("is asked for {} series; write a whole number", k));
  return {};
}

class Aggregating {
 public:
  Aggregating(const PromAggregation& aggregation, const PromMatrix& matrix,
              std::span<const double> parameter, size_t points)
      : aggregation_(aggregation), matrix_(matrix), parameter_(parameter), points_(points) {
    std::map<LabelSet, size_t> places;
    for (size_t i = 0; i < matrix.size(); ++i) {
      LabelSet labels = group_of(matrix[i].labels, aggregation);
      const auto [place, fresh] = places.try_emplace(labels, groups_.size());
      if (fresh) groups_.push_back({std::move(labels), {}});
      groups_[place->second].columns.push_back(i);
    }
  }
  size_t groups() const { return groups_.size(); }

  PromMatrix running() const {
    PromMatrix out;
    for (const Group& group : groups_) {
      std::vector<Running> points(points_);
      for (const size_t column : group.columns)
        for (size_t point = 0; point < points_; ++point)
          if (matrix_[column].has(point))
            points[point].add(aggregation_.aggregator, matrix_[column].values[point]);
      PromColumn& made = out.emplace_back(group.labels, points_);
      for (size_t point = 0; point < points_; ++point)
        if (points[point].any()) made.values[point] = points[point].result(aggregation_.aggregator);
    }
    return out;
  }

  PromMatrix quantiles() const {
    PromMatrix out;
    for (const Group& group : groups_) {
      PromColumn& made = out.emplace_back(group.labels, points_);
      for (size_t point = 0; point < points_; ++point) {
        std::vector<double> values;
        for (const Member& member : members(group, point)) values.push_back(member.value);
        if (!values.empty())
          made.values[point] = value_quantile(parameter_[point], std::move(values));
      }
    }
    return out;
  }

  // The highest or lowest of each group at each point, with all their labels. NaN comes last.
  Result<PromMatrix> topmost() const {
    TRY(check_counts(parameter_));
    PromMatrix out;
    for (const PromColumn& column : matrix_) out.emplace_back(column.labels, points_);
    const bool top = aggregation_.aggregator == PromAggregator::kTopk;
    const auto before = [top](const Member& a, const Member& b) {
      if (std::isnan(a.value) || std::isnan(b.value))
        return !std::isnan(a.value) && std::isnan(b.value);
      return top ? a.value > b.value : a.value < b.value;
    };
    for (const Group& group : groups_)
      for (size_t point = 0; point < points_; ++point) {
        std::vector<Member> all = members(group, point);
        std::ranges::stable_sort(all, before);
        const double k = std::min(parameter_[point], static_cast<double>(all.size()));
        all.resize(k < 1 ? 0 : static_cast<size_t>(k));
        for (const Member& member : all) out[member.column].values[point] = member.value;
      }
    return out;
  }

 private:
  struct Group {
    LabelSet labels;
    std::vector<size_t> columns;
  };

  std::vector<Member> members(const Group& group, size_t point) const {
    std::vector<Member> out;
    for (const size_t column : group.columns)
      if (matrix_[column].has(point)) out.push_back({column, matrix_[column].values[point]});
    return out;
  }

  const PromAggregation& aggregation_;
  const PromMatrix& matrix_;
  std::span<const double> parameter_;
  size_t points_;
  std::vector<Group> groups_;
};

}  // namespace

Result<PromMatrix> aggregate(const PromAggregation& aggregation, const PromMatrix& matrix,
                             std::span<const double> parameter, size_t points, PromBudget& budget) {
  const Aggregating work(aggregation, matrix, parameter, points);
  switch (aggregation.aggregator) {
    case PromAggregator::kTopk:
    case PromAggregator::kBottomk:
      TRY(budget.make(matrix.size(), points));
      return united(TRY(work.topmost()));
    case PromAggregator::kQuantile:
      TRY(budget.make(work.groups(), points));
      return united(work.quantiles());
    default: TRY(budget.make(work.groups(), points)); return united(work.running());
  }
}

}  // namespace precedent
