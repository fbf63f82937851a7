// The grammar of metrics_query: what is read, and what an error says.
#include "telemetry/query/query_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::HasSubstr;
using Op = LabelFilter::Op;

TEST(QueryText, ReadsWhatPeopleWrite) {
  const std::pair<const char*, MetricsQuestion> kCases[] = {
      {"metric=p95_latency window=24h filter=endpoint=/api/search",
       {.metric = "p95_latency",
        .filters = {{"endpoint", Op::kEqual, "/api/search"}},
        .window = hours(24)}},
      {"p95_latency", {.metric = "p95_latency"}},
      {"http_requests_total window=1h30m",
       {.metric = "http_requests_total", .window = minutes(90)}},
      {"metric=a filter=\"name=two words\" filter='b!=x y'",
       {.metric = "a",
        .filters = {{"name", Op::kEqual, "two words"}, {"b", Op::kNotEqual, "x y"}}}},
      {"metric=a filter=code=~5.. filter=path!~\"/health|/ready\"",
       {.metric = "a",
        .filters = {{"code", Op::kMatches, "5.."}, {"path", Op::kNotMatches, "/health|/ready"}}}},
      {"metric=a by=handler,code by=handler", {.metric = "a", .by = {"handler", "code"}}},
      {"metric=a stat=p99.9 agg=max",
       {.metric = "a",
        .statistic = Statistic::kQuantile,
        .quantile = 0.999,
        .aggregation = Aggregation::kMax}},
      {"metric=a since=2026-11-19T13:00Z until=1h",
       {.metric = "a", .since = parse_time("2026-11-19T13:00Z").value(), .until = seconds(3600)}},
      {"metric=a since=\"2026-11-19 13:00\"",
       {.metric = "a", .since = parse_time("2026-11-19T13:00Z").value()}},
      {"metric=a since=last-deploy", {.metric = "a", .since = LastDeployOf{}}},
      {"metric=a since=last_deploy", {.metric = "a", .since = LastDeployOf{}}},
      {"metric=a since=\"last deploy\"", {.metric = "a", .since = LastDeployOf{}}},
      {"metric=a since=last-deploy:shop", {.metric = "a", .since = LastDeployOf{"shop"}}},
      {"alert=SearchLatencyHigh", {.alert = "SearchLatencyHigh"}},
      {"sum by (job) (rate(x{a=\"b\"}[5m])) window=6h",
       {.promql = "sum by (job) (rate(x{a=\"b\"}[5m]))", .window = hours(6)}},
      {"x{a=\" window=6h\"} > 1", {.promql = "x{a=\" window=6h\"} > 1"}},
      {"x == 1", {.promql = "x == 1"}},
      {"x offset 1h window=2h", {.promql = "x offset 1h", .window = hours(2)}},
      {"a and b", {.promql = "a and b"}},
      {"metric=*", {.metric = "*"}},
      {"metric=http*", {.metric = "http*"}},
      {"promql=\"up{job=\\\"a\\\"}\" window=1h", {.promql = "up{job=\"a\"}", .window = hours(1)}},
  };
  for (const auto& [text, expected] : kCases) {
    const auto read = parse_metrics_question(text);
    ASSERT_TRUE(read) << text << ": " << read.error().text();
    EXPECT_EQ(*read, expected) << text;
  }
}

TEST(QueryText, AnErrorNamesTheTokenAndTheRemedy) {
  const std::pair<const char*, const char*> kCases[] = {
      {"", "the query is empty; write metric="},
      {"metric=a windwo=3h", "'windwo=3h': there is no windwo=; did you mean window=?"},
      {"metric=a window=soon", "'window=soon': is no duration"},
      {"metric=a window=5s", "'window=5s': is no duration from 30s on"},
      {"metric=a filter=x", "'x': is no filter; write filter=label=value"},
      {"metric=a filter=1x=2", "'1x' is no label"},
      {"metric=a since=whenever",
       "'since=whenever': is no time; write 2026-11-19T13:00Z, 2h for two hours ago, or "
       "last-deploy"},
      {"metric=a since=last-deploys", "is no deploy; write since=last-deploy"},
      {"metric=a since=last-deploy:", "is no deploy; write since=last-deploy"},
      {"metric=a until=last-deploy", "'until=last-deploy': is no time"},
      {"metric=a filter=\"x=1", "the quote \" is not closed"},
      {"metric=a last 24h", "'last': is no key=value"},
      {"metric=a{code=500}", "write filter=code=500 for each"},
      {"metric=a metric=b", "'metric=b': is given twice"},
      {"metric=a window=1h window=2h", "'window=2h': is given twice"},
      {"metric=a since=2h stat=p95 since=3h", "'since=3h': is given twice"},
      {"metric=", "'metric=': has no value"},
      {"metric=*a", "is no name of a metric"},
      {"metric=* by=job", "leave them out of a list"},
      {"window=24h", "names no metric"},
      {"metric=a promql=\"up\"", "more than one of"},
      {"promql=\"up\" filter=a=b", "write them into the PromQL"},
      {"metric=a stat=median", "there are value, rate, increase and p0 to p100"},
      {"metric=a agg=mean", "there are sum, avg, min, max and count"},
      {"how slow is search", "is neither metric=… nor PromQL"},
  };
  for (const auto& [text, expected] : kCases) {
    const auto read = parse_metrics_question(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(read.error().message, HasSubstr(expected)) << text;
  }
}

TEST(QueryText, WindowsEndNowUnlessSaidOtherwise) {
  const Instant now = parse_time("2026-11-19T14:00Z").value();
  const auto span = [&](const char* text) {
    const auto resolved = resolve_span(parse_metrics_question(text).value(), now, hours(24));
    if (!resolved) return resolved.error().message;
    return format_time(resolved->from) + " " + format_time(resolved->to);
  };
  EXPECT_EQ(span("a"), "2026-11-18T14:00:00Z 2026-11-19T14:00:00Z");
  EXPECT_EQ(span("a window=1h"), "2026-11-19T13:00:00Z 2026-11-19T14:00:00Z");
  EXPECT_EQ(span("a window=1h until=2h"), "2026-11-19T11:00:00Z 2026-11-19T12:00:00Z");
  EXPECT_EQ(span("a since=3h"), "2026-11-19T11:00:00Z 2026-11-19T14:00:00Z");
  EXPECT_EQ(span("a since=3h window=1h"), "2026-11-19T11:00:00Z 2026-11-19T12:00:00Z");
  EXPECT_EQ(span("a since=2026-11-19 until=now"), "2026-11-19T00:00:00Z 2026-11-19T14:00:00Z");
  EXPECT_THAT(span("a since=2026-11-20"), HasSubstr("is not before now"));
  EXPECT_THAT(span("a since=1h until=2h"), HasSubstr("is no window"));
}

TEST(Durations, AreWrittenAsTheyAreRead) {
  for (const char* text : {"30s", "5m", "1h", "1h30m", "1d", "7d", "1d12h"})
    EXPECT_EQ(format_duration(*duration_of(text)), text);
  EXPECT_EQ(duration_of("2w"), seconds(14 * 86400));
  EXPECT_EQ(format_duration(seconds(0)), "0s");
  for (const char* text : {"", "h", "5", "5x", "m5", "99999999999999999999s", "4000d"})
    EXPECT_EQ(duration_of(text), std::nullopt) << text;
}

}  // namespace
}  // namespace precedent
