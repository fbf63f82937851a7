#include "telemetry/promql/promql_binary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "base/utf8.h"

namespace precedent {
namespace {

using Many = PromBinary::Many;
constexpr size_t kShownLabels = 200;

bool is_in(const std::vector<std::string>& labels, std::string_view label) {
  return std::ranges::find(labels, label) != labels.end();
}

// Lengths go before the texts, so that no value can look like two.
void append(std::string& key, std::string_view text) {
  key += std::to_string(text.size());
  key += ':';
  key += text;
}

// What must be the same of two series that meet.
std::string match_key(const LabelSet& labels, const PromBinary& binary) {
  std::string key;
  if (binary.on) {
    for (const std::string& label : binary.labels) {
      const auto found = labels.find(label);
      append(key, found == labels.end() ? std::string_view() : found->second);
    }
    return key;
  }
  for (const auto& [label, value] : labels) {
    if (label == kNameLabel || is_in(binary.labels, label)) continue;
    append(key, label);
    append(key, value);
  }
  return key;
}

// Series that may meet, by their key.
struct Group {
  std::vector<const PromColumn*> left, right;
};
struct Groups {
  std::unordered_map<std::string, size_t> places;
  std::vector<Group> all;

  Group& of(const PromColumn& column, const PromBinary& binary) {
    const auto [place, fresh] = places.try_emplace(match_key(column.labels, binary), all.size());
    if (fresh) all.emplace_back();
    return all[place->second];
  }
};

Groups grouped(const PromBinary& binary, const PromMatrix& left, const PromMatrix& right) {
  Groups groups;
  for (const PromColumn& column : left) groups.of(column, binary).left.push_back(&column);
  for (const PromColumn& column : right) groups.of(column, binary).right.push_back(&column);
  return groups;
}

std::vector<bool> where_any(std::span<const PromColumn* const> columns, size_t points) {
  std::vector<bool> any(points);
  for (const PromColumn* column : columns)
    for (size_t point = 0; point < points; ++point)
      if (column->has(point)) any[point] = true;
  return any;
}

// The columns, where `where` is `wanted`.
void keep_where(std::span<const PromColumn* const> columns, const std::vector<bool>& where,
                bool wanted, PromMatrix& out) {
  for (const PromColumn* column : columns) {
    PromColumn& kept = out.emplace_back(*column);
    for (size_t point = 0; point < where.size(); ++point)
      if (where[point] != wanted) kept.values[point] = stale_marker();
  }
}

PromMatrix set_operation(const PromBinary& binary, const Groups& groups, size_t points) {
  PromMatrix out;
  // What is left comes first, as in Prometheus.
  for (const Group& group : groups.all) {
    if (binary.op == PromOp::kOr)
      keep_where(group.left, std::vector<bool>(points, true), true, out);
    else
      keep_where(group.left, where_any(group.right, points), binary.op == PromOp::kAnd, out);
  }
  if (binary.op == PromOp::kOr)
    for (const Group& group : groups.all)
      keep_where(group.right, where_any(group.left, points), false, out);
  return out;
}

bool drops_name(const PromBinary& binary) { return !is_comparison(binary.op) || binary.as_bool; }

LabelSet labels_of(const PromBinary& binary, const LabelSet& many, const LabelSet& one) {
  LabelSet labels = drops_name(binary) ? without_name(many) : many;
  if (binary.many == Many::kNeither)
    std::erase_if(
        labels, [&](const auto& entry) { return is_in(binary.labels, entry.first) != binary.on; });
  for (const std::string& label : binary.include) {
    const auto found = one.find(label);
    if (found == one.end() || found->second.empty())
      labels.erase(label);
    else
      labels[label] = found->second;
  }
  return labels;
}

// What a comparison or an arithmetic operation gives; nothing where a filter drops it.
std::optional<double> outcome(const PromBinary& binary, double left, double right, double kept) {
  const double value = combine(binary.op, left, right);
  if (!is_comparison(binary.op) || binary.as_bool) return value;
  return value != 0 ? std::optional(kept) : std::nullopt;
}

class Matching {
 public:
  Matching(const PromBinary& binary, const PromMatrix& left, const PromMatrix& right, size_t points)
      : binary_(binary), swapped_(binary.many == Many::kRight), points_(points) {
    // From here on the left side is the one that may have many.
    groups_ = swapped_ ? grouped(binary, right, left) : grouped(binary, left, right);
    std::vector<const PromColumn*> many;
    for (const PromColumn& column : swapped_ ? right : left) many.push_back(&column);
    any_many_ = where_any(many, points);
  }

