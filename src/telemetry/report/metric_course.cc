#include "telemetry/report/metric_course.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "telemetry/metrics/metric_query.h"

namespace precedent {
namespace {

using std::chrono::days;
using std::chrono::seconds;

// More points than a screen has columns say nothing more.
constexpr int64_t kMaxPoints = 360;
constexpr std::array<int64_t, 16> kSteps = {10,   15,   30,   60,    120,   300,   600,   900,
                                            1800, 3600, 7200, 10800, 21600, 43200, 86400, 604800};
// Means of longer are no spikes.
constexpr seconds kBriefStep{300};
// What differs relatively by less is what adding in another order leaves.
constexpr double kRounding = 1e-9;
// Relative to the level: a smaller change is no news, however sure it is.
constexpr double kLeastChange = 0.05;

seconds length_of(const MetricCourse& course) {
  return std::chrono::floor<seconds>(course.to - course.from);
}

// Long windows hold the days before themselves.
std::vector<OtherDay> other_days(const MetricCourse& course) {
  std::vector<OtherDay> other;
  const auto add = [&](const std::vector<Sample>& apart, days ago) {
    const auto& samples = apart.empty() && length_of(course) >= ago ? course.samples : apart;
    if (!samples.empty()) other.push_back({samples, ago});
  };
  add(course.day, days(1));
  add(course.week, days(7));
  return other;
}

// A rate over a range turns a step into a ramp as long as the range: its two ends are one change.
std::vector<ChangePoint> without_ramps(const std::vector<ChangePoint>& changes,
                                       std::chrono::milliseconds ramp) {
  std::vector<ChangePoint> out;
  for (const ChangePoint& change : changes) {
    const bool rises = change.after > change.before;
    if (!out.empty() && change.at - out.back().at <= ramp &&
        (out.back().after > out.back().before) == rises) {
      out.back().after = change.after;
      out.back().p_value = std::min(out.back().p_value, change.p_value);
    } else {
      out.push_back(change);
    }
  }
  return out;
}

// A share of a whole is measured by what is missing, too: 99.99 % to 99.9 % is much.
bool is_worth_telling(const ChangePoint& change, std::string_view unit) {
  const auto [low, high] = std::minmax({std::abs(change.before), std::abs(change.after)});
  double scale = high;
  if (unit == "ratio" && high <= 1) scale = std::min(scale, 1 - low);
  return std::abs(change.after - change.before) >= kLeastChange * scale;
}

struct Range {
  double low = 0, high = 0;
};

// Half as warm as -80 degrees is nothing: only what begins at zero is so many times another value.
bool has_ratio(double a, double b, std::string_view unit) {
  return a >= 0 && b >= 0 && unit != "celsius" && unit != "fahrenheit";
}

void compare(const MetricCourse& course, std::string what, const std::vector<Sample>& samples,
             seconds ago, std::optional<Range>& beside, MetricsResult& out) {
  const Instant from = course.from - ago, to = course.to - ago;
  const auto then = summarize(samples, from, to);
  if (!then) {
    const bool later = course.begins && *course.begins > from;
    out.notes.push_back(fmt::format(
        "No values {} ({} to {}){}.", what, format_time(from), format_time(to),
        later ? fmt::format(": they begin about {}", format_time(*course.begins)) : ""));
    return;
  }
  const double mean = out.summary->mean;
  WindowComparison comparison{.what = std::move(what),
                              .from = from,
                              .to = to,
                              .mean = then->mean,
                              .max = then->max,
                              .difference = mean - then->mean,
                              .ratio = std::nullopt};
  if (std::abs(comparison.difference) <= kRounding * std::max(std::abs(mean), std::abs(then->mean)))
    comparison.difference = 0;
  if (then->mean != 0 && has_ratio(mean, then->mean, out.unit))
    comparison.ratio = mean / then->mean;
  beside = beside ? Range{std::min(beside->low, then->min), std::max(beside->high, then->max)}
                  : Range{then->min, then->max};
  out.comparisons.push_back(std::move(comparison));
}

}  // namespace

seconds step_of(seconds window) {
  for (const int64_t step : kSteps)
    if (window.count() / step <= kMaxPoints) return seconds(step);
  const int64_t longest = kSteps.back() * kMaxPoints;
  return seconds(kSteps.back() * ((window.count() + longest - 1) / longest));
}

void tell_silence(const MetricCourse& course, MetricsResult& out) {
  const Instant last = out.summary->last_at;
  // What comes every hour is not silent after ten minutes.
  std::vector<double> gaps;
  bool followed = false;  // by what is no number
  std::optional<Instant> before;
  for (const Sample& sample : course.samples) {
    if (sample.at > course.to) break;
    followed |= sample.at > last;
    if (!std::isfinite(sample.value)) continue;
    if (before) gaps.push_back(std::chrono::duration<double>(sample.at - *before).count());
    before = sample.at;
  }
  // Nearly the longest that is usual; one outage is not.
  constexpr double kUsual = 0.98;
  const double gap = gaps.empty() ? 0 : quantile_of(gaps, kUsual);
  const seconds patience = std::max<seconds>(
      {2 * course.step, std::chrono::minutes(5), seconds(static_cast<int64_t>(2 * gap))});
  out.silence = course.to - last <= patience ? "" : followed ? "no number" : "no values";
}

void tell_now(const MetricCourse& course, MetricsResult& out) {
  // How old a value may be to be of a time, as in Prometheus; and what is about a time of the day.
  constexpr std::chrono::minutes kAge{5}, kAbout{15}, kFarthest{60};
  out.now_against.clear();
  const double last = out.summary->last;
  const auto add = [&](NowAgainst then) {
    if (then.value == 0 || !has_ratio(last, then.value, out.unit)) return;
    then.ratio = last / then.value;
    out.now_against.push_back(std::move(then));
  };
  for (const OtherDay& day : other_days(course)) {
    // The window's own first samples are not from before it.
    if (out.comparisons.empty() && length_of(course) <= day.shift) continue;
    const Instant at = out.summary->last_at - day.shift;
    const auto then =
        value_at(day.samples, at, std::max<std::chrono::milliseconds>(kAge, course.step));
    const auto about = range_about(
        day.samples, at, std::clamp<std::chrono::milliseconds>(2 * course.step, kAbout, kFarthest));
    if (!then || !about) continue;
    add({.what =
             day.shift == days(1) ? "the same time a day earlier" : "the same time a week earlier",
         .value = *then,
         .low = std::min(about->low, *then),
         .high = std::max(about->high, *then)});
  }
  if (out.now_against.empty() && !out.comparisons.empty())
    add({.what = "the mean of " + out.comparisons.front().what,
         .value = out.comparisons.front().mean});
}

bool tell_course(const MetricCourse& course, MetricsResult& out) {
  out.summary = summarize(course.samples, course.from, course.to);
  if (!out.summary) {
    const auto points = std::ranges::count_if(course.samples, [&](const Sample& sample) {
      return sample.at >= course.from && sample.at <= course.to;
    });
    if (points > 0)
      out.notes.push_back(fmt::format("None of the {} points is a number: {}.", points,
                                      course.moments
                                          ? "the metric itself was NaN or infinite"
                                          : "nothing was there to divide by, such as no requests"));
    return false;
  }
  const std::vector<OtherDay> days_known = other_days(course);
  const std::chrono::milliseconds ramp =
      std::max<std::chrono::milliseconds>(MetricQuery{}.range, 2 * course.step);
  std::vector<Sample> numbers;
  for (const Sample& sample : course.samples)
    if (std::isfinite(sample.value)) numbers.push_back(sample);
  out.changes =
      unusual_changes(without_ramps(find_changes(numbers), ramp), numbers, days_known, ramp);
  std::erase_if(out.changes,
                [&](const ChangePoint& change) { return !is_worth_telling(change, out.unit); });
  out.sparkline = sparkline(course.samples, course.from, course.to);
  out.course = chart_points(course.samples, course.from, course.to, out.summary->mean);
  if (out.summary->not_a_number > 0)
    out.notes.push_back(fmt::format(
        "{} of {} points are not a number ({}) and not counted.", out.summary->not_a_number,
        out.summary->not_a_number + out.summary->points,
        course.moments ? "the metric itself was NaN or infinite" : "no traffic, often"));
  std::optional<Range> beside;
  const seconds length = length_of(course);
  compare(course, "the " + format_duration(length) + " before", course.samples, length, beside,
          out);
  // Windows that would overlap, or are the one before, say nothing new.
  if (length < days(1)) compare(course, "a day earlier", course.day, days(1), beside, out);
  if (length < days(7)) compare(course, "a week earlier", course.week, days(7), beside, out);
  if (beside)
    out.first_unusual =
        first_beyond(course.samples, course.from, course.to, beside->low, beside->high);
  const auto before = std::ranges::lower_bound(course.samples, course.from, {}, &Sample::at);
  out.episodes = find_episodes(course.samples, course.from, course.to, days_known,
                               std::span(course.samples.begin(), before),
                               course.moments || course.step <= kBriefStep ? kLeastSamples : 1);
  tell_now(course, out);
  return true;
}

}  // namespace precedent
