// Generated series over which PromQL on a snapshot is compared with a real Prometheus.
//
// Two hours, a fixed seed. Counters with resets, gaps, late beginnings and early ends; gauges with
// NaN and infinities; a histogram; labels to join by. Half of the samples lie on whole minutes,
// where ranges have their edges, the others anywhere. Pure functions.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <random>
#include <string>

#include "telemetry/snapshot/exposition.h"
#include "telemetry/snapshot/metric_builder.h"

namespace precedent {

inline Instant promql_lab_begin() { return parse_time("2026-11-19T10:00:00Z").value(); }
inline Instant promql_lab_end() { return parse_time("2026-11-19T12:00:00Z").value(); }

// When a series has samples.
struct PromqlLabTimes {
  static constexpr int kMinutes = 120;
  int from = 0, to = kMinutes;  // in minutes
  bool aligned = true;
  bool has_gaps = false;
};

class PromqlLab {
 public:
  std::string openmetrics() && {
    requests();
    gauges();
    histogram();
    labels_to_join();
    return std::move(out_) + "# EOF\n";
  }

 private:
  static constexpr int kMinutes = PromqlLabTimes::kMinutes;
  using When = PromqlLabTimes;

  // From 0 on, below `bound`; the same on every machine, other than std::uniform_int_distribution.
  int below(int bound) { return static_cast<int>(random_() % static_cast<uint64_t>(bound)); }
  double unit() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  // Calls value() for each sample.
  template <typename Value>
  void series(std::string_view name, const Value& value, const When& when = {}) {
    int gap = 0;
    for (int minute = when.from; minute < when.to; ++minute) {
      // Short gaps, and some that last beyond the look-back.
      if (when.has_gaps && below(25) == 0) gap = 1 + below(9);
      const double sample = value();
      if (gap-- > 0) continue;
      const int64_t ms = promql_lab_begin().time_since_epoch().count() + minute * 60'000LL +
                         (when.aligned ? 0 : 1 + below(59'000));
      out_ += fmt::format("{} {} {}.{:03}\n", name, sample, ms / 1000, ms % 1000);
    }
  }

  void requests() {
    out_ += "# TYPE requests counter\n";
    int nth = 0;
    for (const char* job : {"api", "web", "batch"})
      for (const char* instance : {"0", "1", "2"})
        for (const char* code : {"200", "404", "500"}) {
          ++nth;
          double count = nth % 4 == 0 ? 0 : below(100'000);
          const When when{.from = nth % 4 == 0 ? 20 + below(40) : 0,
                          .to = nth % 5 == 0 ? 60 + below(40) : kMinutes,
                          .aligned = nth % 2 == 0,
                          .has_gaps = nth % 3 == 0};
          const auto next = [&] {
            count = below(40) == 0 ? below(50) : count + below(600) + unit();
            return count;
          };
          series(fmt::format("requests_total{{job=\"{}\",instance=\"{}\",code=\"{}\"}}", job,
                             instance, code),
                 next, when);
        }
  }

  void gauges() {
    out_ += "# TYPE temperature gauge\n";
    for (int i = 0; i < 6; ++i) {
      double level = 20 * (i - 2);
      const auto next = [&] {
        level += unit() * 4 - 2;
        const int odd = i == 5 ? below(30) : 30;
        return odd == 0 ? std::nan("") : odd == 1 ? INFINITY : odd == 2 ? -INFINITY : level;
      };
      series(fmt::format("temperature{{room=\"{}\",floor=\"{}\"}}", i, i / 2), next,
             {.to = i == 4 ? 70 : kMinutes, .aligned = i % 2 == 0, .has_gaps = i == 3});
    }
    out_ += "# TYPE queue_length gauge\n";
    for (const char* job : {"api", "web"}) {
      int length = 10;
      series(fmt::format("queue_length{{job=\"{}\"}}", job),
             [&] { return length = std::max(0, length + below(7) - 3); });
    }
  }

  void histogram() {
    constexpr const char* kBounds[] = {"0.05", "0.1", "0.25", "0.5", "1.0", "2.5", "+Inf"};
    out_ += "# TYPE latency_seconds histogram\n";
    for (const char* job : {"api", "web"})
      for (const char* instance : {"0", "1"}) {
        const std::string labels = fmt::format("job=\"{}\",instance=\"{}\"", job, instance);
        std::vector<std::vector<double>> counts(kMinutes, std::vector<double>(7));
        std::vector<double> total(7);
        for (std::vector<double>& minute : counts) {
          double sum = 0;
          for (size_t i = 0; i < 7; ++i) {
            total[i] += below(i < 6 ? 40 : 3);
            minute[i] = sum += total[i];
          }
        }
        for (size_t i = 0; i < 7; ++i) {
          size_t minute = 0;
          series(fmt::format("latency_seconds_bucket{{{},le=\"{}\"}}", labels, kBounds[i]),
                 [&] { return counts[minute++][i]; });
        }
        size_t minute = 0;
        series(fmt::format("latency_seconds_count{{{}}}", labels),
               [&] { return counts[minute++][6]; });
        double spent = 0;
        series(fmt::format("latency_seconds_sum{{{}}}", labels),
               [&] { return spent += 100 * unit(); });
      }
  }

  void labels_to_join() {
    out_ += "# TYPE build_info gauge\n";
    for (const char* job : {"api", "web", "batch"}) {
      // One version after another.
      for (const bool later : {false, true})
        series(fmt::format("build_info{{job=\"{}\",version=\"1.{}\"}}", job, later ? 1 : 0),
               [] { return 1; }, {.from = later ? 66 : 0, .to = later ? kMinutes : 60});
    }
    out_ += "# TYPE limit_bytes gauge\n";
    for (const char* job : {"api", "web"})
      series(fmt::format("limit_bytes{{job=\"{}\"}}", job), [] { return 5e8; });
    out_ += "# TYPE used_bytes gauge\n";
    for (const char* job : {"api", "web"})
      for (const char* instance : {"0", "1", "2"})
        series(fmt::format("used_bytes{{job=\"{}\",instance=\"{}\"}}", job, instance),
               [&] { return 1e8 + 5e8 * unit(); }, {.aligned = false});
  }

  std::mt19937_64 random_{20'261'119};
  std::string out_;
};

inline std::string promql_lab_openmetrics() { return PromqlLab().openmetrics(); }

inline MetricData promql_lab_data() {
  MetricBuilder builder;
  ReadProblems problems;
  read_exposition(promql_lab_openmetrics(), "promql.om", builder, problems);
  return std::move(builder).take();
}

}  // namespace precedent
