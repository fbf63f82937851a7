// The `MetricsSource` seam: where metrics are asked for. Prometheus and a frozen snapshot implement
// it; who asks cannot tell them apart, but for PromQL: a snapshot runs what dashboards use
// (telemetry/promql/promql_parser.h) and refuses the rest by name.
//
// Errors, of every call: kInvalidArgument (the query is wrong), kUnavailable and kTimeout (the
// source), kPermission, kResourceExhausted (too much in the answer), kCancelled. An unknown metric
// and a window without samples are no errors: the answer is empty.
// Thread safety: all members may be called from several threads. Ownership: results are copies.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/cancel.h"
#include "base/error.h"
#include "telemetry/metrics/metric_query.h"

namespace precedent {

// Until when, and whether still.
struct SourceContext {
  const CancelToken& cancel;
  std::optional<std::chrono::steady_clock::time_point> deadline = std::nullopt;
};

enum class MetricType { kUnknown, kCounter, kGauge, kHistogram, kSummary };
std::string_view name(MetricType type);
MetricType metric_type_of(std::string_view name);  // kUnknown for any other text

// One that can be asked for: a histogram once, under its own name, without _bucket, _sum, _count.
struct MetricInfo {
  std::string name;
  MetricType type = MetricType::kUnknown;
  std::string unit = {};  // "seconds", "bytes"; "" if unknown
  std::string help = {};
};

// The series of one answer, by labels.
struct SeriesSet {
  std::vector<Series> series;
  std::vector<std::string> warnings = {};  // what the source had to say
};

class MetricsSource {
 public:
  // Label sets and values that one answer may have. A dashboard shows tens; a query that gives more
  // wants an aggregation.
  static constexpr size_t kMaxSeries = 10'000;
  static constexpr size_t kMaxSamples = 2'000'000;

  virtual ~MetricsSource() = default;

  // "Prometheus at 127.0.0.1:9090", "the snapshot incidents/2026-11-19".
  virtual std::string describe() const = 0;

  // The query evaluated at each point of the window; a point without a value is left out.
  virtual Result<SeriesSet> range(const MetricQuery& query, const Window& window,
                                  const SourceContext& context) const = 0;
  virtual Result<SeriesSet> range(const PromQl& query, const Window& window,
                                  const SourceContext& context) const = 0;
  // Every metric, by name.
  virtual Result<std::vector<MetricInfo>> catalogue(const SourceContext& context) const = 0;
  // The labels of each series of the selector that has samples from `from` to `to`.
  virtual Result<std::vector<LabelSet>> series(const Selector& selector, Instant from, Instant to,
                                               const SourceContext& context) const = 0;
  // What of it could not be read, a sentence each: whatever is not found may have stood there.
  virtual std::vector<std::string> unread() const { return {}; }
  // When time ended here: the newest sample of a frozen source, nothing for a live one.
  virtual std::optional<Instant> frozen_at() const { return std::nullopt; }
};

}  // namespace precedent
