// PromQL on a snapshot against a real Prometheus over the data of promql_lab.h: the same series,
// the same times, the same numbers to 1e-9; and errors where the server has errors.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "net/curl_http_client.h"
#include "telemetry/prometheus/prometheus_source.h"
#include "telemetry/prometheus/promql_maker.h"
#include "telemetry/prometheus/servers_lab.h"
#include "telemetry/snapshot/embedded_metrics.h"
#include "telemetry/snapshot/promql_lab.h"

namespace precedent {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

std::vector<std::string> expressions() {
  std::vector<std::string> all;
  for (const char* function :
       {"rate", "irate", "increase", "delta", "idelta", "resets", "changes", "deriv",
        "avg_over_time", "min_over_time", "max_over_time", "sum_over_time", "count_over_time",
        "last_over_time", "present_over_time", "stddev_over_time", "stdvar_over_time",
        "absent_over_time"}) {
    for (const char* range : {"[1m]", "[5m]", "[7m13s]", "[1h] offset 10m"})
      all.push_back(fmt::format("{}(requests_total{{job!=\"web\"}}{})", function, range));
    all.push_back(fmt::format("{}(temperature[6m])", function));
    all.push_back(fmt::format("{}(queue_length[20m:90s])", function));
  }
  for (const char* aggregator : {"sum", "avg", "min", "max", "count", "group", "stddev", "stdvar",
                                 "topk(2,", "bottomk(2,", "quantile(0.3,"})
    for (const char* grouping : {"", " by (job)", " without (instance, room)"}) {
      const std::string_view all_of = aggregator;
      const size_t bracket = all_of.find('(');
      const auto with = [&](std::string_view of) {
        return fmt::format("{}{} ({}{})", all_of.substr(0, bracket), grouping,
                           bracket == all_of.npos ? "" : all_of.substr(bracket + 1), of);
      };
      all.push_back(with("requests_total"));
      all.push_back(with("temperature{room!=\"5\"}"));
    }
  for (const char* op : {"+", "-", "*", "/", "%", "^", "atan2", "==", "!=", "<", "<=", ">", ">="}) {
    all.push_back(fmt::format("temperature {} 7.5", op));
    all.push_back(fmt::format("7.5 {} temperature", op));
    all.push_back(fmt::format("used_bytes {} on (job) group_left limit_bytes", op));
    all.push_back(fmt::format("limit_bytes {} on (job) group_right used_bytes", op));
    all.push_back(fmt::format("temperature {} temperature offset 3m", op));
  }
  for (const char* op : {"==", "!=", "<", "<=", ">", ">="}) {
    all.push_back(fmt::format("queue_length {} bool 11", op));
    all.push_back(fmt::format("queue_length {} bool queue_length offset 1m", op));
    all.push_back(fmt::format("time() {} bool 1795082400", op));
  }
  for (const char* q : {"-0.1", "0", "0.5", "0.9", "0.99", "1", "1.1", "NaN"}) {
    all.push_back(fmt::format("histogram_quantile({}, rate(latency_seconds_bucket[5m]))", q));
    all.push_back(fmt::format(
        "histogram_quantile({}, sum by (job, le) (increase(latency_seconds_bucket[10m])))", q));
    all.push_back(fmt::format("quantile_over_time({}, temperature[9m])", q));
    all.push_back(fmt::format("quantile by (floor) ({}, temperature)", q));
  }
  for (const char* text : {
           "requests_total",
           "requests_total{code=~\"4..|5..\"}",
           "requests_total{code!~\"2.*\", job=\"api\"}",
           "requests_total{nothing=\"\"}",
           "{__name__=~\"queue_.*|limit_.*\"}",
           "{job=\"api\", __name__!~\"latency.*|requests.*\"}",
           "requests_total offset 7m",
           "requests_total offset -7m",
           "no_such_metric",
           "1 + 2 * 3 ^ 2 - 10 % 4 / 2",
           "-2 ^ 2",
           "2 ^ 3 ^ 2",
           "010 + 0x10 + 1e3 + .5",
           "time()",
           "vector(time())",
           "-queue_length",
           "+queue_length",
           "-(queue_length - 3) ^ 2",
           "0 / 0",
           "1 / 0",
           "sum(rate(requests_total{code=\"500\"}[5m])) / sum(rate(requests_total[5m]))",
           "sum by (job) (rate(requests_total{code=\"500\"}[5m])) / ignoring (code) sum by (job) "
           "(rate(requests_total[5m])) * 100",
           "sum by (job) (increase(requests_total[30m])) > 1000",
           "(sum(rate(requests_total{code=\"302\"}[5m])) or 0 * sum(rate(requests_total[5m]))) / "
           "sum(rate(requests_total[5m]))",
           "rate(latency_seconds_sum[5m]) / rate(latency_seconds_count[5m])",
           "sum by (job) (rate(latency_seconds_sum[5m])) / sum by (job) "
           "(rate(latency_seconds_count[5m]))",
           "sum(rate(latency_seconds_bucket{le=\"0.25\"}[5m])) by (job) / "
           "sum(rate(latency_seconds_count[5m])) by (job)",
           "queue_length * on (job) group_left (version) build_info",
           "used_bytes * on (job) group_left (version) build_info",
           "used_bytes / on (job) group_left limit_bytes > 0.8",
           "used_bytes and on (job) (queue_length > 12)",
           "used_bytes unless on (job) (queue_length > 12)",
           "queue_length > 14 or queue_length < 8",
           "queue_length or limit_bytes or build_info",
           "queue_length or on (job) build_info",
           "queue_length + 0 > 12 or queue_length * 100",
           "temperature > 0 and temperature < 20",
           "build_info unless build_info offset 10m",
           "count by (version) (build_info)",
           "count(count by (instance) (requests_total))",
           "max by (job) (max_over_time(rate(requests_total[5m])[30m:1m]))",
           "max_over_time(sum(rate(requests_total[5m]))[30m:])",
           "avg_over_time(queue_length[17m:47s] offset 5m)",
           "sum_over_time((queue_length > bool 10)[1h:1m]) / 60",
           "min_over_time(avg_over_time(queue_length[5m])[10m:3m] offset 1m)",
           "increase(sum(requests_total{job=\"batch\"})[20m:2m])",
           "holdings or absent(no_such_metric{job=\"x\", code=~\"5..\", code=\"1\"})",
           "absent(no_such_metric{code=\"1\", x=\"\", code=~\"5..\", job=\"x\", job=\"x\"})",
           "absent(queue_length{job=\"api\"})",
           "absent(sum(no_such_metric))",
           "absent_over_time(no_such_metric{job=\"api\"}[5m])",
           "absent_over_time(build_info{version=\"1.1\",job=\"api\"}[3m])",
           "abs(temperature)",
           "ceil(temperature)",
           "floor(temperature)",
           "round(temperature)",
           "round(temperature, 0.1)",
           "round(temperature, 5)",
           "sgn(temperature)",
           "sqrt(temperature)",
           "exp(temperature / 10)",
           "ln(temperature)",
           "log2(queue_length)",
           "log10(queue_length)",
           "clamp(temperature, -5, 15)",
           "clamp(temperature, 15, -5)",
           "clamp_min(temperature, 10)",
           "clamp_max(temperature, 10)",
           "clamp_max(queue_length, scalar(queue_length{job=\"web\"}))",
           "scalar(queue_length)",
           "scalar(queue_length{job=\"api\"}) * 2",
           "predict_linear(queue_length[15m], 3600)",
           "predict_linear(temperature[15m], -60)",
           "timestamp(used_bytes)",
           "time() - timestamp(used_bytes)",
           "timestamp(used_bytes + 0)",
           "sort(queue_length)",
           "sort_desc(queue_length)",
           "topk(scalar(vector(time() / 600 % 5)), requests_total)",
           "topk(1, rate(requests_total[5m])) by (job)",
           "bottomk(3, rate(requests_total[5m])) without (code)",
           "label_replace(queue_length, \"team\", \"$1-x\", \"job\", \"(a.*)\")",
           "label_replace(queue_length, \"team\", \"${first}$$2\", \"job\", \"(?P<first>.)(.*)\")",
           "label_replace(queue_length, \"job\", \"\", \"job\", \"a\")",
           "label_replace(queue_length, \"team\", \"all\", \"no_such_label\", \"\")",
           "label_replace(queue_length, \"__name__\", \"other\", \"\", \"\")",
           "label_join(used_bytes, \"both\", \"/\", \"job\", \"instance\")",
           "sum by (both) (label_join(used_bytes, \"both\", \"/\", \"job\", \"nothing\"))",
           "sum without (job) ({__name__=~\"queue_.*|limit_.*\"})",
           "sum by (__name__) ({__name__=~\"queue_.*|limit_.*\"})",
           "last_over_time({__name__=~\"queue_.*|limit_.*\"}[5m])",
           "stddev(temperature)",
           "count(temperature != temperature)",
           "queue_length == on (job) group_left () queue_length",
           "queue_length == ignoring (instance) queue_length",
           "used_bytes - ignoring (instance) group_left queue_length",
           "((queue_length))",
           "SUM(queue_length) BY (job)",
           "sum(queue_length) # a comment",
       })
    all.emplace_back(text);
  return all;
}

// What both refuse: the server when it parses, or when it computes.
const std::vector<std::string>& refused() {
  static const std::vector<std::string> kAll = {
      "used_bytes * on (job) limit_bytes",
      "limit_bytes * on (job) used_bytes",
      "used_bytes * on (job) group_right limit_bytes",
      "requests_total / on (job) group_left requests_total",
      "abs({__name__=~\"queue_.*|limit_.*\"})",
      "-{__name__=~\"queue_.*|limit_.*\"}",
      "rate({__name__=~\"queue_.*|limit_.*\"}[5m])",
      "label_replace(used_bytes, \"instance\", \"\", \"instance\", \".*\")",
      "label_replace(queue_length, \"1x\", \"\", \"job\", \".*\")",
      "label_replace(queue_length, \"x\", \"\", \"job\", \"(\")",
      "topk(NaN, queue_length)",
      "topk(scalar(queue_length), requests_total)",
      "topk(NaN, no_such_metric)",
      "sum(rate(requests_total)",
      "rate(queue_length)",
      "1 > 2",
      "queue_length[5m]",
      "{}",
      "{job=~\".*\"}",
      "queue_length and 1",
      "queue_length + bool 1",
      "queue_length * on (job) group_left (job) limit_bytes",
      "rate(queue_length[5m]) offset 5m",
      "(queue_length)[5m]",
      "queue_length offset 5m[5m]",
      "queue_length{__name__=\"x\"}",
      "sum(queue_length, queue_length)",
      "clamp(queue_length, 1)",
      "'text'",
  };
  return kAll;
}

// Two series may differ in the name alone, which neither source tells.
void put_in_order(std::vector<Series>& all) {
  std::ranges::stable_sort(all, [](const Series& a, const Series& b) {
    if (a.labels != b.labels) return a.labels < b.labels;
    if (a.samples.empty() || b.samples.empty()) return a.samples.size() < b.samples.size();
    return std::pair(a.samples[0].at, a.samples[0].value) <
           std::pair(b.samples[0].at, b.samples[0].value);
  });
}

bool same(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

std::string describe(const std::vector<Series>& all) {
  std::string out;
  for (const Series& series : all)
    out += fmt::format("  {} {} samples\n", format_labels(series.labels), series.samples.size());
  return out;
}

// "" if they are the same.
std::string difference(std::vector<Series> got, std::vector<Series> expected) {
  put_in_order(got);
  put_in_order(expected);
  const auto shape = [&] { return "got\n" + describe(got) + "expected\n" + describe(expected); };
  if (got.size() != expected.size()) return shape();
  for (size_t i = 0; i < got.size(); ++i) {
    const auto &a = got[i].samples, &b = expected[i].samples;
    if (got[i].labels != expected[i].labels || a.size() != b.size()) return shape();
    for (size_t k = 0; k < a.size(); ++k)
      if (a[k].at != b[k].at || !same(a[k].value, b[k].value))
        return fmt::format("{} at {}: got {}, expected {} at {}\n", format_labels(got[i].labels),
                           format_time(a[k].at), a[k].value, b[k].value, format_time(b[k].at));
  }
  return "";
}

struct PromqlServersTest : testing::Test {
  void SetUp() override {
    const ServersLab lab = ServersLab::find("/promql");
    ASSERT_FALSE(lab.prometheus.empty())
        << "no server; `ctest` starts it, or: scripts/telemetry-servers start "
           "'" PRECEDENT_TELEMETRY_NAME
           "/promql' FILE with the second of what telemetry_lab_data "
           "writes";
    server = std::make_unique<PrometheusSource>(client, EndpointConfig{.url = lab.prometheus});
  }
  CurlHttpClient client;
  std::unique_ptr<PrometheusSource> server;
  EmbeddedMetrics snapshot{"the lab", promql_lab_data()};
  CancelToken cancel;
  SourceContext context{cancel};
  // From before the first sample to beyond the last; on whole minutes, and beside them.
  std::vector<Window> windows = {
      {promql_lab_begin() - minutes(10), promql_lab_end() + minutes(20), minutes(5)},
      {promql_lab_begin() + milliseconds(63'217), promql_lab_end(), seconds(433)}};
};

TEST_F(PromqlServersTest, EveryNumberIsThatOfPrometheus) {
  const std::vector<std::string> all = expressions();
  EXPECT_GE(all.size(), 150u);
  size_t with_values = 0;
  for (const std::string& text : all)
    for (const Window& window : windows) {
      const auto expected = server->range(PromQl{text}, window, context);
      ASSERT_TRUE(expected) << text << "\n" << expected.error().text();
      const auto got = snapshot.range(PromQl{text}, window, context);
      if (!got) {
        ADD_FAILURE() << text << "\n" << got.error().text();
        continue;
      }
      const std::string other = difference(got->series, expected->series);
      EXPECT_EQ(other, "") << text << ", step " << window.step;
      if (!expected->series.empty()) ++with_values;
    }
  // Comparing nothing with nothing would be easy.
  EXPECT_GT(with_values, all.size() * 2 * 9 / 10);
}

TEST_F(PromqlServersTest, SoIsThatOfExpressionsNobodyWrote) {
  constexpr int kExpressions = 1000;
  PromqlMaker maker(2026);
  size_t with_values = 0, refused_by_both = 0;
  for (int i = 0; i < kExpressions; ++i) {
    const std::string text = maker.vector(3);
    const Window& window = windows[i % windows.size()];
    const auto expected = server->range(PromQl{text}, window, context);
    const auto got = snapshot.range(PromQl{text}, window, context);
    EXPECT_EQ(got.has_value(), expected.has_value()) << text << "\n"
                                                     << (got ? expected : got).error().text();
    if (!got || !expected) {
      ++refused_by_both;
      continue;
    }
    EXPECT_EQ(difference(got->series, expected->series), "") << text;
    if (!expected->series.empty()) ++with_values;
  }
  EXPECT_GT(with_values, kExpressions / 2u);
  EXPECT_GT(refused_by_both, kExpressions / 20u);
}

TEST_F(PromqlServersTest, WhatTheServerRefusesASnapshotRefuses) {
  for (const std::string& text : refused()) {
    const auto there = server->range(PromQl{text}, windows[0], context);
    EXPECT_FALSE(there) << text;
    const auto here = snapshot.range(PromQl{text}, windows[0], context);
    ASSERT_FALSE(here) << text;
    EXPECT_EQ(here.error().code, ErrorCode::kInvalidArgument) << here.error().text();
  }
}

}  // namespace
}  // namespace precedent
