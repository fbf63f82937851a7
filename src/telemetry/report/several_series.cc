#include "telemetry/report/several_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "telemetry/metrics/evaluate.h"

namespace precedent {
namespace {

constexpr size_t kMaxTop = 5;

double mean_of(const Series& series, Instant from, Instant to) {
  const auto summary = summarize(series.samples, from, to);
  return summary ? summary->mean : 0;
}

std::string_view word_of(Aggregation aggregation) {
  switch (aggregation) {
    case Aggregation::kSum: return "sum";
    case Aggregation::kAvg: return "mean";
    case Aggregation::kMin: return "lowest";
    case Aggregation::kMax: return "highest";
    case Aggregation::kCount: return "number";
  }
  return "";
}

}  // namespace

const Series* most_changed(std::span<const Series> all, const AskedWindow& window, bool quantiles) {
  const Series* best = nullptr;
  double best_change = -1;
  for (const Series& series : all) {
    const bool is_new = !summarize(series.samples, window.before(), window.from);
    const double change = quantiles && is_new
                              ? 0
                              : std::abs(mean_of(series, window.from, window.to) -
                                         mean_of(series, window.before(), window.from));
    if (change > best_change) {
      best = &series;
      best_change = change;
    }
  }
  return best;
}

std::vector<TopSeries> contributions(std::span<const Series> all, const AskedWindow& window,
                                     bool adds_up) {
  double total = 0;
  std::vector<TopSeries> ranked;
  for (const Series& series : all) {
    const auto now = summarize(series.samples, window.from, window.to);
    const auto before = summarize(series.samples, window.before(), window.from);
    if (!now && !before) continue;
    TopSeries top{series.labels, now ? now->mean : 0, std::nullopt, std::nullopt};
    if (before) top.before = before->mean;
    total += top.mean;
    ranked.push_back(std::move(top));
  }
  const auto change = [](const TopSeries& top) {
    return std::abs(top.mean - top.before.value_or(0));
  };
  std::ranges::stable_sort(ranked, [&](const TopSeries& a, const TopSeries& b) {
    return std::pair(change(a), a.mean) > std::pair(change(b), b.mean);
  });
  if (ranked.size() > kMaxTop) ranked.resize(kMaxTop);
  for (TopSeries& top : ranked)
    if (adds_up && total > 0) top.share = top.mean / total;
  return ranked;
}

std::string combined_text(Aggregation aggregation, size_t series) {
  return fmt::format("{} of {} series", word_of(aggregation), series);
}

void tell_combined(std::span<const Series> each, const AskedWindow& window, Aggregation aggregation,
                   bool exact, MetricsResult& out) {
  std::optional<SeriesPeak> highest, lowest;
  size_t measured = 0;
  for (const Series& series : each) {
    const auto own = summarize(series.samples, window.from, window.to);
    if (!own) continue;
    ++measured;
    if (!highest || own->max > highest->value) highest = {series.labels, own->max, own->max_at};
    if (!lowest || own->min < lowest->value) lowest = {series.labels, own->min, own->min_at};
  }
  if (measured < 2) return;
  out.combined = combined_text(aggregation, measured);
  // Steps that are farther apart may miss the very highest; a number of series has no size.
  if (!exact || aggregation == Aggregation::kCount) return;
  out.highest = std::move(highest);
  out.lowest = std::move(lowest);
}

std::optional<double> highest_bound(std::span<const LabelSet> buckets, const LabelSet& labels) {
  std::optional<double> highest;
  for (const LabelSet& bucket : buckets) {
    const bool own = std::ranges::all_of(labels, [&](const auto& label) {
      const auto found = bucket.find(label.first);
      return found != bucket.end() && found->second == label.second;
    });
    const double bound = bucket_bound(bucket);
    if (own && std::isfinite(bound)) highest = std::max(highest.value_or(bound), bound);
  }
  return highest;
}

}  // namespace precedent
