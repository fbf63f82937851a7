#include "telemetry/query/metrics_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/config_values.h"
#include "base/nearest.h"
#include "base/strings.h"
#include "net/url.h"
#include "telemetry/promql/promql_parser.h"
#include "telemetry/query/query_text.h"

namespace precedent {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// `changes` is read by changes/changes_config.h, `logs` and `traces` by telemetry/stores_config.h.
constexpr std::array<std::string_view, 6> kFileKeys = {"changes", "environment", "environments",
                                                       "logs",    "metrics",     "traces"};
constexpr std::array<std::string_view, 3> kEnvironmentKeys = {"logs", "metrics", "traces"};
constexpr std::array<std::string_view, 3> kSharedKeys = {"window", "names", "labels"};
constexpr std::array<std::string_view, 6> kOwnKeys = {"window",   "names",      "labels",
                                                      "snapshot", "prometheus", "alertmanager"};
constexpr std::array<std::string_view, 4> kEndpointKeys = {"url", "token_env", "timeout",
                                                           "retries"};
// Any range will do to read PromQL.
constexpr seconds kAnyRange{300};
constexpr std::array<std::string_view, 9> kNameKeys = {
    "unit", "metric", "statistic", "quantile", "range", "aggregation", "where", "over", "promql"};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

template <typename Enum>
Result<void> read_choice(const ConfigSection& section, std::string_view key,
                         std::optional<Enum>& out,
                         std::optional<Enum> (*choice_of)(std::string_view),
                         std::string_view choices) {
  if (!section.has(key)) return {};
  const auto choice = choice_of(section.text(key));
  if (!choice)
    return section.wrong(key, fmt::format("'{}' is none of {}", section.text(key), choices));
  out = choice;
  return {};
}

Result<void> check_metrics(const ConfigSection& section, std::string_view key,
                           const std::vector<std::string>& metrics) {
  for (const std::string& metric : metrics)
    if (!is_metric_name(metric))
      return section.wrong(key, fmt::format("'{}' is no name of a metric", metric));
  return {};
}

Result<MetricTemplate> read_template(const ConfigSection& section, const std::string& name) {
  TRY(section.check(kNameKeys));
  MetricTemplate out{name};
  TRY(section.read("unit", out.unit));
  TRY(section.read("promql", out.promql));
  TRY(section.read("metric", out.metrics));
  TRY(section.read("over", out.over));
  TRY(check_metrics(section, "metric", out.metrics));
  TRY(check_metrics(section, "over", out.over));
  if (out.promql.empty() == out.metrics.empty())
    return section.wrong("metric", "give either metric (one or a list) or promql");
  TRY(read_choice(section, "statistic", out.statistic, statistic_of,
                  "value, rate, increase, quantile, ratio"));
  TRY(read_choice(section, "aggregation", out.aggregation, aggregation_of,
                  "sum, avg, min, max, count"));
  TRY(section.read("quantile", out.quantile, 0, 1));
  milliseconds range = out.range;
  TRY(section.read("range", range));
  out.range = std::chrono::duration_cast<seconds>(range);
  if (out.range < seconds(10)) return section.wrong("range", "must be at least 10s");
  std::vector<std::string> filters;
  TRY(section.read("where", filters));
  if (out.statistic == Statistic::kRatio && filters.empty() && out.promql.empty() &&
      (out.over.empty() || out.over == out.metrics))
    return section.wrong(
        "statistic",
        "is a ratio of all to all, which is always 1; add where, which says what is "
        "counted, or over, which says what it is divided by");
  for (const std::string& text : filters) {
    auto filter = parse_filter(text);
    if (!filter) return section.wrong("where", filter.error().message);
    out.where.push_back(std::move(*filter));
  }
  return out;
}

// What stands in `metrics` of the file and of an environment alike; the later wins, name by name.
Result<void> read_meanings(const ConfigSection& section, MetricsConfig& config) {
  milliseconds window = config.window;
  TRY(section.read("window", window));
  if (window < seconds(60))
    TRY(section.settle(section.wrong("window", "must be at least 1m")));
  else
    config.window = std::chrono::duration_cast<seconds>(window);
  const ConfigSection names = section.section("names");
  for (const std::string& name : names.keys()) {
    MetricTemplate read;
    TRY(names.take(read_template(names.section(name), name), read));
    const auto known = std::ranges::find(config.names, name, &MetricTemplate::name);
    if (!is_metric_name(name))
      TRY(names.settle(names.wrong(name, "is no name; write it like p95_latency")));
    if (known != config.names.end())
      *known = std::move(read);
    else
      config.names.push_back(std::move(read));
  }
  const ConfigSection labels = section.section("labels");
  for (const std::string& label : labels.keys()) {
    TRY(labels.read(label, config.labels[label]));
    for (const std::string& other : config.labels[label])
      if (!is_label_name(other))
        TRY(labels.settle(labels.wrong(label, fmt::format("'{}' is no name of a label", other))));
  }
  return {};
}

Result<EndpointConfig> read_endpoint(const ConfigSection& parent, std::string_view key,
                                     const MetricsEnvironment& environment) {
  EndpointConfig out;
  const ConfigSection section = parent.section(key);
  if (!parent.text(key).empty()) {
    out.url = trim(parent.text(key));
  } else {
    TRY(section.check(kEndpointKeys));
    TRY(section.read("url", out.url));
    TRY(section.read("token_env", out.token_env));
    TRY(section.read("timeout", out.timeout));
    int64_t retries = out.retries;
    TRY(section.read("retries", retries, 0, 5));
    out.retries = static_cast<int>(retries);
    if (out.timeout.count() == 0) return section.wrong("timeout", "must be above zero");
  }
  while (out.url.ends_with('/')) out.url.pop_back();
  const auto url = parse_url(out.url);
  if (!url) return parent.wrong(key, url.error().message);
  if (url->has_user)
    return parent.wrong(key,
                        "has a user or a password in its address, which stands in no file; take it "
                        "out and name the variable of a bearer token as token_env");
  if (!out.token_env.empty()) {
    out.token = environment(out.token_env).value_or("");
    if (out.token.empty())
      return section.wrong("token_env",
                           fmt::format("the variable {} is not set; export it", out.token_env));
  }
  return out;
}

Result<void> read_sources(const ConfigSection& section, std::string_view path,
                          const MetricsEnvironment& environment, MetricsConfig& config) {
  TRY(section.read("snapshot", config.snapshot));
  if (!config.snapshot.empty()) {
    const auto folder = std::filesystem::path(path).parent_path();
    config.snapshot = (folder / config.snapshot).lexically_normal().string();
  }
  if (section.has("prometheus"))
    TRY(section.take(read_endpoint(section, "prometheus", environment),
                     config.prometheus.emplace()));
  if (section.has("alertmanager"))
    TRY(section.take(read_endpoint(section, "alertmanager", environment),
                     config.alertmanager.emplace()));
  if (!config.snapshot.empty() && (config.prometheus || config.alertmanager))
    return section.wrong("snapshot", "goes without prometheus and alertmanager; keep one");
  return {};
}

Result<void> override_sources(const MetricsEnvironment& environment, MetricsConfig& config) {
  const auto read = [&](const std::string& variable,
                        std::optional<EndpointConfig>& endpoint) -> Result<void> {
    const auto url = environment(variable);
    if (!url) return {};
    if (!endpoint) endpoint.emplace();
    endpoint->url = trim(*url);
    while (endpoint->url.ends_with('/')) endpoint->url.pop_back();
    if (const auto parsed = parse_url(endpoint->url); !parsed)
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{}: {}", variable, parsed.error().message));
    config.snapshot.clear();
    return {};
  };
  TRY(read("PRECEDENT_PROMETHEUS_URL", config.prometheus));
  TRY(read("PRECEDENT_ALERTMANAGER_URL", config.alertmanager));
  if (const auto snapshot = environment("PRECEDENT_SNAPSHOT")) {
    config.snapshot = *snapshot;
    config.prometheus.reset();
    config.alertmanager.reset();
  }
  return {};
}

// The part of an environment of the file over what all of them share.
Result<void> read_environment(const ConfigSection& environments, const std::string& name,
                              std::string_view path, const MetricsEnvironment& environment,
                              MetricsConfig& config) {
  if (!environments.has(name)) return {};
  const ConfigSection own = environments.section(name);
  TRY(own.check(kEnvironmentKeys));
  if (!own.has("metrics")) return {};
  const ConfigSection metrics = own.section("metrics");
  TRY(metrics.check(kOwnKeys));
  TRY(metrics.settle(read_meanings(metrics, config)));
  return metrics.settle(read_sources(metrics, path, environment, config));
}

Result<void> check_named(const ConfigSection& root, const std::string& environment,
                         const std::vector<std::string>& known) {
  if (std::ranges::find(known, environment) != known.end()) return {};
  if (environment == "default" && known.empty()) return {};
  const auto close = nearest(environment, known);
  return root.wrong(
      "environments",
      fmt::format("there is no '{}'; {}", environment,
                  close           ? fmt::format("did you mean {}?", *close)
                  : known.empty() ? std::string("add it, or unset PRECEDENT_ENVIRONMENT")
                                  : fmt::format("there are {}", join(known, ", "))));
}

// That it is there; those of other environments may be on other machines.
void check_snapshot(const ConfigSection& own, const MetricsConfig& config, ConfigProblems& all) {
  std::error_code ignored;
  if (config.snapshot.empty() || std::filesystem::is_directory(config.snapshot, ignored)) return;
  all.push_back(own.section("metrics")
                    .wrong("snapshot", fmt::format("there is no folder {}; correct the path, or "
                                                   "make the snapshot",
                                                   config.snapshot))
                    .error());
}

// PromQL that no source of these names can run: a snapshot knows less of it than a Prometheus.
void check_promql(const ConfigSection& root, ConfigProblems& all) {
  const auto check_names = [&](const ConfigSection& names) {
    for (const std::string& name : names.keys()) {
      const ConfigSection one = names.section(name);
      if (!one.has("promql")) continue;
      const auto parsed = parse_promql(fill_in_promql(one.text("promql"), {}, {}, kAnyRange));
      if (!parsed)
        all.push_back(one.wrong("promql", fmt::format("the source is a snapshot, and there: {}",
                                                      parsed.error().message))
                          .error());
    }
  };
  const ConfigSection environments = root.section("environments");
  bool snapshots = false, others = false;
  for (const std::string& name : environments.keys()) {
    const ConfigSection metrics = environments.section(name).section("metrics");
    const bool frozen = metrics.has("snapshot");
    (frozen ? snapshots : others) = true;
    if (frozen) check_names(metrics.section("names"));
  }
  // What all environments share may be meant for those that have a Prometheus.
  if (snapshots && !others) check_names(root.section("metrics").section("names"));
}

// As the file has it.
Result<MetricsConfig> read_file(std::string_view yaml, std::string_view path,
                                const MetricsEnvironment& environment, ConfigProblems* all) {
  const YAML::Node node = TRY(parse_yaml(yaml, path));
  MetricsConfig config{.environment = "default"};
  if (node.IsDefined() && !node.IsNull()) {
    const ConfigSection root(node, path, "", all);
    TRY(root.check(kFileKeys));
    TRY(root.read("environment", config.environment));
    if (const auto named = environment("PRECEDENT_ENVIRONMENT")) config.environment = trim(*named);
    if (root.has("metrics")) {
      const ConfigSection shared = root.section("metrics");
      TRY(shared.check(kSharedKeys));
      TRY(shared.settle(read_meanings(shared, config)));
    }
    const ConfigSection environments = root.section("environments");
    const std::vector<std::string> known = environments.keys();
    TRY(root.settle(check_named(root, config.environment, known)));
    for (const std::string& other : known) {
      if (all == nullptr || other == config.environment) continue;
      // Whoever works in another environment has its variables.
      const auto set = [](const std::string&) { return std::optional<std::string>("set"); };
      MetricsConfig unused = config;
      TRY(read_environment(environments, other, path, set, unused));
    }
    TRY(read_environment(environments, config.environment, path, environment, config));
    if (all != nullptr) check_snapshot(environments.section(config.environment), config, *all);
    if (all != nullptr) check_promql(root, *all);
  }
  return config;
}

}  // namespace

