#include "telemetry/report/closer_look.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "telemetry/metrics/evaluate.h"

namespace precedent {
namespace {

using std::chrono::days;
using std::chrono::seconds;

constexpr std::chrono::hours kEnd{1};
// How many of the highest points of a mean are looked at, and at how many points each at most.
constexpr size_t kMostPlaces = 3;
constexpr int64_t kMostClose = 10'000;

// The samples of the series in a window; none if that cannot be had.
std::vector<Sample> samples_of(const RangeAsk& ask, const LabelSet& labels, const Window& window) {
  const auto answer = ask(window);
  if (!answer) return {};
  const auto same = std::ranges::find(answer->series, labels, &Series::labels);
  return same == answer->series.end() ? std::vector<Sample>() : same->samples;
}

// Where the highest and the lowest may be.
std::vector<Window> places_of(const MetricCourse& course) {
  const auto length = std::chrono::floor<seconds>(course.to - course.from);
  if (course.moments)
    return {{course.from, course.to, std::max(kClose, seconds((length / kMostClose).count()))}};
  std::vector<Sample> points;
  for (const Sample& sample : course.samples)
    if (sample.at > course.from && std::isfinite(sample.value)) points.push_back(sample);
  std::ranges::stable_sort(points, std::greater<>(), &Sample::value);
  if (points.size() > kMostPlaces) points.resize(kMostPlaces);
  std::vector<Window> places;
  for (const Sample& point : points)
    places.push_back({std::max<Instant>(course.from, point.at - course.step), point.at,
                      std::max(kClose, seconds((course.step / kMostClose).count()))});
  return places;
}

}  // namespace

std::optional<Instant> begin_of(const RangeAsk& ask, const LabelSet& labels, Instant from,
                                Instant to) {
  std::optional<Instant> begin;
  Window window{from - days(7), to,
                step_of(std::chrono::floor<seconds>(to - from) + seconds(days(7)))};
  // Once over all of it, and once closely before what was found.
  for (int looks = 0; looks < 2; ++looks) {
    const std::vector<Sample> samples = samples_of(ask, labels, window);
    const auto first = std::ranges::find_if(
        samples, [](const Sample& sample) { return std::isfinite(sample.value); });
    if (first == samples.end()) break;
    begin = first->at;
    const auto before = std::chrono::floor<seconds>(window.step);
    window = {*begin - before, *begin, step_of(before)};
  }
  return begin;
}

void look_closely(const RangeAsk& close, const LabelSet& labels, MetricCourse& course,
                  MetricsResult& out) {
  if (course.step <= kClose) return;
  WindowSummary& summary = *out.summary;
  bool looked = false;
  const auto now = samples_of(close, labels, {course.to - kEnd, course.to, kClose});
  if (const auto last = summarize(now, course.to - kEnd, course.to)) {
    summary.last = last->last;
    summary.last_at = last->last_at;
    looked = true;
  }
  for (const Window& place : places_of(course)) {
    const auto found = summarize(samples_of(close, labels, place), place.from, place.to);
    if (!found) continue;
    looked = true;
    if (found->max > summary.max) {
      summary.max = found->max;
      summary.max_at = found->max_at;
    }
    if (course.moments && found->min < summary.min) {
      summary.min = found->min;
      summary.min_at = found->min_at;
    }
  }
  if (!looked) return;
  // The last value is one of the window.
  if (summary.last > summary.max) {
    summary.max = summary.last;
    summary.max_at = summary.last_at;
  }
  if (summary.last < summary.min) {
    summary.min = summary.last;
    summary.min_at = summary.last_at;
  }
  for (Episode& episode : out.episodes)
    if (episode.above() && summary.max > episode.peak &&
        summary.max_at + course.step >= episode.from &&
        (!episode.until || summary.max_at < *episode.until)) {
      episode.peak = summary.max;
      episode.peak_at = summary.max_at;
    }
  for (const auto& [then, ago] : {std::pair(&course.day, days(1)), {&course.week, days(7)}}) {
    const Instant at = summary.last_at - ago;
    *then = samples_of(close, labels, {at - 3 * kClose, at + 3 * kClose, kClose});
  }
  tell_now(course, out);
  out.notes.push_back(
      fmt::format("Each point is of {}; what it is now and how high it was is seen every {}.",
                  format_duration(course.step), format_duration(kClose)));
}

}  // namespace precedent
