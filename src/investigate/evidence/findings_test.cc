// Metrics, logs, traces and names: each reader on good and on bad input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "investigate/evidence/evidence.h"
#include "investigate/logs/log_files.h"
#include "investigate/logs/log_templates.h"
#include "investigate/metrics/metric_findings.h"
#include "investigate/symptoms/symptom.h"
#include "investigate/symptoms/words.h"
#include "investigate/traces/service_graph.h"
#include "investigate/traces/slow_calls.h"
#include "investigate/traces/traces.h"

namespace precedent {
namespace {

using std::chrono::minutes;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Instant kBegin{std::chrono::seconds(1'790'000'000)};

// One sample a minute; a little noise, the same each time.
template <typename Level>
std::vector<Sample> course(size_t count, Level level) {
  std::vector<Sample> out;
  for (size_t i = 0; i < count; ++i)
    out.push_back({kBegin + minutes(i), level(i) * (1 + 0.01 * static_cast<double>(i * 7 % 5))});
  return out;
}

TEST(Departure, AStepBeginsWithItsFirstSample) {
  const auto found = find_departure(course(60, [](size_t i) { return i < 40 ? 10.0 : 50.0; }));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->onset, kBegin + minutes(40));
  EXPECT_FALSE(found->ramp);
  EXPECT_TRUE(found->up());
}

TEST(Departure, ARampBeginsWhereItLeftTheUsualLevel) {
  const auto found = find_departure(course(
      120, [](size_t i) { return i < 40 ? 100.0 : 100.0 + 3.0 * static_cast<double>(i - 40); }));
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->ramp);
  EXPECT_NEAR(static_cast<double>((found->onset - kBegin) / minutes(1)), 40, 4);
  EXPECT_GT(found->visible, found->onset);
}

TEST(Departure, NothingIsSaidOfAFewPointsOrOfCalm) {
  EXPECT_FALSE(find_departure({}));
  EXPECT_FALSE(find_departure(course(2, [](size_t i) { return i == 0 ? 1.0 : 900.0; })));
  EXPECT_FALSE(find_departure(course(60, [](size_t) { return 10.0; })));
  EXPECT_FALSE(
      find_departure(course(60, [](size_t) { return std::numeric_limits<double>::quiet_NaN(); })));
}

TEST(Departure, OneSpikeIsNone) {
  EXPECT_FALSE(find_departure(course(60, [](size_t i) { return i == 30 ? 500.0 : 10.0; })));
}

TEST(Departure, GapsDoNotMoveTheOnset) {
  std::vector<Sample> samples = course(60, [](size_t i) { return i < 40 ? 10.0 : 50.0; });
  samples.erase(samples.begin() + 20, samples.begin() + 35);
  const auto found = find_departure(samples);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->onset, kBegin + minutes(40));
}

TEST(Meaning, OfMetricsByTheirNames) {
  const auto means = [](std::string_view metric, Symptom symptom, bool bad_up) {
    const auto meaning = meaning_of_metric(metric);
    ASSERT_TRUE(meaning) << metric;
    EXPECT_EQ(meaning->symptom, symptom) << metric;
    EXPECT_EQ(meaning->bad_up, bad_up) << metric;
  };
  means("http_server_errors_total", Symptom::kErrors, true);
  means("rpc_success_ratio", Symptom::kErrors, false);
  means("request_duration_p95_seconds", Symptom::kLatency, true);
  means("jvm_heap_used_bytes", Symptom::kMemory, true);
  means("db_pool_connections_in_use", Symptom::kPool, true);
  means("db_pool_idle", Symptom::kPool, false);
  means("consumer_lag", Symptom::kQueue, true);
  means("node_cpu_busy", Symptom::kNode, true);
  means("requestsPerSecond", Symptom::kTraffic, true);
  means("request_rate", Symptom::kTraffic, true);
  means("request_error_rate", Symptom::kErrors, true);
  EXPECT_FALSE(meaning_of_metric("build_info"));
}

TEST(Meaning, OfErrorsByTheirSignatures) {
  EXPECT_TRUE(
      symptoms_of_text("java.lang.NullPointerException at A.b(A.java:3)").has(Symptom::kCrash));
  EXPECT_TRUE(symptoms_of_text("dial tcp: lookup db: no such host").has(Symptom::kDns));
  EXPECT_TRUE(symptoms_of_text("FATAL: sorry, too many clients already").has(Symptom::kPool));
  EXPECT_TRUE(symptoms_of_text("write: no space left on device").has(Symptom::kDisk));
  EXPECT_TRUE(symptoms_of_text("parcel 7 was weighed").empty());
}

TEST(Names, PartsAndServices) {
  EXPECT_THAT(parts_of("PaymentClient.maxIdleConns"),
              ElementsAre("payment", "client", "max", "idle", "conns"));
  EXPECT_EQ(stem_of_service("payment-service"), stem_of_service("payments"));
  ServiceGraph graph;
  graph.add_service("checkoutservice");
  graph.add_service("cart");
  EXPECT_THAT(graph.owners_of("services/checkout/main.go"), ElementsAre("checkoutservice"));
  EXPECT_THAT(graph.owners_of("pkg/strings/trim.go"), IsEmpty());
  EXPECT_THAT(graph.owners_of("deploy/prod/cart.yaml"), ElementsAre("cart"));
  EXPECT_THAT(graph.owners_of("checkoutservice/cart.go"), ElementsAre("checkoutservice"));
  EXPECT_EQ(graph.named_in("cart answered with 500", "web"), "cart");
  EXPECT_EQ(graph.named_in("cartography", "web"), "");
}

TEST(Logs, JsonPlainAndBroken) {
  const LogLines read = read_log_text(
      "{\"ts\":\"2026-09-21T14:13:20Z\",\"level\":\"error\",\"service\":\"cart\",\"msg\":\"boom\","
      "\"shard\":3}\n"
      "2026-09-21T14:13:21Z WARN slow disk offset=77\n"
      "    at Frame.one(Frame.java:3)\n"
      "{\"broken\n",
      "logs.ndjson");
  ASSERT_EQ(read.lines.size(), 4u);
  EXPECT_EQ(read.lines[0].service, "cart");
  EXPECT_EQ(read.lines[0].level, LogLevel::kError);
  EXPECT_EQ(read.lines[0].fields.at("shard"), "3");
  EXPECT_EQ(read.lines[1].level, LogLevel::kWarn);
  EXPECT_EQ(read.lines[1].fields.at("offset"), "77");
  EXPECT_EQ(read.lines[2].at, read.lines[1].at);
}

TEST(Logs, LinesWithoutATimeAreMissing) {
  const LogLines read = read_log_text("nothing here has a time\n", "logs.txt");
  EXPECT_THAT(read.lines, IsEmpty());
  ASSERT_EQ(read.missing.size(), 1u);
  EXPECT_THAT(read.missing.front(), HasSubstr("logs.txt:1"));
}

TEST(Logs, OnlyWhatIsNewOrGrowsIsFresh) {
  std::vector<LogLine> lines;
  const auto add = [&](int minute, LogLevel level, std::string text, std::string id) {
    lines.push_back({kBegin + minutes(minute),
                     true,
                     "cart",
                     level,
                     std::move(text),
                     {{"offset", std::move(id)}},
                     "logs.ndjson",
                     lines.size() + 1});
  };
  for (int i = 0; i < 40; ++i)
    add(i, LogLevel::kInfo, "served page " + std::to_string(i), std::to_string(i));
  for (int i = 40; i < 50; ++i)
    add(i, LogLevel::kError, "cannot read record after " + std::to_string(i) + " ms", "512");
  const std::vector<LogTemplate> found = mine_templates(lines);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].text, "served page <*>");
  EXPECT_FALSE(found[0].fresh);
  EXPECT_TRUE(found[1].fresh);
  EXPECT_EQ(found[1].count, 10u);
  EXPECT_EQ(found[1].constant.at("offset"), "512");
}

