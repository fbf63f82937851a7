// config/tools.yaml: what it may say, and how its errors point.
#include "telemetry/query/metrics_config.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Result<MetricsConfig> read(std::string_view yaml,
                           std::map<std::string, std::string> variables = {}) {
  return read_metrics_config(yaml, "conf/tools.yaml",
                             [&](const std::string& name) -> std::optional<std::string> {
                               const auto found = variables.find(name);
                               if (found == variables.end()) return std::nullopt;
                               return found->second;
                             });
}

constexpr const char* kYaml = R"yaml(
environment: staging
metrics:
  names:
    error_rate: {statistic: ratio, metric: [a_total, b_total], where: ["code=~5.."], over: c_total}
    busy: {promql: "max by ($by) (busy{$filters})", unit: ratio}
  labels: {endpoint: [handler, route]}
environments:
  staging:
    metrics:
      prometheus: {url: "http://prom.staging:9090/", timeout: 3s, retries: 2, token_env: TOKEN}
      alertmanager: http://am.staging:9093
      window: 6h
      names:
        busy: {metric: load, aggregation: max}
  demo:
    metrics: {snapshot: ../demo}
)yaml";

TEST(MetricsConfig, AnEnvironmentAddsToWhatAllShareAndWins) {
  const auto config = read(kYaml, {{"TOKEN", "s3cret"}});
  ASSERT_TRUE(config) << config.error().text();
  EXPECT_EQ(config->environment, "staging");
  EXPECT_EQ(config->prometheus->url, "http://prom.staging:9090");
  EXPECT_EQ(config->prometheus->token, "s3cret");
  EXPECT_EQ(config->prometheus->retries, 2);
  EXPECT_EQ(config->prometheus->timeout, std::chrono::seconds(3));
  EXPECT_EQ(config->alertmanager->url, "http://am.staging:9093");
  EXPECT_EQ(config->window, std::chrono::hours(6));
  const MetricTemplate* errors = config->find("error_rate");
  EXPECT_THAT(errors->metrics, ElementsAre("a_total", "b_total"));
  EXPECT_THAT(errors->over, ElementsAre("c_total"));
  EXPECT_THAT(errors->where, ElementsAre(LabelFilter{"code", LabelFilter::Op::kMatches, "5.."}));
  EXPECT_EQ(config->find("busy")->promql, "");
  EXPECT_EQ(config->find("busy")->aggregation, Aggregation::kMax);
  EXPECT_THAT(config->labels.at("endpoint"), ElementsAre("handler", "route"));
}

TEST(MetricsConfig, WhatAFileLeavesOutIsAsItWasBuiltIn) {
  const auto own = read("metrics: {labels: {endpoint: [url]}}\n", {});
  ASSERT_TRUE(own) << own.error().text();
  EXPECT_THAT(own->labels.at("endpoint"), ElementsAre("url"));
  EXPECT_THAT(own->labels.at("service"), testing::Contains("app"));
  EXPECT_TRUE(own->find("p95_latency"));
  // Names of its own are all that there are.
  const auto named = read("metrics: {names: {queue: {metric: jobs}}}\n", {});
  ASSERT_TRUE(named) << named.error().text();
  EXPECT_TRUE(named->find("queue"));
  EXPECT_FALSE(named->find("p95_latency"));
}

TEST(MetricsConfig, TheProcessEnvironmentWins) {
  const auto demo = read(kYaml, {{"PRECEDENT_ENVIRONMENT", "demo"}});
  ASSERT_TRUE(demo) << demo.error().text();
  EXPECT_EQ(demo->snapshot, "demo");
  const auto snapshot = read(kYaml, {{"TOKEN", "x"}, {"PRECEDENT_SNAPSHOT", "/tmp/s"}});
  ASSERT_TRUE(snapshot);
  EXPECT_EQ(snapshot->snapshot, "/tmp/s");
  EXPECT_FALSE(snapshot->prometheus || snapshot->alertmanager);
  const auto url = read(kYaml, {{"PRECEDENT_ENVIRONMENT", "demo"},
                                {"PRECEDENT_PROMETHEUS_URL", "http://127.0.0.1:9090/"}});
  ASSERT_TRUE(url);
  EXPECT_EQ(url->prometheus->url, "http://127.0.0.1:9090");
  EXPECT_EQ(url->snapshot, "");
}

TEST(MetricsConfig, WhatIsBuiltInReadsAndNamesNoSource) {
  const auto config = read(default_tools_config());
  ASSERT_TRUE(config) << config.error().text();
  EXPECT_FALSE(config->prometheus || config->alertmanager);
  EXPECT_EQ(config->snapshot, "");
  for (const char* name :
       {"p50_latency", "p95_latency", "p99_latency", "throughput", "error_rate", "saturation"})
    EXPECT_NE(config->find(name), nullptr) << name;
  EXPECT_TRUE(read(""));
}