  Result<PromMatrix> run(PromBudget& budget) {
    for (const Group& group : groups_.all) {
      const std::vector<const PromColumn*> ones = TRY(partners(group));
      TRY(budget.make(group.left.size(), points_));
      std::vector<bool> met(points_);
      for (const PromColumn* many : group.left) TRY(meet(*many, ones, met));
    }
    return std::move(out_);
  }

 private:
  // At each point the series of the side with one, or null.
  Result<std::vector<const PromColumn*>> partners(const Group& group) const {
    std::vector<const PromColumn*> ones(points_);
    for (const PromColumn* one : group.right)
      for (size_t point = 0; point < points_; ++point) {
        if (!one->has(point)) continue;
        // With nothing on the other side nothing is matched, and Prometheus does not look.
        if (ones[point] != nullptr && any_many_[point])
          return fail(ErrorCode::kInvalidArgument,
                      fmt::format("finds several series on its {} side for one match: {} and {}; "
                                  "aggregate that side with by (), or match by more labels with on "
                                  "()",
                                  swapped_ ? "left" : "right", shown(*ones[point]), shown(*one)));
        ones[point] = one;
      }
    return ones;
  }

  Result<void> meet(const PromColumn& many, std::span<const PromColumn* const> ones,
                    std::vector<bool>& met) {
    std::map<const PromColumn*, size_t> places;
    for (size_t point = 0; point < points_; ++point) {
      if (ones[point] == nullptr || !many.has(point)) continue;
      double left = many.values[point], right = ones[point]->values[point];
      if (swapped_) std::swap(left, right);
      const auto value = outcome(binary_, left, right, left);
      if (!value) continue;
      if (binary_.many == Many::kNeither && met[point])
        return fail(ErrorCode::kInvalidArgument,
                    fmt::format("finds several series on its left side for one on the right, one "
                                "of them {}; write group_left after on () or ignoring (), or "
                                "aggregate the left side",
                                shown(many)));
      met[point] = true;
      // Without labels taken over, it does not matter which one was met.
      const PromColumn* key = binary_.include.empty() ? nullptr : ones[point];
      const auto [place, fresh] = places.try_emplace(key, out_.size());
      if (fresh) out_.emplace_back(labels_of(binary_, many.labels, ones[point]->labels), points_);
      out_[place->second].values[point] = *value;
    }
    return {};
  }

  static std::string shown(const PromColumn& column) {
    return std::string(utf8_prefix(format_labels(column.labels), kShownLabels));
  }

  const PromBinary& binary_;
  bool swapped_;
  size_t points_;
  Groups groups_;
  std::vector<bool> any_many_;
  PromMatrix out_;
};

}  // namespace

double combine(PromOp op, double left, double right) {
  switch (op) {
    case PromOp::kAdd: return left + right;
    case PromOp::kSubtract: return left - right;
    case PromOp::kMultiply: return left * right;
    case PromOp::kDivide: return left / right;
    case PromOp::kModulo: return std::fmod(left, right);
    case PromOp::kPower: return std::pow(left, right);
    case PromOp::kAtan2: return std::atan2(left, right);
    case PromOp::kEqual: return left == right;
    case PromOp::kNotEqual: return left != right;
    case PromOp::kLess: return left < right;
    case PromOp::kLessEqual: return left <= right;
    case PromOp::kGreater: return left > right;
    case PromOp::kGreaterEqual: return left >= right;
    case PromOp::kAnd:
    case PromOp::kOr:
    case PromOp::kUnless: break;
  }
  return 0;
}

Result<PromMatrix> combine(const PromBinary& binary, const PromMatrix& left,
                           const PromMatrix& right, size_t points, PromBudget& budget) {
  if (!is_set_operation(binary.op))
    return united(TRY(Matching(binary, left, right, points).run(budget)));
  TRY(budget.make(left.size() + right.size(), points));
  return united(set_operation(binary, grouped(binary, left, right), points));
}

Result<PromMatrix> combine(const PromBinary& binary, PromMatrix vector,
                           std::span<const double> scalar, bool scalar_left) {
  for (PromColumn& column : vector) {
    if (drops_name(binary)) column.labels = without_name(std::move(column.labels));
    for (size_t point = 0; point < scalar.size(); ++point) {
      if (!column.has(point)) continue;
      const double value = column.values[point];
      column.values[point] = outcome(binary, scalar_left ? scalar[point] : value,
                                     scalar_left ? value : scalar[point], value)
                                 .value_or(stale_marker());
    }
  }
  return united(std::move(vector));
}

}  // namespace precedent