std::vector<LogLine> errors_of(const std::vector<int>& at_minutes) {
  std::vector<LogLine> lines;
  for (const int minute : at_minutes)
    lines.push_back({kBegin + minutes(minute),
                     true,
                     "cart",
                     LogLevel::kError,
                     "cannot read the record",
                     {},
                     "logs.ndjson",
                     lines.size() + 1});
  return lines;
}

TEST(Logs, LinesThatBeginWithTheFailureAreOfIt) {
  const std::vector<LogLine> lines = errors_of({0, 1, 2, 3, 4, 5});
  EXPECT_FALSE(mine_templates(lines).front().fresh);
  EXPECT_TRUE(mine_templates(lines, {.failing = true}).front().fresh);
}

TEST(Logs, WhatTheDayBeforeHadAtThatHourIsUsual) {
  std::vector<int> all;
  for (int i = 0; i < 30; ++i) all.push_back(i + 100 - 24 * 60);
  for (int i = 0; i < 30; ++i) all.push_back(i + 100);
  std::vector<LogLine> lines = errors_of(all);
  lines.insert(lines.begin() + 30, lines.front());
  lines[30].at = kBegin, lines[30].level = LogLevel::kInfo, lines[30].text = "begin";
  const auto of = [](const std::vector<LogLine>& all_lines) {
    return mine_templates(all_lines, {.from = kBegin}).front();
  };
  EXPECT_FALSE(of(lines).grown);
  EXPECT_FALSE(of(lines).fresh);
  for (size_t i = 1; i < 30; ++i) lines[i].text = "another text altogether, and so";
  EXPECT_TRUE(of(lines).grown) << "once is not as often";
}