std::string fill_in_promql(std::string promql, const std::vector<LabelFilter>& filters,
                           const std::vector<std::string>& by, seconds range) {
  std::vector<std::string> texts;
  for (const LabelFilter& filter : filters) texts.push_back(to_text(filter));
  replace_all(promql, "$filters", join(texts, ","));
  replace_all(promql, "$by", join(by, ", "));
  replace_all(promql, "$range", format_duration(range));
  return promql;
}

const MetricTemplate* MetricsConfig::find(std::string_view name) const {
  const auto found = std::ranges::find(names, name, &MetricTemplate::name);
  return found == names.end() ? nullptr : &*found;
}

Result<MetricsConfig> read_metrics_config(std::string_view yaml, std::string_view path,
                                          const MetricsEnvironment& environment,
                                          ConfigProblems* all) {
  MetricsConfig config = TRY(read_file(yaml, path, environment, all));
  // What the file leaves open is as it was built in: label by label, the names as a whole.
  static const MetricsConfig kBuiltIn =
      read_file(
          default_tools_config(), "config/tools.yaml",
          [](const std::string&) { return std::optional<std::string>(); }, nullptr)
          .value();
  for (const auto& [label, others] : kBuiltIn.labels) config.labels.try_emplace(label, others);
  if (config.names.empty()) config.names = kBuiltIn.names;
  TRY(override_sources(environment, config));
  return config;
}

}  // namespace precedent
