// PromQL over series in memory, by what Prometheus' documentation says of it. That all numbers are
// those of a real Prometheus is the concern of promql_servers_test.cc.
#include "telemetry/promql/promql_eval.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "telemetry/promql/promql_parser.h"
#include "telemetry/snapshot/embedded_metrics.h"

namespace precedent {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
Instant start() { return Instant(std::chrono::hours(24 * 365 * 56)); }

// The values of a series, a minute apart from start() on.
std::vector<Sample> each_minute(const std::vector<double>& values) {
  std::vector<Sample> samples;
  for (size_t i = 0; i < values.size(); ++i) samples.push_back({start() + minutes(i), values[i]});
  return samples;
}

struct PromqlTest : testing::Test {
  void add(const std::string& metric, LabelSet labels, const std::vector<double>& values) {
    series[metric].push_back({std::move(labels), each_minute(values)});
  }
  Result<std::vector<Series>> run(std::string_view text, const Window& window) {
    const auto root = parse_promql(text);
    if (!root) return std::unexpected(root.error());
    return evaluate_promql(text, **root, window, series, context);
  }
  // At one moment: "{a="b"} 1 {a="c"} 2", so many minutes after the start.
  std::string at(int minute, std::string_view text) {
    const Instant now = start() + minutes(minute);
    const auto answer = run(text, {now, now});
    if (!answer) return answer.error().message;
    std::string out;
    for (const Series& one : *answer)
      out += (out.empty() ? "" : " ") + format_labels(one.labels) +
             // The sign of NaN means nothing.
             fmt::format(" {:.10g}",
                         std::isnan(one.samples.at(0).value) ? kNan : one.samples.at(0).value);
    return out;
  }
  NamedSeries series;
  CancelToken cancel;
  SourceContext context{cancel};
};

TEST_F(PromqlTest, AValueCountsForFiveMinutesAndUntilItsSeriesIsStale) {
  add("a", {}, {1, 2});
  add("gone", {}, {1, 2, stale_marker()});
  EXPECT_EQ(at(0, "a"), "{} 1");
  EXPECT_EQ(at(6, "a"), "{} 2");
  EXPECT_EQ(at(7, "a"), "");
  EXPECT_EQ(at(1, "gone"), "{} 2");
  EXPECT_EQ(at(2, "gone"), "");
  EXPECT_EQ(at(3, "a offset 2m"), "{} 2");
  EXPECT_EQ(at(0, "a offset -1m"), "{} 2");
  EXPECT_EQ(at(2, "last_over_time(gone[5m])"), "{} 2");
}

TEST_F(PromqlTest, ARangeHasBothItsEnds) {
  add("a", {}, {1, 2, 3, 4});
  EXPECT_EQ(at(3, "count_over_time(a[2m])"), "{} 3");
  EXPECT_EQ(at(3, "count_over_time(a[2m] offset 1m)"), "{} 3");
  EXPECT_EQ(at(3, "sum_over_time(a[1m])"), "{} 7");
  EXPECT_EQ(at(60, "count_over_time(a[2m])"), "");
}

TEST_F(PromqlTest, EveryMatcherIsAnchored) {
  add("a", {{"code", "500"}}, {1});
  add("a", {{"code", "503"}, {"x", "y"}}, {2});
  add("b", {{"code", "500"}}, {3});
  EXPECT_EQ(at(0, "a{code=\"500\"}"), "{code=\"500\"} 1");
  EXPECT_EQ(at(0, "a{code!=\"500\"}"), "{code=\"503\",x=\"y\"} 2");
  EXPECT_EQ(at(0, "a{code=~\"50\"}"), "");
  EXPECT_EQ(at(0, "sum(a{code=~\"50.\"})"), "{} 3");
  EXPECT_EQ(at(0, "a{code!~\"500|501\"}"), "{code=\"503\",x=\"y\"} 2");
  EXPECT_EQ(at(0, "a{x=\"\"}"), "{code=\"500\"} 1");
  EXPECT_EQ(at(0, "sum({__name__=~\"a|b\"})"), "{} 6");
  EXPECT_EQ(at(0, "sum by (__name__) ({__name__=~\"a|b\"})"), "{} 3 {} 3");
}

TEST_F(PromqlTest, ACounterThatFellBeganAtZero) {
  add("c", {}, {100, 160, 20, 80, 140, 200});
  // 60 + 20 + 60 + 60 + 60 between samples that reach both ends.
  EXPECT_EQ(at(5, "increase(c[5m])"), "{} 260");
  EXPECT_EQ(at(5, "rate(c[5m])"), fmt::format("{{}} {:.10g}", 260.0 / 300));
  EXPECT_EQ(at(5, "delta(c[5m])"), "{} 100");
  EXPECT_EQ(at(5, "resets(c[5m])"), "{} 1");
  EXPECT_EQ(at(2, "irate(c[5m])"), fmt::format("{{}} {:.10g}", 20.0 / 60));
  EXPECT_EQ(at(2, "idelta(c[5m])"), "{} -140");
  EXPECT_EQ(at(0, "rate(c[5m])"), "");
}

TEST_F(PromqlTest, ASeriesThatBeginsInTheRangeIsExtendedByHalfAScrape) {
  series["late"].push_back({{},
                            {{start() + minutes(7), 600},
                             {start() + minutes(8), 660},
                             {start() + minutes(9), 720},
                             {start() + minutes(10), 780}}});
  // 180 in three minutes, and half a minute more; not the seven before.
  EXPECT_EQ(at(10, "increase(late[10m])"), "{} 210");
  // A counter was not below zero: from 6 on it has been there for six seconds at most.
  series["fresh"].push_back({{}, {{start() + minutes(9), 6}, {start() + minutes(10), 66}}});
  EXPECT_EQ(at(10, "increase(fresh[10m])"), "{} 66");
}

TEST_F(PromqlTest, OverTime) {
  add("a", {{"x", "y"}}, {4, kNan, 2, 8});
  EXPECT_EQ(at(3, "max_over_time(a[5m])"), "{x=\"y\"} 8");
  EXPECT_EQ(at(3, "min_over_time(a[5m])"), "{x=\"y\"} 2");
  EXPECT_EQ(at(3, "sum_over_time(a[5m])"), "{x=\"y\"} nan");
  EXPECT_EQ(at(3, "avg_over_time(a[1m])"), "{x=\"y\"} 5");
  EXPECT_EQ(at(3, "quantile_over_time(0.25, a[1m])"), "{x=\"y\"} 3.5");
  EXPECT_EQ(at(3, "stddev_over_time(a[1m])"), "{x=\"y\"} 3");
  EXPECT_EQ(at(3, "changes(a[5m])"), "{x=\"y\"} 3");
  EXPECT_EQ(at(3, "present_over_time(a[5m])"), "{x=\"y\"} 1");
}

TEST_F(PromqlTest, ArithmeticFollowsIeeeAndGo) {
  EXPECT_EQ(at(0, "1 / 0"), "{} inf");
  EXPECT_EQ(at(0, "0 / 0"), "{} nan");
  EXPECT_EQ(at(0, "-7 % 4"), "{} -3");
  EXPECT_EQ(at(0, "2 ^ 3 ^ 2"), "{} 512");
  EXPECT_EQ(at(0, "-2 ^ 2"), "{} -4");
  EXPECT_EQ(at(0, "1 + 2 * 3 - 4 / 2"), "{} 5");
  EXPECT_EQ(at(0, "(1 > bool 2) + (3 >= bool 3)"), "{} 1");
  EXPECT_EQ(at(0, "vector(3) + 1"), "{} 4");
  EXPECT_EQ(at(0, "time() - vector(time())"), "{} 0");
}

TEST_F(PromqlTest, ComparisonsFilterOrAreBool) {
  add("a", {{"i", "1"}}, {10});
  add("a", {{"i", "2"}}, {20});
  add("a", {{"i", "3"}}, {kNan});
  EXPECT_EQ(at(0, "a > 10"), "{i=\"2\"} 20");
  EXPECT_EQ(at(0, "10 < a"), "{i=\"2\"} 20");
  EXPECT_EQ(at(0, "a != 10"), "{i=\"2\"} 20 {i=\"3\"} nan");
  EXPECT_EQ(at(0, "a > bool 10"), "{i=\"1\"} 0 {i=\"2\"} 1 {i=\"3\"} 0");
  EXPECT_EQ(at(0, "a == a"), "{i=\"1\"} 10 {i=\"2\"} 20");
}

TEST_F(PromqlTest, VectorsMeetByTheirLabels) {
  add("errors", {{"method", "get"}, {"code", "500"}}, {24});
  add("errors", {{"method", "get"}, {"code", "404"}}, {30});
  add("errors", {{"method", "post"}, {"code", "500"}}, {6});
  add("requests", {{"method", "get"}, {"team", "a"}}, {600});
  add("requests", {{"method", "del"}}, {34});
  add("requests", {{"method", "post"}}, {120});
  EXPECT_EQ(at(0, "errors{code=\"500\"} / ignoring (code, team) requests"),
            "{method=\"get\"} 0.04 {method=\"post\"} 0.05");
  EXPECT_EQ(
      at(0, "errors / on (method) group_left (team) requests"),
      "{code=\"404\",method=\"get\",team=\"a\"} 0.05 {code=\"500\",method=\"get\",team=\"a\"} "
      "0.04 {code=\"500\",method=\"post\"} 0.05");
  EXPECT_EQ(at(0, "requests / on (method) group_right errors"),
            "{code=\"404\",method=\"get\"} 20 {code=\"500\",method=\"get\"} 25 "
            "{code=\"500\",method=\"post\"} 20");
  EXPECT_EQ(at(0, "requests and on (method) errors"),
            "{method=\"get\",team=\"a\"} 600 {method=\"post\"} 120");
  EXPECT_EQ(at(0, "requests unless on (method) errors"), "{method=\"del\"} 34");
  EXPECT_EQ(at(0, "sum(nothing) or vector(0)"), "{} 0");
  EXPECT_EQ(at(0, "errors / requests"), "");
  EXPECT_THAT(at(0, "errors / on (method) requests"),
              AllOf(HasSubstr("column 8: '/' finds several series on its left side"),
                    HasSubstr("group_left")));
  EXPECT_THAT(at(0, "requests / on (method) errors"),
              AllOf(HasSubstr("several series on its right side for one match"),
                    HasSubstr("method=\"get\"")));
  EXPECT_THAT(at(0, "errors * on (code) group_right requests"), HasSubstr("on its left side"));
}

TEST_F(PromqlTest, TwoSeriesThatBecomeTheSameAreAnError) {
  add("a", {{"x", "y"}}, {1});
  add("b", {{"x", "y"}}, {2});
  EXPECT_THAT(at(0, "abs({__name__=~\"a|b\"})"),
              AllOf(HasSubstr("column 1: 'abs' gives two series with the same labels, {x=\"y\"}"),
                    HasSubstr("by ()")));
  EXPECT_THAT(at(0, "-{__name__=~\"a|b\"}"), HasSubstr("same labels"));
  EXPECT_EQ(at(0, "{__name__=~\"a|b\"} > 1"), "{x=\"y\"} 2");
}

TEST_F(PromqlTest, Aggregations) {
  add("a", {{"job", "x"}, {"i", "1"}}, {1});
  add("a", {{"job", "x"}, {"i", "2"}}, {3});
  add("a", {{"job", "y"}, {"i", "3"}}, {8});
  EXPECT_EQ(at(0, "sum(a)"), "{} 12");
  EXPECT_EQ(at(0, "sum by (job) (a)"), "{job=\"x\"} 4 {job=\"y\"} 8");
  EXPECT_EQ(at(0, "avg without (i) (a)"), "{job=\"x\"} 2 {job=\"y\"} 8");
  EXPECT_EQ(at(0, "count(a) + max(a) - min(a)"), "{} 10");
  EXPECT_EQ(at(0, "stddev by (job) (a)"), "{job=\"x\"} 1 {job=\"y\"} 0");
  EXPECT_EQ(at(0, "stdvar(a * NaN)"), "{} nan");
  EXPECT_EQ(at(0, "stdvar(a{job=\"y\"} * NaN)"), "{} 0");
  EXPECT_EQ(at(0, "quantile(0.5, a)"), "{} 3");
  EXPECT_EQ(at(0, "topk(1, a)"), "{i=\"3\",job=\"y\"} 8");
  EXPECT_EQ(at(0, "topk by (job) (1, a)"), "{i=\"2\",job=\"x\"} 3 {i=\"3\",job=\"y\"} 8");
  EXPECT_EQ(at(0, "bottomk(1, a)"), "{i=\"1\",job=\"x\"} 1");
  EXPECT_EQ(at(0, "topk(0, a)"), "");
  EXPECT_THAT(at(0, "topk(NaN, a)"), HasSubstr("'topk' is asked for nan series"));
  EXPECT_EQ(at(0, "sum(nothing)"), "");
}

TEST_F(PromqlTest, Histograms) {
  for (const auto& [le, count] :
       std::vector<std::pair<std::string, double>>{{"0.1", 60}, {"0.5", 90}, {"+Inf", 100}})
    add("h_bucket", {{"le", le}, {"job", "x"}}, {0, count});
  EXPECT_EQ(at(1, "histogram_quantile(0.75, rate(h_bucket[1m]))"), "{job=\"x\"} 0.3");
  EXPECT_EQ(at(1, "histogram_quantile(0.75, sum by (le) (h_bucket))"), "{} 0.3");
  EXPECT_EQ(at(1, "histogram_quantile(0.99, h_bucket)"), "{job=\"x\"} 0.5");
  EXPECT_EQ(at(1, "histogram_quantile(2, h_bucket)"), "{job=\"x\"} inf");
  EXPECT_EQ(at(1, "histogram_quantile(0.5, h_bucket{le!=\"+Inf\"})"), "{job=\"x\"} nan");
}

TEST_F(PromqlTest, FunctionsOfValuesAndLabels) {
  add("a", {{"host", "web-7:80"}}, {-2.45});
  EXPECT_EQ(at(0, "abs(a)"), "{host=\"web-7:80\"} 2.45");
  EXPECT_EQ(at(0, "round(a, 0.1)"), "{host=\"web-7:80\"} -2.4");
  EXPECT_EQ(at(0, "ceil(a) + floor(a)"), "{host=\"web-7:80\"} -5");
  EXPECT_EQ(at(0, "clamp_min(a, 0)"), "{host=\"web-7:80\"} 0");
  EXPECT_EQ(at(0, "clamp_max(a, -3)"), "{host=\"web-7:80\"} -3");
  EXPECT_EQ(at(0, "clamp(a, 2, 1)"), "");
  EXPECT_EQ(at(0, "scalar(a) + 3"), "{} 0.55");
  EXPECT_EQ(at(0, "scalar(nothing)"), "{} nan");
  EXPECT_EQ(at(0, "absent(a)"), "");
  EXPECT_EQ(at(0, "absent(nothing{job=\"x\",y=~\"z\"})"), "{job=\"x\"} 1");
  EXPECT_EQ(at(0, "absent_over_time(nothing[5m])"), "{} 1");
  EXPECT_EQ(at(1, "timestamp(a) - time()"), "{host=\"web-7:80\"} -60");
  EXPECT_EQ(at(0, "label_replace(a, \"pod\", \"$1/${port}\", \"host\", \"(.*):(?P<port>.*)\")"),
            "{host=\"web-7:80\",pod=\"web-7/80\"} -2.45");
  EXPECT_EQ(at(0, "label_replace(a, \"host\", \"\", \"host\", \".*\")"), "{} -2.45");
  EXPECT_EQ(at(0, "label_join(a, \"both\", \"+\", \"host\", \"host\")"),
            "{both=\"web-7:80+web-7:80\",host=\"web-7:80\"} -2.45");
  EXPECT_THAT(at(0, "label_replace(a, \"1\", \"\", \"host\", \".*\")"),
              HasSubstr("'label_replace' writes to '1', which is no label"));
}

TEST_F(PromqlTest, SubqueriesLookAtTheMultiplesOfTheirStep) {
  add("a", {}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(at(5, "max_over_time(a[5m:1m])"), "{} 6");
  EXPECT_EQ(at(5, "count_over_time(a[5m:2m])"), "{} 3");
  EXPECT_EQ(at(5, "sum_over_time(a[2m:] offset 1m)"), "{} 12");
  EXPECT_EQ(at(5, "max_over_time(rate(a[2m])[3m:1m])"), fmt::format("{{}} {:.10g}", 1.0 / 60));
}

TEST_F(PromqlTest, SeriesThatTakeTurnsAreOne) {
  add("a", {}, {1, 5, 1, 5});
  const auto answer = run("a + 0 > 2 or a * 100", {start(), start() + minutes(3)});
  ASSERT_TRUE(answer) << answer.error().text();
  ASSERT_EQ(answer->size(), 1u);
  std::vector<double> values;
  for (const Sample& sample : (*answer)[0].samples) values.push_back(sample.value);
  EXPECT_THAT(values, ElementsAre(100, 5, 100, 5));
}

TEST_F(PromqlTest, LimitsAndTheClockHold) {
  add("a", {}, {1, 2});
  const auto code = [&](std::string_view text, const Window& window) {
    const auto answer = run(text, window);
    return answer ? "ok" : std::string(name(answer.error().code));
  };
  const Window minute{start(), start() + minutes(1), seconds(1)};
  EXPECT_EQ(code("a", minute), "ok");
  EXPECT_EQ(code("max_over_time(a[10y:1ms])", minute), "resource_exhausted");
  EXPECT_EQ(
      code("a", {start(), start() + std::chrono::hours(24 * 365), std::chrono::milliseconds(1)}),
      "resource_exhausted");
  context.deadline = std::chrono::steady_clock::now() - seconds(1);
  EXPECT_EQ(code("a", minute), "timeout");
  cancel.cancel();
  EXPECT_EQ(code("a", minute), "cancelled");
}

// Both engines of a snapshot: the one of metric=, and this one.
TEST_F(PromqlTest, IsWhatMetricQueriesSayTheyAre) {
  for (const char* code : {"200", "500"})
    for (const char* job : {"x", "y"}) {
      std::vector<double> values;
      for (int i = 0; i < 90; ++i)
        values.push_back(code[0] == '5' && i < 30 ? stale_marker()
                                                  : (i % 40) * (job[0] + i % 7) * 3.25);
      add("c_total", {{"code", code}, {"job", job}}, values);
      for (const char* le : {"0.1", "1", "+Inf"})
        add("h_bucket", {{"le", le}, {"job", job}, {"code", code}}, values);
    }
  MetricData data;
  data.series = series;
  const EmbeddedMetrics source("x", data);
  std::vector<MetricQuery> queries;
  for (const Statistic statistic : {Statistic::kValue, Statistic::kRate, Statistic::kIncrease})
    for (const Aggregation aggregation : {Aggregation::kSum, Aggregation::kAvg, Aggregation::kMin,
                                          Aggregation::kMax, Aggregation::kCount})
      for (const std::vector<std::string>& by : {std::vector<std::string>{}, {"job"}})
        queries.push_back(
            {.statistic = statistic, .of = {"c_total"}, .aggregation = aggregation, .by = by});
  queries.push_back(
      {.statistic = Statistic::kQuantile, .of = {"h"}, .quantile = 0.6, .by = {"job"}});
  queries.push_back({.statistic = Statistic::kRatio,
                     .of = {"c_total", {{"code", {}, "500"}}},
                     .over = {"c_total"},
                     .by = {"job"}});
  const Window window{start() + seconds(30), start() + minutes(100), seconds(30)};
  for (const MetricQuery& query : queries) {
    SCOPED_TRACE(to_promql(query));
    const auto expected = source.range(query, window, context);
    const auto got = source.range(PromQl{to_promql(query)}, window, context);
    ASSERT_TRUE(expected && got) << got.error().text();
    ASSERT_EQ(got->series.size(), expected->series.size());
    for (size_t i = 0; i < got->series.size(); ++i) {
      EXPECT_EQ(got->series[i].labels, expected->series[i].labels);
      const auto &a = got->series[i].samples, &b = expected->series[i].samples;
      ASSERT_EQ(a.size(), b.size());
      for (size_t k = 0; k < a.size(); ++k)
        EXPECT_TRUE(a[k].at == b[k].at &&
                    ((std::isnan(a[k].value) && std::isnan(b[k].value)) ||
                     std::abs(a[k].value - b[k].value) <= 1e-12 * std::abs(b[k].value)))
            << a[k].value << " " << b[k].value;
    }
  }
}

TEST(PromqlOfASnapshot, AMetricThatIsNotThereIsToldWithTheNearest) {
  MetricData data;
  data.series["http_requests_total"] = {{{}, each_minute({1, 2, 3})}};
  const EmbeddedMetrics source("the snapshot x", std::move(data));
  const CancelToken cancel;
  const auto answer = source.range(PromQl{"sum(rate(htp_requests_total[5m]))"},
                                   {start(), start() + minutes(2)}, {cancel});
  ASSERT_TRUE(answer) << answer.error().text();
  EXPECT_THAT(answer->series, IsEmpty());
  EXPECT_THAT(
      answer->warnings,
      ElementsAre("There is no metric htp_requests_total in the snapshot x. The nearest names: "
                  "http_requests_total; metrics_query metric=* lists all."));
}

}  // namespace
}  // namespace precedent