TEST(Traces, AnErrorBeginsWhereNothingBelowFails) {
  const Traces traces = read_spans(R"([
    {"trace_id":"t","span_id":"3","parent_id":"2","service":"db","name":"SELECT","status":"ERROR","error":"timeout"},
    {"trace_id":"t","span_id":"1","service":"web","name":"GET /","status":"ERROR"},
    {"trace_id":"t","span_id":"2","parent_id":"1","service":"cart","name":"Load","status":"ERROR"}])",
                                   "traces.json");
  const std::vector<const TraceSpan*> origins = error_origins(traces);
  ASSERT_EQ(origins.size(), 1u);
  EXPECT_EQ(origins.front()->service, "db");
  ServiceGraph graph;
  read_edges(traces, graph);
  EXPECT_NE(graph.edge("cart", "db"), nullptr);
  EXPECT_THAT(graph.way("web", "db"), ElementsAre("web", "cart", "db"));
}

TEST(Traces, CyclesAreCutAndSaid) {
  const Traces traces = read_spans(R"([
    {"trace_id":"t","span_id":"1","parent_id":"2","service":"a","name":"x"},
    {"trace_id":"t","span_id":"2","parent_id":"1","service":"b","name":"y"},
    {"trace_id":"t","span_id":"3","parent_id":"3","service":"c","name":"z"}, 7])",
                                   "traces.json");
  EXPECT_THAT(traces.missing, Contains(HasSubstr("an ancestor of itself")));
  EXPECT_EQ(traces.spans.size(), 3u);
}

TEST(Traces, WhatIsNoListIsMissing) {
  EXPECT_THAT(read_spans("{\"a\":1}", "traces.json").missing,
              Contains(HasSubstr("no list of spans")));
  EXPECT_THAT(read_spans("nonsense", "traces.json").missing,
              Contains(HasSubstr("no list of spans")));
}

// web calls label twice a minute; from minute 60 of 90 on each call takes `later` ms.
Traces calls(double later) {
  Traces traces;
  traces.file = "traces.json";
  for (size_t i = 0; i < 180; ++i) {
    const Instant at = kBegin + std::chrono::seconds(30 * i);
    const double own = i < 120 ? 20 + static_cast<double>(i * 7 % 5) : later;
    traces.spans.push_back({std::to_string(i), "1", "", "web", "GET /", at, own + 2});
    traces.spans.push_back({std::to_string(i), "2", "1", "label", "Make", at, own});
    traces.spans.back().parent_index = traces.spans.size() - 2;
  }
  return traces;
}

