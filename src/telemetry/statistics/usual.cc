#include "telemetry/statistics/usual.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include "telemetry/statistics/summary.h"

namespace precedent {
namespace {

// What happens every day does not happen to the minute.
constexpr std::chrono::hours kSlack{1};
// What one burst leaves in a rate over as long is a spike.
constexpr std::chrono::minutes kBurst{5};
// Samples within an episode that are as usual.
constexpr size_t kMaxGap = 2;
// A level that lies between these of the other day is of that day, too.
constexpr double kLowShare = 0.05, kHighShare = 0.95;
// The samples on either side of a change that say whether it came at once.
constexpr size_t kBeside = 5;
// The farthest whisker of a box plot.
constexpr double kFarOut = 3;

std::span<const Sample> within(std::span<const Sample> samples, Instant from, Instant to) {
  const auto begin = std::ranges::lower_bound(samples, from, {}, &Sample::at);
  const auto end = std::ranges::upper_bound(samples, to, {}, &Sample::at);
  return begin < end ? std::span(begin, end) : std::span<const Sample>();
}

void add_numbers(std::span<const Sample> samples, std::vector<double>& out) {
  for (const Sample& sample : samples)
    if (std::isfinite(sample.value)) out.push_back(sample.value);
}

std::vector<double> numbers(std::span<const Sample> samples) {
  std::vector<double> out;
  add_numbers(samples, out);
  return out;
}

// The extremes of a day about a time that only moves forward: O(n) for all times together.
class MovingBounds {
 public:
  explicit MovingBounds(const OtherDay& day) : day_(day) {}

  std::optional<ValueRange> at(Instant time) {
    const Instant then = time - day_.shift;
    for (; next_ < day_.samples.size() && day_.samples[next_].at <= then + kSlack; ++next_) {
      const Sample& sample = day_.samples[next_];
      if (!std::isfinite(sample.value)) continue;
      while (!high_.empty() && high_.back().value <= sample.value) high_.pop_back();
      while (!low_.empty() && low_.back().value >= sample.value) low_.pop_back();
      high_.push_back(sample);
      low_.push_back(sample);
    }
    while (!high_.empty() && high_.front().at < then - kSlack) high_.pop_front();
    while (!low_.empty() && low_.front().at < then - kSlack) low_.pop_front();
    if (high_.empty() || low_.empty()) return std::nullopt;
    return ValueRange{low_.front().value, high_.front().value};
  }

