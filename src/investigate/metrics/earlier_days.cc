#include "investigate/metrics/earlier_days.h"

#include <algorithm>
#include <array>

#include "telemetry/statistics/usual.h"

namespace precedent {
namespace {

using std::chrono::hours;

constexpr std::array<hours, 4> kEarlier = {hours(24), hours(48), hours(72), hours(7 * 24)};

// Days do not go alike to the minute.
constexpr std::chrono::minutes kLongAfter{30};

size_t samples_within(const std::vector<Sample>& samples, Instant from, Instant to) {
  return static_cast<size_t>(std::ranges::count_if(
      samples, [&](const Sample& sample) { return sample.at >= from && sample.at <= to; }));
}

// An episode that counts beside the largest one goes at least so far.
constexpr double kMarked = 0.25;

// Since when it goes clearly farther than the other day: a failure that follows the load comes and
// goes, and began with the first time.
std::optional<Instant> first_beyond(const std::vector<Sample>& course, Instant from, Instant to,
                                    const OtherDay& other, bool up) {
  std::optional<Instant> first;
  double largest = 0;
  for (bool found = true; found && from < to;) {
    found = false;
    for (const Episode& episode : find_episodes(course, from, to, {&other, 1}, {})) {
      const double excess = std::abs(episode.peak - episode.usual);
      if (episode.above() != up || excess < kMarked * largest) continue;
      largest = std::max(largest, excess);
      first = episode.from;
      to = episode.from - std::chrono::milliseconds(1);
      found = true;
    }
  }
  return first;
}

}  // namespace

std::optional<BesideEarlierDays> EarlierDays::compare(const RecordedSeries& recorded,
                                                      const std::vector<Sample>& course,
                                                      const Departure& departure) {
  const Instant from = departure.onset, to = course.back().at;
  const std::string often = recorded.counter ? count_beside(recorded.metric) : "";
  size_t known = 0, as_far = 0;
  Instant beyond = from;
  for (const hours earlier : kEarlier) {
    RecordedSeries then{
        recorded.metric,
        {recorded.series.labels, samples_of(recorded.metric, recorded.series.labels, earlier)},
        recorded.counter};
    const std::vector<Sample> count =
        often.empty() ? std::vector<Sample>() : samples_of(often, recorded.series.labels, earlier);
    const std::vector<Sample> day = course_of(then, count);
    if (samples_within(day, from - earlier, to - earlier) < kLeastSamples) continue;
    ++known;
    if (const auto since = first_beyond(course, from, to, {day, earlier}, departure.up()))
      beyond = std::max(beyond, *since);
    else
      ++as_far;
  }
  if (known == 0) return std::nullopt;
  BesideEarlierDays out;
  out.usual = 2 * as_far > known;
  if (beyond - from >= kLongAfter) out.beyond = beyond;
  return out;
}

std::vector<Sample> EarlierDays::samples_of(const std::string& metric, const LabelSet& labels,
                                            hours earlier) {
  const auto [entry, fresh] = read_.try_emplace({metric, earlier});
  if (fresh)
    if (auto set = source_.range(PromQl{to_promql(Selector{metric, {}})}, window_.shifted(-earlier),
                                 context_))
      entry->second = std::move(*set);
  const auto found = std::ranges::find(entry->second.series, labels, &Series::labels);
  return found == entry->second.series.end() ? std::vector<Sample>() : found->samples;
}

}  // namespace precedent
