#include "telemetry/promql/promql_functions.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "telemetry/metrics/evaluate.h"

namespace precedent {
namespace {

using Seconds = std::chrono::duration<double>;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A sum that carries what rounding took from it (Neumaier, 1974).
struct CarefulSum {
  double sum = 0, carried = 0;

  void add(double value) {
    const double next = sum + value;
    if (std::isinf(next))
      carried = 0;
    else
      carried += std::abs(sum) >= std::abs(value) ? (sum - next) + value : (value - next) + sum;
    sum = next;
  }
  double total() const { return std::isinf(sum) ? sum : sum + carried; }
};

// --- Over a range.

std::optional<double> increase(const RangeView& view) {
  return extrapolated(view.samples, view.from, view.to, Counting::kCounter);
}
std::optional<double> rate(const RangeView& view) {
  const auto value = increase(view);
  if (!value) return std::nullopt;
  return *value / Seconds(view.to - view.from).count();
}
std::optional<double> delta(const RangeView& view) {
  return extrapolated(view.samples, view.from, view.to, Counting::kGauge);
}

// The difference of the last two; a counter that fell began at 0.
std::optional<double> last_step(const RangeView& view, bool is_rate) {
  if (view.samples.size() < 2) return std::nullopt;
  const Sample& last = view.samples.back();
  const Sample& before = view.samples[view.samples.size() - 2];
  const bool reset = is_rate && last.value < before.value;
  const double step = reset ? last.value : last.value - before.value;
  return is_rate ? step / Seconds(last.at - before.at).count() : step;
}
std::optional<double> irate(const RangeView& view) { return last_step(view, true); }
std::optional<double> idelta(const RangeView& view) { return last_step(view, false); }

std::optional<double> sum(const RangeView& view) {
  CarefulSum total;
  for (const Sample& sample : view.samples) total.add(sample.value);
  return total.total();
}

// Taken step by step, so that a sum of large values does not overflow.
std::optional<double> avg(const RangeView& view) {
  CarefulSum mean;
  double count = 0;
  for (const Sample& sample : view.samples) {
    count += 1;
    if (std::isinf(mean.sum)) {
      const bool same = std::isinf(sample.value) && (mean.sum > 0) == (sample.value > 0);
      if (same || std::isfinite(sample.value)) continue;
    }
    mean.add(sample.value / count - mean.sum / count);
  }
  return mean.total();
}

std::optional<double> min(const RangeView& view) {
  double out = view.samples[0].value;
  for (const Sample& sample : view.samples)
    if (sample.value < out || std::isnan(out)) out = sample.value;
  return out;
}
std::optional<double> max(const RangeView& view) {
  double out = view.samples[0].value;
  for (const Sample& sample : view.samples)
    if (sample.value > out || std::isnan(out)) out = sample.value;
  return out;
}
std::optional<double> count(const RangeView& view) {
  return static_cast<double>(view.samples.size());
}
std::optional<double> last(const RangeView& view) { return view.samples.back().value; }
std::optional<double> present(const RangeView&) { return 1; }

std::optional<double> variance(const RangeView& view) {
  CarefulSum mean, squares;
  double count = 0;
  for (const Sample& sample : view.samples) {
    count += 1;
    const double distance = sample.value - mean.total();
    mean.add(distance / count);
    squares.add(distance * (sample.value - mean.total()));
  }
  return squares.total() / count;
}
std::optional<double> deviation(const RangeView& view) { return std::sqrt(*variance(view)); }

std::optional<double> quantile(const RangeView& view) {
  std::vector<double> values;
  for (const Sample& sample : view.samples) values.push_back(sample.value);
  return value_quantile(view.parameters[0], std::move(values));
}

std::optional<double> changes(const RangeView& view) {
  double out = 0;
  for (size_t i = 1; i < view.samples.size(); ++i) {
    const double a = view.samples[i - 1].value, b = view.samples[i].value;
    if (a != b && !(std::isnan(a) && std::isnan(b))) out += 1;
  }
  return out;
}
std::optional<double> resets(const RangeView& view) {
  double out = 0;
  for (size_t i = 1; i < view.samples.size(); ++i)
    if (view.samples[i].value < view.samples[i - 1].value) out += 1;
  return out;
}

struct Line {
  double slope, intercept;
};
// Least squares; the intercept is at `zero`.
Line fitted_line(std::span<const Sample> samples, Instant zero) {
  const double first = samples[0].value;
  const bool level = std::ranges::all_of(
      samples.subspan(1), [&](const Sample& sample) { return sample.value == first; });
  if (level) return std::isinf(first) ? Line{kNan, kNan} : Line{0, first};
  CarefulSum x, y, xy, xx;
  for (const Sample& sample : samples) {
    const double at = Seconds(sample.at - zero).count();
    x.add(at);
    y.add(sample.value);
    xy.add(at * sample.value);
    xx.add(at * at);
  }
  const double n = static_cast<double>(samples.size());
  const double slope =
      (xy.total() - x.total() * y.total() / n) / (xx.total() - x.total() * x.total() / n);
  return {slope, y.total() / n - slope * x.total() / n};
}
std::optional<double> deriv(const RangeView& view) {
  if (view.samples.size() < 2) return std::nullopt;
  return fitted_line(view.samples, view.samples[0].at).slope;
}
std::optional<double> predict_linear(const RangeView& view) {
  if (view.samples.size() < 2) return std::nullopt;
  const Line line = fitted_line(view.samples, view.to);
  return line.slope * view.parameters[0] + line.intercept;
}

// --- Over values. NaN goes through, but for an infinity that wins whatever the other is.

double larger(double a, double b) {
  if (a == kInfinity || b == kInfinity) return kInfinity;
  return std::isnan(a) || std::isnan(b) ? kNan : std::max(a, b);
}
double smaller(double a, double b) {
  if (a == -kInfinity || b == -kInfinity) return -kInfinity;
  return std::isnan(a) || std::isnan(b) ? kNan : std::min(a, b);
}

using Parameters = std::span<const double>;

std::optional<double> clamp(double value, Parameters bounds) {
  if (bounds[1] < bounds[0]) return std::nullopt;
  return larger(bounds[0], smaller(bounds[1], value));
}
std::optional<double> clamp_min(double value, Parameters bound) { return larger(bound[0], value); }
std::optional<double> clamp_max(double value, Parameters bound) { return smaller(bound[0], value); }
std::optional<double> round_to(double value, Parameters to) {
  // Times the inverse, which is exact of 0.1 where the division is not.
  const double inverse = 1 / (to.empty() ? 1 : to[0]);
  return std::floor(value * inverse + 0.5) / inverse;
}
std::optional<double> sign(double value, Parameters) {
  return value < 0 ? -1 : value > 0 ? 1 : value;
}
template <double (*function)(double)>
std::optional<double> plain(double value, Parameters) {
  return function(value);
}

const std::vector<PromFunction>& functions() {
  using enum PromType;
  using Special = PromFunction::Special;
  const auto over_range = [](std::string_view name, OverRange function,
                             std::vector<PromType> args = {kRange}) {
    return PromFunction{.name = name, .args = std::move(args), .over_range = function};
  };
  const auto over_value = [](std::string_view name, OverValue function,
                             std::vector<PromType> args = {kVector}) {
    return PromFunction{.name = name, .args = std::move(args), .over_value = function};
  };
  const auto special = [](std::string_view name, Special what, std::vector<PromType> args,
                          PromType returns = kVector, bool keeps_name = false) {
    return PromFunction{.name = name,
                        .args = std::move(args),
                        .returns = returns,
                        .special = what,
                        .keeps_name = keeps_name};
  };
  static const std::vector<PromFunction> kFunctions = [&] {
    std::vector<PromFunction> all = {
        over_value("abs", plain<std::fabs>),
        over_range("avg_over_time", avg),
        over_value("ceil", plain<std::ceil>),
        over_range("changes", changes),
        over_value("clamp", clamp, {kVector, kScalar, kScalar}),
        over_value("clamp_max", clamp_max, {kVector, kScalar}),
        over_value("clamp_min", clamp_min, {kVector, kScalar}),
        over_range("count_over_time", count),
        over_range("delta", delta),
        over_range("deriv", deriv),
        over_value("exp", plain<std::exp>),
        over_value("floor", plain<std::floor>),
        over_range("idelta", idelta),
        over_range("increase", increase),
        over_range("irate", irate),
        over_value("ln", plain<std::log>),
        over_value("log10", plain<std::log10>),
        over_value("log2", plain<std::log2>),
        over_range("max_over_time", max),
        over_range("min_over_time", min),
        over_range("predict_linear", predict_linear, {kRange, kScalar}),
        over_range("present_over_time", present),
        over_range("quantile_over_time", quantile, {kScalar, kRange}),
        over_range("rate", rate),
        over_range("resets", resets),
        over_value("sgn", sign),
        over_value("sqrt", plain<std::sqrt>),
        over_range("stddev_over_time", deviation),
        over_range("stdvar_over_time", variance),
        over_range("sum_over_time", sum),
        special("absent", Special::kAbsent, {kVector}),
        special("absent_over_time", Special::kAbsentOverTime, {kRange}),
        special("histogram_quantile", Special::kHistogramQuantile, {kScalar, kVector}),
        special("label_replace", Special::kLabelReplace,
                {kVector, kString, kString, kString, kString}, kVector, true),
        special("scalar", Special::kScalar, {kVector}, kScalar),
        special("sort", Special::kSort, {kVector}, kVector, true),
        special("sort_desc", Special::kSort, {kVector}, kVector, true),
        special("time", Special::kTime, {}, kScalar),
        special("timestamp", Special::kTimestamp, {kVector}),
        special("vector", Special::kVector, {kScalar}),
    };
    PromFunction round = over_value("round", round_to, {kVector, kScalar});
    round.optional_args = 1;
    all.push_back(std::move(round));
    PromFunction last_over_time = over_range("last_over_time", last);
    last_over_time.keeps_name = true;
    all.push_back(std::move(last_over_time));
    PromFunction join = special("label_join", Special::kLabelJoin,
                                {kVector, kString, kString, kString}, kVector, true);
    join.repeats_last = true;
    all.push_back(std::move(join));
    std::ranges::sort(all, {}, &PromFunction::name);
    return all;
  }();
  return kFunctions;
}

}  // namespace

const PromFunction* find_prom_function(std::string_view name) {
  const auto found = std::ranges::lower_bound(functions(), name, {}, &PromFunction::name);
  return found == functions().end() || found->name != name ? nullptr : &*found;
}

std::vector<std::string> prom_function_names() {
  std::vector<std::string> names;
  for (const PromFunction& function : functions()) names.emplace_back(function.name);
  return names;
}

double value_quantile(double quantile, std::vector<double> values) {
  if (values.empty() || std::isnan(quantile)) return kNan;
  if (quantile < 0) return -kInfinity;
  if (quantile > 1) return kInfinity;
  // NaN is the smallest.
  std::ranges::sort(values,
                    [](double a, double b) { return a < b || (std::isnan(a) && !std::isnan(b)); });
  const double rank = quantile * static_cast<double>(values.size() - 1);
  const auto below = static_cast<size_t>(std::floor(rank));
  const size_t above = std::min(values.size() - 1, below + 1);
  const double weight = rank - std::floor(rank);
  return values[below] * (1 - weight) + values[above] * weight;
}

}  // namespace precedent
