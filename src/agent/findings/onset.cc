#include "agent/findings/onset.h"

#include <re2/re2.h>

#include <algorithm>

namespace precedent {

double factor_between(double before, double after) {
  if (before <= 0 || after <= 0) return before == after ? 1 : 1e6;
  return after > before ? after / before : before / after;
}

namespace {

// By how much farther another metric must have gone to lead before the one that was planned first.
constexpr double kFarWorse = 10;

// What is good when it is high: whichever way it went may be what is asked about.
bool is_good_high(const MetricsResult& metric) {
  static const RE2 kGood("(?i)hit|throughput|success|availab|requests|uptime|headroom|free");
  return RE2::PartialMatch(metric.metric, kGood);
}

bool is_in(Direction direction, double before, double after) {
  return direction == Direction::kAny || (direction == Direction::kUp) == (after > before);
}

double factor(const Episode& episode) { return factor_between(episode.usual, episode.peak); }

// The one in that direction that went farthest.
const Episode* farthest(const MetricsResult& metric, Direction direction) {
  const Episode* best = nullptr;
  for (const Episode& episode : metric.episodes)
    if (is_in(direction, episode.usual, episode.peak) &&
        (best == nullptr || factor(episode) > factor(*best)))
      best = &episode;
  return best;
}

// Whether the level changed into an episode that lasts, which may be spiky at first: then the
// change tells it, with both levels.
bool begins(const ChangePoint& change, const Episode& episode) {
  return !episode.until && (change.after > change.before) == episode.above() &&
         factor_between(episode.usual, change.after) >= kMovedFactor;
}

// From what, and to what.
std::pair<double, double> move_of(const Onset& onset) {
  if (onset.change) return {onset.change->before, onset.change->after};
  if (onset.episode) return {onset.episode->usual, onset.episode->peak};
  return {onset.first->bound, onset.first->value};
}

double factor(const Onset& onset) {
  const auto [before, after] = move_of(onset);
  return factor_between(before, after);
}

// More errors, longer times, a fuller system; or less of what is good when it is high.
bool hurts(const Onset& onset) {
  const auto [before, after] = move_of(onset);
  return (after > before) != is_good_high(*onset.metric);
}

// What a metric did, with `first` alone if its level did not change and it was not beyond what is
// usual.
std::optional<Onset> onset_of(const Receipt& receipt, const MetricsResult* metric,
                              Direction direction) {
  const ChangePoint* largest = nullptr;
  for (const ChangePoint& change : metric->changes) {
    if (change.at < metric->from || !is_in(direction, change.before, change.after)) continue;
    if (factor_between(change.before, change.after) < kMovedFactor) continue;
    if (largest == nullptr || factor_between(change.before, change.after) >
                                  factor_between(largest->before, largest->after))
      largest = &change;
  }
  // What is over after an hour is no level; but it is what people ask about.
  if (const Episode* episode = farthest(*metric, direction);
      episode != nullptr &&
      (largest == nullptr || (!begins(*largest, *episode) &&
                              factor(*episode) > factor_between(largest->before, largest->after))))
    return Onset{&receipt, metric, std::nullopt, std::nullopt, *episode};
  std::optional<Excursion> first = metric->first_unusual;
  if (first && !is_in(direction, first->bound, first->value)) first.reset();
  if (largest != nullptr) {
    Onset onset{&receipt, metric, *largest, std::nullopt};
    const bool rises = largest->after > largest->before;
    if (first && first->at < largest->at && (first->value > first->bound) == rises)
      onset.first = first;
    return onset;
  }
  if (first) return Onset{&receipt, metric, std::nullopt, first};
  return std::nullopt;
}

}  // namespace

std::optional<Onset> find_onset(const std::vector<Receipt>& receipts, const Concerns& concerns,
                                Direction asked) {
  std::optional<Onset> best, spikes;
  for (const Receipt& receipt : receipts) {
    const auto* metric = std::get_if<MetricsResult>(&receipt.result);
    if (metric == nullptr || !metric->summary || !concerns(*metric, receipt)) continue;
    const std::optional<Onset> onset =
        onset_of(receipt, metric, is_good_high(*metric) ? Direction::kAny : asked);
    if (!onset) continue;
    const bool moved = onset->change || onset->episode;
    // A value or two that are better than ever are nothing to look into.
    if (!moved && !spikes && (asked != Direction::kAny || hurts(*onset))) spikes = onset;
    if (!moved) continue;
    if (asked != Direction::kAny) return onset;
    // Where the question does not say which, what hurts comes before what else moved: the one that
    // was planned first, unless another is far worse.
    const bool worse =
        best && hurts(*onset) && (!hurts(*best) || factor(*onset) >= kFarWorse * factor(*best));
    if (!best || worse) best = onset;
  }
  return best ? best : spikes;
}

}  // namespace precedent
