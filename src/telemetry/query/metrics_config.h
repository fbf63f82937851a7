// MetricsConfig: where metrics and alerts come from, and what their friendly names mean. Read from
// the part `metrics` of config/tools.yaml and from the environment; docs/metrics.md is its page.
//
// The environment wins: PRECEDENT_ENVIRONMENT (which environment of the file), PRECEDENT_SNAPSHOT,
// PRECEDENT_PROMETHEUS_URL, PRECEDENT_ALERTMANAGER_URL. Tokens come from the environment alone.
// Reads no file itself. Thread safety: plain values, pure functions.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/config_values.h"
#include "telemetry/http/telemetry_http.h"
#include "telemetry/metrics/metric_query.h"

namespace precedent {

// What a friendly name stands for: a query with a choice of metrics, or PromQL.
struct MetricTemplate {
  std::string name;
  std::string unit = {};                  // "": what the catalogue says
  std::vector<std::string> metrics = {};  // the first that exists is taken
  std::vector<LabelFilter> where = {};
  std::vector<std::string> over = {};  // kRatio: denominators; empty: the same metric
  // Nothing: what the type of the metric suggests.
  std::optional<Statistic> statistic = {};
  std::optional<Aggregation> aggregation = {};
  double quantile = MetricQuery{}.quantile;
  std::chrono::seconds range = MetricQuery{}.range;
  // Instead of all that; fill_in_promql() puts in $filters, $by and $range:
  //   sum by ($by) (rate(http_requests_total{$filters}[$range]))
  std::string promql = {};
  bool operator==(const MetricTemplate&) const = default;
};

std::string fill_in_promql(std::string promql, const std::vector<LabelFilter>& filters,
                           const std::vector<std::string>& by, std::chrono::seconds range);

struct MetricsConfig {
  std::string environment;  // its name
  // At most one of the two; none: no metrics.
  std::string snapshot = {};  // a folder, relative to the file that names it
  std::optional<EndpointConfig> prometheus = std::nullopt;
  std::optional<EndpointConfig> alertmanager = std::nullopt;
  std::chrono::seconds window{86400};  // where a question names none
  std::vector<MetricTemplate> names = {};
  // What a label is called elsewhere: endpoint → handler, route, path. In order of preference.
  std::map<std::string, std::vector<std::string>> labels = {};

  const MetricTemplate* find(std::string_view name) const;
};

// A variable's value, or nothing if it is not set or empty.
using MetricsEnvironment = std::function<std::optional<std::string>(const std::string& name)>;

// `yaml` is the text of the file `path`. Errors: kInvalidArgument with path:line:key and the
// remedy; an environment that does not exist with those that do. With `all`, all of them, those of
// the other environments of the file as well. Labels that the file does not speak of, and all names
// where it has none, are those of default_tools_config().
Result<MetricsConfig> read_metrics_config(std::string_view yaml, std::string_view path,
                                          const MetricsEnvironment& environment,
                                          ConfigProblems* all = nullptr);

// The text of config/tools.yaml as it was built in.
std::string_view default_tools_config();

}  // namespace precedent
