#include "telemetry/statistics/summary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace precedent {
namespace {

std::span<const Sample> within(std::span<const Sample> samples, Instant from, Instant to) {
  const auto begin = std::ranges::lower_bound(samples, from, {}, &Sample::at);
  const auto end = std::ranges::upper_bound(samples, to, {}, &Sample::at);
  return begin < end ? std::span(begin, end) : std::span<const Sample>();
}

}  // namespace

std::optional<Excursion> first_beyond(std::span<const Sample> samples, Instant from, Instant to,
                                      double low, double high) {
  for (const Sample& sample : within(samples, from, to)) {
    if (!std::isfinite(sample.value)) continue;
    if (high > 0 && sample.value > high * kClearFactor)
      return Excursion{sample.at, sample.value, high};
    if (low > 0 && sample.value < low / kClearFactor)
      return Excursion{sample.at, sample.value, low};
  }
  return std::nullopt;
}

double quantile_of(std::vector<double>& values, double quantile) {
  const double place = quantile * static_cast<double>(values.size() - 1);
  const auto below = static_cast<size_t>(place);
  std::ranges::nth_element(values, values.begin() + below);
  const double low = values[below];
  if (below + 1 == values.size()) return low;
  const double high = *std::ranges::min_element(values.begin() + below + 1, values.end());
  return low + (high - low) * (place - static_cast<double>(below));
}

double robust_deviation(std::vector<double> values, double centre) {
  for (double& value : values) value = std::abs(value - centre);
  return quantile_of(values, 0.5) / 0.6745;
}

std::optional<WindowSummary> summarize(std::span<const Sample> samples, Instant from, Instant to) {
  WindowSummary out;
  std::vector<double> values;
  // Kahan's sum: a mean of many large numbers is exact to the digits that are shown.
  double sum = 0, lost = 0;
  for (const Sample& sample : within(samples, from, to)) {
    if (!std::isfinite(sample.value)) {
      ++out.not_a_number;
      continue;
    }
    if (values.empty() || sample.value < out.min) {
      out.min = sample.value;
      out.min_at = sample.at;
    }
    if (values.empty() || sample.value > out.max) {
      out.max = sample.value;
      out.max_at = sample.at;
    }
    out.last = sample.value;
    out.last_at = sample.at;
    const double addend = sample.value - lost;
    const double next = sum + addend;
    lost = (next - sum) - addend;
    sum = next;
    values.push_back(sample.value);
  }
  if (values.empty()) return std::nullopt;
  out.points = values.size();
  out.mean = sum / static_cast<double>(values.size());
  out.p95 = quantile_of(values, 0.95);
  return out;
}

namespace {

// Of `pieces` equal pieces of the window, the one in which this moment lies.
size_t piece_of(Instant at, Instant from, Instant to, size_t pieces) {
  const int64_t of = static_cast<int64_t>(pieces);
  return std::min(pieces - 1, static_cast<size_t>((at - from).count() * of / (to - from).count()));
}

}  // namespace

std::vector<double> chart_points(std::span<const Sample> samples, Instant from, Instant to,
                                 double usual, size_t pieces) {
  if (to <= from) return {};
  std::vector<double> points(pieces, std::numeric_limits<double>::quiet_NaN());
  bool any = false;
  for (const Sample& sample : within(samples, from, to)) {
    if (!std::isfinite(sample.value)) continue;
    double& point = points[piece_of(sample.at, from, to, pieces)];
    if (std::isnan(point) || std::abs(sample.value - usual) > std::abs(point - usual))
      point = sample.value;
    any = true;
  }
  return any ? points : std::vector<double>{};
}

std::string sparkline(std::span<const Sample> samples, Instant from, Instant to, size_t width) {
  constexpr std::array<const char*, 8> kBars = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  if (to <= from) return "";
  std::vector<double> sums(width), counts(width);
  for (const Sample& sample : within(samples, from, to)) {
    if (!std::isfinite(sample.value)) continue;
    const size_t piece = piece_of(sample.at, from, to, width);
    sums[piece] += sample.value;
    counts[piece] += 1;
  }
  std::optional<double> low, high;
  for (size_t i = 0; i < width; ++i) {
    if (counts[i] == 0) continue;
    sums[i] /= counts[i];
    low = std::min(low.value_or(sums[i]), sums[i]);
    high = std::max(high.value_or(sums[i]), sums[i]);
  }
  if (!low) return "";
  std::string out;
  for (size_t i = 0; i < width; ++i) {
    // Level lines stay at the bottom.
    const double height = *high > *low ? (sums[i] - *low) / (*high - *low) : 0;
    out += counts[i] == 0 ? "·" : kBars[std::min<size_t>(7, static_cast<size_t>(height * 8))];
  }
  return out;
}

}  // namespace precedent
