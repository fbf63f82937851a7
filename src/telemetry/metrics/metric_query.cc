#include "telemetry/metrics/metric_query.h"

#include <fmt/format.h>

#include <array>
#include <span>

#include "base/ascii.h"
#include "base/strings.h"

namespace precedent {
namespace {

using std::chrono::seconds;

constexpr std::array<std::string_view, 5> kStatistics = {"value", "rate", "increase", "quantile",
                                                         "ratio"};
constexpr std::array<std::string_view, 5> kAggregations = {"sum", "avg", "min", "max", "count"};
constexpr std::pair<char, int64_t> kUnits[] = {
    {'w', 604800}, {'d', 86400}, {'h', 3600}, {'m', 60}, {'s', 1}};
// Nobody keeps samples for longer.
constexpr int64_t kMaxSeconds = 10LL * 366 * 86400;

template <typename Enum, size_t n>
std::optional<Enum> enum_of(const std::array<std::string_view, n>& names, std::string_view text) {
  for (size_t i = 0; i < n; ++i)
    if (names[i] == text) return static_cast<Enum>(i);
  return std::nullopt;
}

std::string_view sign(LabelFilter::Op op) {
  switch (op) {
    case LabelFilter::Op::kEqual: return "=";
    case LabelFilter::Op::kNotEqual: return "!=";
    case LabelFilter::Op::kMatches: return "=~";
    case LabelFilter::Op::kNotMatches: return "!~";
  }
  return "=";
}

std::string grouped(Aggregation aggregation, const std::vector<std::string>& by,
                    std::string_view expression) {
  if (by.empty()) return fmt::format("{}({})", name(aggregation), expression);
  return fmt::format("{} by ({}) ({})", name(aggregation), join(by, ", "), expression);
}

std::string over_range(std::string_view function, const Selector& selector, seconds range) {
  return fmt::format("{}({}[{}])", function, to_promql(selector), format_duration(range));
}

}  // namespace

std::string_view name(Statistic statistic) { return kStatistics[static_cast<size_t>(statistic)]; }
std::string_view name(Aggregation aggregation) {
  return kAggregations[static_cast<size_t>(aggregation)];
}
std::optional<Statistic> statistic_of(std::string_view name) {
  return enum_of<Statistic>(kStatistics, name);
}
std::optional<Aggregation> aggregation_of(std::string_view name) {
  return enum_of<Aggregation>(kAggregations, name);
}

std::string to_text(const LabelFilter& filter) {
  return fmt::format("{}{}{}", filter.label, sign(filter.op), quote(filter.value));
}

std::string to_promql(const Selector& selector) {
  std::vector<std::string> filters;
  for (const LabelFilter& filter : selector.filters) filters.push_back(to_text(filter));
  if (filters.empty()) return selector.metric;
  return fmt::format("{}{{{}}}", selector.metric, join(filters, ","));
}

std::string to_promql(const MetricQuery& query) {
  switch (query.statistic) {
    case Statistic::kValue: return grouped(query.aggregation, query.by, to_promql(query.of));
    case Statistic::kRate:
    case Statistic::kIncrease:
      return grouped(query.aggregation, query.by,
                     over_range(name(query.statistic), query.of, query.range));
    case Statistic::kQuantile: {
      std::vector<std::string> by = {"le"};
      by.insert(by.end(), query.by.begin(), query.by.end());
      const Selector buckets{query.of.metric + "_bucket", query.of.filters};
      return fmt::format("histogram_quantile({}, {})", query.quantile,
                         grouped(Aggregation::kSum, by, over_range("rate", buckets, query.range)));
    }
    case Statistic::kRatio: {
      const auto rate = [&](const Selector& selector) {
        return grouped(Aggregation::kSum, query.by, over_range("rate", selector, query.range));
      };
      const std::string over = rate(query.over);
      return fmt::format("({} or 0 * {}) / {}", rate(query.of), over, over);
    }
  }
  return "";
}

std::string format_duration(seconds duration) {
  std::string out;
  int64_t rest = duration.count();
  // Weeks are written as days: "14d" is read faster.
  for (const auto& [unit, size] : std::span(kUnits).subspan(1)) {
    if (rest / size == 0) continue;
    out += fmt::format("{}{}", rest / size, unit);
    rest %= size;
  }
  return out.empty() ? "0s" : out;
}

std::optional<seconds> duration_of(std::string_view text) {
  int64_t total = 0;
  if (text.empty()) return std::nullopt;
  while (!text.empty()) {
    int64_t number = 0;
    size_t digits = 0;
    for (; digits < text.size() && is_digit(text[digits]); ++digits) {
      number = number * 10 + (text[digits] - '0');
      if (number > kMaxSeconds) return std::nullopt;
    }
    if (digits == 0 || digits == text.size()) return std::nullopt;
    int64_t size = 0;
    for (const auto& [unit, seconds_in_it] : kUnits)
      if (text[digits] == unit) size = seconds_in_it;
    total += number * size;
    if (size == 0 || total > kMaxSeconds) return std::nullopt;
    text.remove_prefix(digits + 1);
  }
  return seconds(total);
}

}  // namespace precedent
