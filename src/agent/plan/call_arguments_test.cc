// What a planned call looks like once it leaves the plan.
#include "agent/plan/call_arguments.h"

#include <gtest/gtest.h>

#include "tools/all_tools.h"

namespace precedent {
namespace {

using nlohmann::json;

TEST(CallArguments, WhatIsEmptyIsNotGiven) {
  EXPECT_EQ(to_json(IncidentQuery{}), json::object());
  EXPECT_EQ(to_json(ChangesQuery{}), json::object());
  EXPECT_EQ(to_json(CodeQuery{"retries", 5}), (json{{"query", "retries"}, {"limit", 5}}));
  // But a search without words lists all.
  EXPECT_EQ(to_json(DocumentQuery{"", 50, {Kind::kRunbook}}),
            (json{{"query", ""}, {"limit", 50}, {"typeFilter", {"runbook"}}}));
}

TEST(CallArguments, AListIsRestrictedByAllThatIsSet) {
  IncidentQuery query{.application = "PayU Core", .days = 7, .limit = 3, .ranked = "longest"};
  query.severities = {"SEV1"};
  query.since = parse_time("2026-11-01T00:00:00Z").value();
  EXPECT_EQ(to_json(query), (json{{"app_name", "PayU Core"},
                                  {"days", 7},
                                  {"limit", 3},
                                  {"order", {"longest"}},
                                  {"severity", {"SEV1"}},
                                  {"since", "2026-11-01T00:00:00Z"}}));
}

TEST(CallArguments, AMetricIsAskedInOneLine) {
  const auto text = [](const TelemetryQuery& query) { return to_json(query)["query"]; };
  EXPECT_EQ(text({"p95_latency", "", "window=24h"}), "metric=p95_latency window=24h");
  EXPECT_EQ(text({"p95_latency", "", "window=24h", "endpoint=/api/search", "host"}),
            "metric=p95_latency window=24h filter=endpoint=/api/search by=host");
  EXPECT_EQ(text({"lag", "", "window=1h", "queue=card payments"}),
            "metric=lag window=1h filter=\"queue=card payments\"");
  EXPECT_EQ(text({"", "*", "window=1h", "service=search"}),
            "alert=* filter=service=search window=1h");
}

TEST(CallArguments, EachIsForAToolThatTakesThem) {
  IncidentQuery by_name{.by = IncidentQuery::By::kApplication, .application = "PayU Core"};
  IncidentQuery alike{.by = IncidentQuery::By::kLikeness, .text = "403"};
  const std::vector<CallArguments> all = {
      IncidentLookup{"INC-1"},
      by_name,
      IncidentQuery{.days = 7},
      alike,
      DocumentQuery{"403", 5},
      SectionQuery{"403", 5, "RB-1"},
      FiguresQuery{.function = "sum",
                   .of = "duration",
                   .by = "month",
                   .order = "most",
                   .scope = {.saying = {"north"}, .open = true}},
      CodeQuery{"retries", 5},
      TelemetryQuery{"p95_latency", "", "window=24h"},
      ChangesQuery{.limit = 3},
      ModelsCall{"doc_search", {{"query", "403"}}}};
  const Toolset tools = all_tools();
  for (const CallArguments& arguments : all) {
    const auto tool = tools.find(tool_of(arguments));
    ASSERT_TRUE(tool) << tool_of(arguments);
    const auto read = read_args((*tool)->spec().params, to_json(arguments), tool_of(arguments));
    EXPECT_TRUE(read) << read.error().text();
  }
}

}  // namespace
}  // namespace precedent
