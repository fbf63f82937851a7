// MetricsResult: what became of a question about metrics. Small, whatever was read for it: numbers,
// a few series and alerts, a sparkline; never the samples.
//
// Thread safety: plain values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "telemetry/alerts/alert_source.h"
#include "telemetry/statistics/change_point.h"
#include "telemetry/statistics/summary.h"
#include "telemetry/statistics/usual.h"

namespace precedent {

// The mean of the window against that of another one of the same length.
struct WindowComparison {
  std::string what;  // "the 24h before", "a day earlier", "a week earlier"
  Instant from{}, to{};
  double mean = 0;
  double max = 0;
  double difference = 0;        // mean of the window - mean
  std::optional<double> ratio;  // mean of the window / mean; nothing if that is 0
};

// The last value of the window against that of another time: a mean of a window that mostly came
// before a step tells little of the present.
struct NowAgainst {
  std::string what;  // "the same time a day earlier", "the mean of the 1h before"
  double value = 0;  // at that very time, of the same resolution and aggregation
  double ratio = 0;  // the last value / this one, which is not 0
  // Of the other day, the lowest and the highest about that time; nothing of a mean.
  std::optional<double> low = {}, high = {};
};

struct TopSeries {
  LabelSet labels;
  double mean = 0;               // of the window
  std::optional<double> before;  // of the window before
  std::optional<double> share;   // of the total, 0 to 1; of sums only
};

// One of several series at its highest or lowest.
struct SeriesPeak {
  LabelSet labels;
  double value = 0;
  Instant at{};
};

// What was counted in the whole window.
struct WindowTotal {
  double count = 0;
  std::optional<double> of = {};  // of a ratio: of how many
};

struct MetricsResult {
  std::string metric;      // as asked: the friendly name, the metric, the alert, or "PromQL"
  std::string expression;  // the PromQL that was used, or that says what was computed
  std::string source;      // "Prometheus at …"; "" if only alerts were asked for
  std::string unit;        // "seconds", "ratio" …; "" if unknown
  Instant from{}, to{};
  std::chrono::milliseconds step{0};
  // Nothing if there were no samples; `notes` say why.
  std::optional<WindowSummary> summary;
  // What came after summary->last up to the end of the window: "no values", "no number"; "" while
  // it is of the end. With it, nothing that is said of the last value is said of now.
  std::string silence;
  // Of several series of a gauge: how they became one, "mean of 7 series"; "" of a single one.
  std::string combined;
  // Then the one that was highest and the one that was lowest in the window.
  std::optional<SeriesPeak> highest, lowest;
  // The highest bound of the histogram, where its quantile reached it: such a value is at least
  // that.
  std::optional<double> ceiling;
  // Of a counter, and of a ratio of counters.
  std::optional<WindowTotal> total;
  std::vector<WindowComparison> comparisons;
  std::vector<NowAgainst> now_against;
  // In the window and the one before, but for those that other days have at that time, too.
  std::vector<ChangePoint> changes;
  // The largest above and below what is usual.
  std::vector<Episode> episodes;
  // The first sample of the window beyond all samples of the windows it is compared to.
  std::optional<Excursion> first_unusual;
  std::vector<TopSeries> top;  // by what they contribute to the difference; or the only one
  size_t series = 0;           // how many there are
  std::string of;              // of several, the one that the figures are of: its labels
  std::string sparkline;
  std::vector<double> course;  // of equal pieces of the window (chart_points)
  std::vector<Alert> alerts;   // active, those that fit the filters first
  size_t alerts_total = 0;
  std::vector<PastAlert> past_alerts;  // that were active in the window, and are over
  std::string alert_source;            // "" if none is configured
  std::string alert_problem;           // why it could not be read; "" if it was
  std::vector<std::string> nearest;    // names, where the one asked for does not exist
  std::vector<std::string> notes;      // what was missing, corrected or assumed, a sentence each
};

}  // namespace precedent