 private:
  const OtherDay& day_;
  size_t next_ = 0;
  std::deque<Sample> high_, low_;
};

std::optional<ValueRange> range_of(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  const auto [low, high] = std::ranges::minmax(values);
  return ValueRange{low, high};
}

std::optional<ValueRange> most_of(std::vector<double> values) {
  if (values.size() < 4) return std::nullopt;
  const double low = quantile_of(values, 0.25), high = quantile_of(values, 0.75);
  return ValueRange{low - kFarOut * (high - low), high + kFarOut * (high - low)};
}

struct Stretch {
  size_t first = 0, last = 0, samples = 0;
  double area = 0, farthest = 0;
};

// The largest stretch of samples for which `beyond` gives how far they are; 0 if they are not.
template <typename Beyond>
std::optional<Stretch> largest(std::span<const Sample> samples, size_t least,
                               const Beyond& beyond) {
  std::optional<Stretch> best, open;
  const auto close = [&] {
    const bool spike =
        open && least > 1 && samples[open->last].at - samples[open->first].at <= kBurst;
    if (open && open->samples >= least && !spike) {
      // What still lasts has not had its time yet.
      const bool lasts =
          open->last + 1 == samples.size() && best && 2 * open->farthest >= best->farthest;
      if (!best || lasts || open->area > best->area) best = open;
    }
    open.reset();
  };
  for (size_t i = 0; i < samples.size(); ++i) {
    const double distance = beyond(i);
    if (distance <= 0) continue;
    if (open && i - open->last > kMaxGap + 1) close();
    if (!open) open = Stretch{i, i, 0, 0, 0};
    open->last = i;
    ++open->samples;
    open->area += distance;
    open->farthest = std::max(open->farthest, distance);
  }
  close();
  return best;
}

double median_of(std::vector<double> values, double otherwise) {
  return values.empty() ? otherwise : quantile_of(values, 0.5);
}

// A level that lasted from one change to the next.
struct Level {
  Instant from{}, to{};
  double value = 0;
};

// What the other day was in that time; nothing if it is known of less than half of it.
std::vector<double> counterpart(const Level& level, std::span<const Sample> samples,
                                const OtherDay& day) {
  const Instant from = level.from - day.shift, to = level.to - day.shift;
  std::vector<double> then = numbers(within(day.samples, from, to));
  const size_t own = numbers(within(samples, level.from, level.to)).size();
  if (2 * then.size() < own) then.clear();
  return then;
}

// Whether the other day went the same way, or has both levels; nothing if it is not known.
std::optional<bool> shares(const OtherDay& day, const Level& before, const Level& after,
                           std::span<const Sample> samples) {
  std::vector<double> earlier = counterpart(before, samples, day);
  std::vector<double> later = counterpart(after, samples, day);
  if (earlier.empty() || later.empty()) return std::nullopt;
  const double moved = after.value - before.value;
  const double then = quantile_of(later, 0.5) - quantile_of(earlier, 0.5);
  if (then * moved > 0 && std::abs(then) >= std::abs(moved) / 2) return true;
  const auto has = [](std::vector<double>& values, double level) {
    return quantile_of(values, kLowShare) <= level && level <= quantile_of(values, kHighShare);
  };
  return has(earlier, before.value) && has(later, after.value);
}

// Whether the samples right before and, past the ramp, right after are most of the way apart.
bool came_at_once(const ChangePoint& change, std::span<const Sample> samples,
                  std::chrono::milliseconds ramp) {
  const auto split = std::ranges::lower_bound(samples, change.at, {}, &Sample::at);
  const auto past = std::ranges::lower_bound(samples, change.at + ramp, {}, &Sample::at);
  const std::vector<double> all_before = numbers(std::span(samples.begin(), split));
  std::vector<double> after = numbers(std::span(past, samples.end()));
  std::vector<double> before(
      all_before.end() - static_cast<ptrdiff_t>(std::min(kBeside, all_before.size())),
      all_before.end());
  if (after.size() > kBeside) after.resize(kBeside);
  if (before.empty() || after.empty()) return true;
  const double moved = change.after - change.before;
  const double jump = quantile_of(after, 0.5) - quantile_of(before, 0.5);
  return jump * moved > 0 && std::abs(jump) >= std::abs(moved) / 2;
}

}  // namespace

std::optional<double> value_at(std::span<const Sample> samples, Instant at,
                               std::chrono::milliseconds age) {
  const auto up_to = within(samples, at - age, at);
  if (up_to.empty() || !std::isfinite(up_to.back().value)) return std::nullopt;
  return up_to.back().value;
}

std::optional<ValueRange> range_about(std::span<const Sample> samples, Instant at,
                                      std::chrono::milliseconds slack) {
  return range_of(numbers(within(samples, at - slack, at + slack)));
}

std::vector<Episode> find_episodes(std::span<const Sample> all, Instant from, Instant to,
                                   std::span<const OtherDay> days, std::span<const Sample> before,
                                   size_t least) {
  std::vector<Sample> samples;
  for (const Sample& sample : within(all, from, to))
    if (std::isfinite(sample.value)) samples.push_back(sample);
  std::vector<double> others;
  for (const OtherDay& day : days)
    add_numbers(within(day.samples, from - day.shift, to - day.shift), others);
  const std::vector<double> own = numbers(samples), past = numbers(before);
  // Where no day tells of the very time.
  const std::optional<ValueRange> otherwise = !others.empty() ? range_of(others)
                                              : !past.empty() ? range_of(past)
                                                              : most_of(own);
  if (!otherwise) return {};
  std::vector<MovingBounds> moving(days.begin(), days.end());
  std::vector<ValueRange> usual;
  for (const Sample& sample : samples) {
    std::optional<ValueRange> then;
    for (MovingBounds& day : moving) {
      const auto one = day.at(sample.at);
      if (!one) continue;
      then =
          then ? ValueRange{std::min(then->low, one->low), std::max(then->high, one->high)} : one;
    }
    if (!then) then = otherwise;
    // Where there is usually nothing at that hour, what there is at others is nothing special.
    if (then->high <= 0) then->high = otherwise->high;
    usual.push_back(*then);
  }
  const auto above = [&](size_t i) {
    const double high = usual[i].high;
    return samples[i].value > std::max(high * kClearFactor, 0.0) ? samples[i].value - high : 0;
  };
  const auto below = [&](size_t i) {
    const double low = usual[i].low;
    return low > 0 && samples[i].value < low / kClearFactor ? low - samples[i].value : 0;
  };
  std::vector<Episode> episodes;
  const auto add = [&](const std::optional<Stretch>& stretch, bool highest) {
    if (!stretch) return;
    Episode episode{.from = samples[stretch->first].at};
    if (stretch->last + 1 < samples.size()) episode.until = samples[stretch->last + 1].at;
    const auto in = std::span(samples).subspan(stretch->first, stretch->last - stretch->first + 1);
    const auto peak = highest ? std::ranges::max_element(in, {}, &Sample::value)
                              : std::ranges::min_element(in, {}, &Sample::value);
    episode.peak = peak->value;
    episode.peak_at = peak->at;
    std::vector<double> then;
    for (const OtherDay& day : days)
      add_numbers(within(day.samples, episode.from - day.shift, in.back().at - day.shift), then);
    episode.usual = median_of(std::move(then), median_of(!others.empty() ? others
                                                         : !past.empty() ? past
                                                                         : own,
                                                         0));
    episodes.push_back(episode);
  };
  add(largest(std::span<const Sample>(samples), least, above), true);
  add(largest(std::span<const Sample>(samples), least, below), false);
  return episodes;
}

std::vector<ChangePoint> unusual_changes(const std::vector<ChangePoint>& changes,
                                         std::span<const Sample> samples,
                                         std::span<const OtherDay> days,
                                         std::chrono::milliseconds ramp) {
  constexpr std::chrono::milliseconds kMoment{1};
  std::vector<ChangePoint> unusual;
  for (size_t i = 0; i < changes.size(); ++i) {
    const ChangePoint& change = changes[i];
    const Level before{i == 0 ? samples.front().at : changes[i - 1].at, change.at - kMoment,
                       change.before};
    const Level after{change.at,
                      i + 1 < changes.size() ? changes[i + 1].at - kMoment : samples.back().at,
                      change.after};
    bool known = false, shared = false;
    for (const OtherDay& day : days) {
      const auto one = shares(day, before, after, samples);
      known |= one.has_value();
      shared |= one.value_or(false);
    }
    if (known ? !shared : came_at_once(change, samples, ramp)) unusual.push_back(change);
  }
  return unusual;
}

}  // namespace precedent