TEST(MetricsConfig, AnErrorNamesFileLineKeyAndRemedy) {
  const std::pair<const char*, const char*> kCases[] = {
      {"metrics:\n  nmes: {}\n", "conf/tools.yaml:2: metrics.nmes is unknown; did you mean names?"},
      {"metrics:\n  names:\n    a: {metric: 'x y'}\n",
       "conf/tools.yaml:3: metrics.names.a.metric: 'x y' is no name of a metric"},
      {"metrics:\n  names:\n    a: {}\n", "give either metric (one or a list) or promql"},
      {"metrics:\n  names:\n    a: {metric: b, statistic: median}\n",
       "'median' is none of value, rate"},
      {"metrics:\n  names:\n    a: {metric: b, where: nonsense}\n",
       "metrics.names.a.where: 'nonsense': is no filter"},
      {"metrics:\n  names:\n    a: {metric: b, quantile: 95}\n", "'95' is no number from 0 to 1"},
      {"metrics:\n  labels: {endpoint: ['a-b']}\n",
       "metrics.labels.endpoint: 'a-b' is no name of a label"},
      {"environment: prd\nenvironments: {prod: {}}\n", "there is no 'prd'; did you mean prod?"},
      {"environments: {default: {metrics: {prometheus: 'ftp://x'}}}\n",
       "environments.default.metrics.prometheus"},
      {"environments: {default: {metrics: {prometheus: {url: 'http://x', token_env: NO}}}}\n",
       "the variable NO is not set; export it"},
      {"environments: {default: {metrics: {snapshot: x, prometheus: 'http://x'}}}\n",
       "goes without prometheus"},
      {"environments: {default: {metrics: {prometheus: 'http://me:s3cret@x'}}}\n",
       "environments.default.metrics.prometheus: has a user or a password in its address"},
      {"environments: {default: {metrics: {alertmanager: {url: 'http://s3cret@x'}}}}\n",
       "name the variable of a bearer token as token_env"},
      {"metrics:\n  names:\n    a: {metric: b, statistic: ratio}\n",
       "metrics.names.a.statistic: is a ratio of all to all, which is always 1; add where"},
      {"metrics:\n  names:\n    a: {metric: b, over: b, statistic: ratio}\n", "always 1"},
      {"metrics: [\n", "this is no YAML"},
  };
  for (const auto& [yaml, expected] : kCases) {
    const auto config = read(yaml);
    ASSERT_FALSE(config) << yaml;
    EXPECT_EQ(config.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(config.error().message, HasSubstr(expected)) << yaml;
    EXPECT_THAT(config.error().message, HasSubstr("conf/tools.yaml:")) << yaml;
    EXPECT_THAT(config.error().message, Not(HasSubstr("s3cret")));
  }
}

TEST(MetricsConfig, AllProblemsOfAllEnvironmentsAreToldIfTheyAreWanted) {
  ConfigProblems problems;
  EXPECT_TRUE(read_metrics_config(
      R"(
environment: prod
metrics:
  window: 1s
  names:
    a: {statistic: median, metric: x}
    b: {metric: ["not a name"]}
environments:
  prod: {metrics: {prometheus: {url: nowhere, retries: 9}}}
  other: {metric: {}}
  third: {metrics: {prometheus: {url: "http://h", token_env: UNSET}, snapshot: x}}
)",
      "f", [](const std::string&) { return std::nullopt; }, &problems));
  std::vector<std::string> lines;
  for (const Error& problem : problems)
    lines.push_back(problem.message.substr(0, problem.message.find(':', 2)));
  EXPECT_THAT(lines,
              testing::UnorderedElementsAre("f:4", "f:6", "f:7", "f:9", "f:9", "f:10", "f:11"));
}

TEST(MetricsConfig, PromQlThatNoSourceCanRunIsAProblemOfACheck) {
  const auto problems_of = [](std::string_view promql, std::string_view environments) {
    ConfigProblems problems;
    EXPECT_TRUE(read_metrics_config(
        fmt::format("metrics:\n  names:\n    shared: {{promql: '{}'}}\nenvironments:\n{}", promql,
                    environments),
        "f", [](const std::string&) { return std::nullopt; }, &problems));
    std::vector<std::string> lines;
    for (const Error& problem : problems)
      if (problem.message.contains("promql")) lines.push_back(problem.message);
    return lines;
  };
  const char* frozen = "  demo: {metrics: {snapshot: '.', names: {own: {promql: 'a @ 5'}}}}\n";
  EXPECT_THAT(
      problems_of("deg(a)", frozen),
      ElementsAre(
          HasSubstr("f:5: environments.demo.metrics.names.own.promql: the source is a "
                    "snapshot, and there: PromQL, column 3: '@' is a modifier"),
          HasSubstr("f:3: metrics.names.shared.promql: the source is a snapshot, and there: "
                    "PromQL, column 1: 'deg' is no function")));
  // Another environment may run what all of them share.
  EXPECT_THAT(
      problems_of("deg(a)",
                  "  demo: {metrics: {snapshot: '.'}}\n"
                  "  live: {metrics: {prometheus: 'http://h', names: {own: {promql: 'a @ 5'}}}}\n"),
      testing::IsEmpty());
  EXPECT_THAT(problems_of("sum by ($by) (rate(x_total{$filters}[$range]))",
                          "  demo: {metrics: {snapshot: '.'}}\n"),
              testing::IsEmpty());
}

TEST(MetricsConfig, ASnapshotThatIsNotThereIsAProblemOfACheckOfItsEnvironment) {
  const auto problems_in = [](const char* environment) {
    ConfigProblems problems;
    const std::string text = fmt::format(
        "environment: {}\nenvironments:\n  a: {{metrics: {{window: 1h}}}}\n"
        "  b:\n    metrics:\n      snapshot: gone\n",
        environment);
    EXPECT_TRUE(read_metrics_config(
        text, "/nowhere/f", [](const std::string&) { return std::nullopt; }, &problems));
    return problems;
  };
  EXPECT_TRUE(problems_in("a").empty());
  ASSERT_EQ(problems_in("b").size(), 1u);
  EXPECT_THAT(problems_in("b")[0].text(),
              testing::HasSubstr("/nowhere/f:6: environments.b.metrics.snapshot: there is no "
                                 "folder /nowhere/gone"));
}

}  // namespace
}  // namespace precedent