TEST(Traces, CallsThatBecameSlowAreFound) {
  const Traces throughout = calls(800);
  const std::vector<SlowCall> found = slow_calls(throughout);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].span->service, "label");
  EXPECT_EQ(found[0].caller, "web");
  EXPECT_EQ(found[0].since, kBegin + minutes(60));
  EXPECT_NEAR(found[0].usual_ms, 22, 1);
  EXPECT_NEAR(found[0].slow_ms, 800, 1);
  EXPECT_EQ(found[1].caller, "") << "nobody calls web";
  EXPECT_THAT(slow_calls(calls(30)), IsEmpty());
  Traces seldom = calls(800);
  for (size_t i = 240; i < seldom.spans.size(); ++i)
    if (i % 8 > 1) seldom.spans[i].duration_ms = 22;
  EXPECT_THAT(slow_calls(seldom), IsEmpty()) << "most calls are as quick as before";
  Traces slow_only;
  for (const TraceSpan& span : throughout.spans)
    if (span.at >= kBegin + minutes(60))
      slow_only.spans.push_back(span), slow_only.spans.back().parent_index = SIZE_MAX;
  EXPECT_THAT(slow_calls(slow_only), IsEmpty()) << "nothing tells that it was faster before";
}

TEST(Failing, WhereCallsBecameSlowItBeginsAndTheEdgeSaysSo) {
  CaseFile evidence;
  evidence.traces = calls(800);
  read_edges(evidence.traces, evidence.graph);
  make_signs(evidence);
  find_failing(evidence);
  EXPECT_EQ(evidence.failing, "label");
  EXPECT_EQ(evidence.onset, kBegin + minutes(60));
  EXPECT_THAT(evidence.affected, ElementsAre("web"));
  EXPECT_THAT(evidence.graph.edge("web", "label")->why, HasSubstr("took 22 ms, and 800 ms since"));
  const Sign* sign = evidence.sign(Symptom::kLatency, "label");
  ASSERT_NE(sign, nullptr);
  EXPECT_NE(evidence.receipt(sign->receipt), nullptr);
}

Sign sign(Symptom symptom, const std::string& service, int minute, double weight) {
  return {symptom, service, Instant(std::chrono::minutes(minute)), weight, "", ""};
}

TEST(Failing, ASmallEarlySignThatStandsByItselfIsNotItsBegin) {
  const auto began = [](int early, double weight) {
    CaseFile evidence;
    evidence.metrics.services = {"label"};
    evidence.signs = {
        sign(Symptom::kLatency, "label", early, weight), sign(Symptom::kErrors, "label", 200, 1),
        sign(Symptom::kCrash, "label", 200, 1), sign(Symptom::kTimeouts, "label", 201, 1)};
    find_failing(evidence);
    return std::chrono::duration_cast<std::chrono::minutes>(
               evidence.onset.value_or(Instant()).time_since_epoch())
        .count();
  };
  EXPECT_EQ(began(60, 0.8), 200);
  EXPECT_EQ(began(60, 1.5), 60) << "a third of the failure";
  EXPECT_EQ(began(190, 0.8), 190) << "right before the rest";
}

TEST(Failing, AStrayBlipBeforeItIsNotWhereItBegins) {
  CaseFile evidence;
  evidence.metrics.services = {"cron", "label", "web"};
  evidence.graph.add_edge({"web", "label", "", "", true});
  evidence.signs = {sign(Symptom::kLatency, "cron", 60, 0.6)};
  CaseFile alone = evidence;
  find_failing(alone);
  EXPECT_EQ(alone.failing, "cron") << "where nothing else fails, it is what fails";
  for (const Symptom symptom : {Symptom::kErrors, Symptom::kTimeouts, Symptom::kLatency})
    evidence.signs.push_back(sign(symptom, "label", 100, 0.9));
  evidence.signs.push_back(sign(Symptom::kErrors, "web", 101, 0.9));
  find_failing(evidence);
  EXPECT_EQ(evidence.failing, "label");
  EXPECT_EQ(evidence.onset, Instant(std::chrono::minutes(100)));
  EXPECT_THAT(evidence.affected, ElementsAre("web"));
}

}  // namespace
}  // namespace precedent
