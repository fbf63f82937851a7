// The grammar of metrics_query: a line of text → what is asked.
//
//   metric=p95_latency window=24h filter=endpoint=/api/search
//   metric=http_requests_total stat=rate by=handler,code since=2026-11-19T13:00Z until=1h
//   alert=SearchLatencyHigh                                         alert=* : all that are active
//   sum by (job) (rate(http_requests_total[5m])) window=6h          PromQL as it is
//
//   metric=  a friendly name of config/tools.yaml, or a metric; metric=* lists all that there are,
//   and
//            metric=http* those that begin with http
//   window=  how long, up to until=: 15m, 24h, 7d
//   since=   until=   a time, or a duration: so long ago. With since= and window=: from since= on
//   since=last-deploy, since=last-deploy:SERVICE   the moment of it; of the filter's service unless
//   named filter=  label, one of = != =~ !~, value; as often as needed, all must hold by= labels to
//   keep apart, separated by commas stat=    value, rate, increase, p50 … p99.9, instead of what
//   the metric suggests agg=     sum, avg, min, max or count, of several series promql=  PromQL in
//   quotes, where it could be mistaken
//
// White space separates; values with white space stand in "…" or '…', with \ before a quote. PromQL
// may be followed by window=, since= and until=. Thread safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "telemetry/metrics/metric_query.h"

namespace precedent {

// Of alert=: whichever is active.
inline constexpr std::string_view kAllAlerts = "*";

// Of metric=: a list of those that begin with what stands before it.
inline constexpr char kListMetrics = '*';

// The moment of the last deploy, which only a record of changes knows.
struct LastDeployOf {
  std::string service;  // "": as the filters say
  bool operator==(const LastDeployOf&) const = default;
};
// Nothing, a time, so long before now, or a deploy (since= alone).
using TimeSpec = std::variant<std::monostate, TimePoint, std::chrono::seconds, LastDeployOf>;

struct MetricsQuestion {
  std::string metric = {};
  std::string promql = {};
  std::string alert = {};
  std::vector<LabelFilter> filters = {};
  std::vector<std::string> by = {};
  std::optional<Statistic> statistic = std::nullopt;
  double quantile = 0.95;  // with kQuantile
  std::optional<Aggregation> aggregation = std::nullopt;
  std::optional<std::chrono::seconds> window = std::nullopt;
  TimeSpec since = {};
  TimeSpec until = {};
  bool operator==(const MetricsQuestion&) const = default;
};

// Exactly one of metric, promql and alert is set. Errors: kInvalidArgument naming the token and the
// remedy.
Result<MetricsQuestion> parse_metrics_question(std::string_view text);

// "code=~5..", "endpoint=/api/search". Errors: kInvalidArgument.
Result<LabelFilter> parse_filter(std::string_view text);

// From and to of what is asked, as seen at `now`. Errors: kInvalidArgument: an empty window, one in
// the future, one longer than is kept. REQUIRES: `since` is no LastDeployOf any more.
struct TimeSpan {
  Instant from{};
  Instant to{};
};
Result<TimeSpan> resolve_span(const MetricsQuestion& question, Instant now,
                              std::chrono::seconds default_window);

}  // namespace precedent
