// The course of one series → the numbers that answer for it: summary, comparisons with other
// windows, changes of level, episodes, sparkline.
//
// Thread safety: pure functions over values.
#pragma once

#include "telemetry/report/metrics_result.h"

namespace precedent {

struct MetricCourse {
  Instant from{}, to{};
  std::chrono::seconds step{60};
  std::vector<Sample> samples;  // of the window and the one before
  bool moments = false;         // they are values of a gauge, not means of the step
  // The first value that the source has; nothing where that was not looked for.
  std::optional<Instant> begins = std::nullopt;
  // What ended a day and a week earlier; empty where `samples` reach back so far.
  std::vector<Sample> day = {}, week = {};
};

// The steps of a window that gives at most 360 points: 10s, 15s, 30s, 1m, 2m, 5m …
std::chrono::seconds step_of(std::chrono::seconds window);

// Takes all of these into `out`. False if the window has no numbers, which `out.notes` then say.
bool tell_course(const MetricCourse& course, MetricsResult& out);

// Whether the last number is of the end of the window: again after a closer look changed it.
void tell_silence(const MetricCourse& course, MetricsResult& out);

// The last value against other times: again after a closer look changed it.
void tell_now(const MetricCourse& course, MetricsResult& out);

}  // namespace precedent
