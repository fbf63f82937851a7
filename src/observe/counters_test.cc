#include "observe/counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace precedent {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

RequestRecord a_request(std::string_view type, RequestDuration took) {
  RequestRecord record;
  if (!type.empty()) record.intent = "{\"question_type\":\"" + std::string(type) + "\"}";
  record.took = took;
  return record;
}

const std::vector<std::string> kTools = {"metrics_query", "doc_search"};

TEST(Counters, EverySeriesExistsFromTheBeginning) {
  const Counters counters(kTools);
  const std::string text = counters.exposition();
  for (const std::string_view type : kQuestionTypes)
    EXPECT_THAT(text,
                HasSubstr("agent_requests_total{question_type=\"" + std::string(type) + "\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("agent_requests_total{question_type=\"other\"} 0\n"));
  for (const char* tool : {"metrics_query", "doc_search", "other"}) {
    EXPECT_THAT(text, HasSubstr(std::string("agent_tool_calls_total{tool=\"") + tool + "\"} 0\n"));
    EXPECT_THAT(text, HasSubstr(std::string("agent_tool_error_total{tool=\"") + tool + "\"} 0\n"));
    EXPECT_THAT(text, HasSubstr(std::string("agent_tool_duration_seconds_count{tool=\"") + tool +
                                "\"} 0\n"));
  }
  EXPECT_THAT(text, HasSubstr("agent_request_duration_seconds_count 0\n"));
  EXPECT_THAT(text, HasSubstr("agent_grounded_responses_total 0\n"));
  EXPECT_THAT(text, HasSubstr("agent_checked_responses_total 0\n"));
  // Nothing was checked: neither good nor bad.
  EXPECT_THAT(text, HasSubstr("agent_grounding_rate Nan\n"));
}

TEST(Counters, CountRequestsCallsAndErrors) {
  Counters counters(kTools);
  RequestRecord record = a_request("debug_incident", 40ms);
  record.calls = {{"R1", "metrics_query", "{}", "", "ok", 2ms},
                  {"R2", "metrics_query", "{}", "", "error", 7ms},
                  {"R3", "doc_search", "{}", "", "empty", std::nullopt}};
  counters.add(record);
  counters.add(a_request("knowledge", 2s));
  const Totals totals = counters.totals();
  EXPECT_EQ(totals.requests, 2u);
  EXPECT_EQ(totals.by_type,
            (std::map<std::string, uint64_t>{{"debug_incident", 1}, {"knowledge", 1}}));
  ASSERT_EQ(totals.tools.size(), 2u);
  EXPECT_EQ(totals.tools.at("metrics_query").calls, 2u);
  EXPECT_EQ(totals.tools.at("metrics_query").errors, 1u);
  EXPECT_EQ(totals.tools.at("metrics_query").took.count, 2u);
  EXPECT_DOUBLE_EQ(totals.tools.at("metrics_query").took.sum, 0.009);
  EXPECT_EQ(totals.tools.at("doc_search").calls, 1u);
  EXPECT_EQ(totals.tools.at("doc_search").took.count, 0u);
  EXPECT_EQ(totals.took.count, 2u);
  const std::string text = counters.exposition();
  EXPECT_THAT(text, HasSubstr("agent_tool_error_total{tool=\"metrics_query\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("agent_request_duration_seconds_bucket{le=\"0.05\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("agent_request_duration_seconds_bucket{le=\"2.5\"} 2\n"));
}

TEST(Counters, WhatNobodyKnowsIsOther) {
  Counters counters(kTools);
  for (int i = 0; i < 100; ++i) {
    RequestRecord record = a_request("made_up_" + std::to_string(i), 1ms);
    record.calls = {{"R1", "tool\n\"" + std::to_string(i), "{}", "", "error", 1ms}};
    counters.add(record);
  }
  counters.add(a_request("", 1ms));
  const Totals totals = counters.totals();
  EXPECT_EQ(totals.by_type, (std::map<std::string, uint64_t>{{"other", 101}}));
  EXPECT_EQ(totals.tools.size(), 1u);
  EXPECT_EQ(totals.tools.at("other").errors, 100u);
  EXPECT_THAT(counters.exposition(), Not(HasSubstr("made_up")));
}

TEST(Counters, TheGroundingRateIsOfCheckedAnswers) {
  Counters counters(kTools);
  RequestRecord record = a_request("knowledge", 1ms);
  counters.add(record);
  EXPECT_EQ(counters.totals().checked, 0u);
  for (const char* grounding :
       {R"({"grounded":true})", R"({"grounded":false})", R"({"grounded":1})", "[]", "{"}) {
    record.grounding = grounding;
    counters.add(record);
  }
  const Totals totals = counters.totals();
  EXPECT_EQ(totals.checked, 2u);
  EXPECT_EQ(totals.grounded, 1u);
  EXPECT_THAT(counters.exposition(), HasSubstr("agent_grounding_rate 0.5\n"));
}

TEST(Counters, TheSameRequestsGiveTheSameText) {
  Counters one(kTools), two({kTools.rbegin(), kTools.rend()});
  for (Counters* counters : {&one, &two}) counters->add(a_request("conceptual", 3ms));
  EXPECT_EQ(one.exposition(), two.exposition());
}

TEST(Distribution, QuantilesAreInterpolatedWithinABucket) {
  const double inf = std::numeric_limits<double>::infinity();
  const Distribution d{{{0.1, 10}, {0.2, 20}, {inf, 21}}, 21, 2.5};
  EXPECT_NEAR(d.quantile(0.5), 0.105, 1e-9);
  EXPECT_NEAR(d.quantile(10.0 / 21), 0.1, 1e-9);
  EXPECT_DOUBLE_EQ(d.quantile(1), 0.2);
  EXPECT_TRUE(std::isnan(Distribution().quantile(0.5)));
}

}  // namespace
}  // namespace precedent
