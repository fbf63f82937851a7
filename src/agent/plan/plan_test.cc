#include "agent/plan/plan.h"

#include <gtest/gtest.h>

#include "agent/understand/freeze.h"
#include "time/time_hints.h"

namespace precedent {
namespace {

const TimePoint kNow = *parse_time("2026-11-20T12:00:00Z");

Intent intent_of(QuestionType type, std::string question = "q") {
  OpenIntent intent;
  intent.type = type;
  intent.now = kNow;
  intent.times = find_time_hints(question, kNow);
  intent.question = std::move(question);
  return freeze(std::move(intent));
}

std::vector<std::string> tools_of(const Intent& intent) {
  std::vector<std::string> tools;
  for (const PlannedCall& call : plan(intent)) tools.push_back(call.tool());
  return tools;
}

using Tools = std::vector<std::string>;

TEST(Plan, EachNamedIdIsLookedUp) {
  Intent intent = intent_of(QuestionType::kLookupIncident);
  intent.ids = {"INC-1", "INC-2"};
  EXPECT_EQ(tools_of(intent), (Tools{"lookup_incident_by_id", "lookup_incident_by_id"}));
}

TEST(Plan, APastedListOfIdsIsBounded) {
  Intent intent = intent_of(QuestionType::kLookupIncident);
  intent.ids.assign(500, "INC-1");
  EXPECT_LE(plan(intent).size(), 8u);
}

TEST(Plan, AWindowThatEndsNowBecomesDays) {
  Intent intent = intent_of(QuestionType::kRecentIncidents);
  intent.times = find_time_hints("last 7 days", kNow);
  const auto calls = plan(intent);
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].tool(), "get_recent_incidents");
  EXPECT_EQ(to_json(calls[0].arguments)["days"], 7);
}

TEST(Plan, FiguresAreComputedOverWhatTheQuestionIsRestrictedTo) {
  const auto call = [](const Tally& tally, QuestionType type) {
    Intent intent = intent_of(type, "the question");
    intent.lists_only = true;
    intent.tally = tally;
    intent.saying = {"red"};
    if (type == QuestionType::kApplicationIncidents) intent.applications = {"Oven"};
    const auto calls = plan(intent);
    EXPECT_EQ(calls.size(), 1u);
    EXPECT_EQ(calls[0].tool(), "aggregate_incidents");
    auto arguments = to_json(calls[0].arguments);
    EXPECT_EQ(arguments["saying"], nlohmann::json({"red"}));
    EXPECT_EQ(arguments["restriction"], "the question");
    for (const char* const same : {"saying", "limit", "restriction"}) arguments.erase(same);
    return arguments;
  };
  using nlohmann::json;
  EXPECT_EQ(
      call({"count", "most", "records", "weekday", true}, QuestionType::kRecentIncidents),
      (json{{"function", {"count"}}, {"by", "weekday"}, {"order", {"most"}}, {"open", true}}));
  EXPECT_EQ(call({"sum", "none", "number", "none"}, QuestionType::kApplicationIncidents),
            (json{{"function", {"sum"}}, {"of", "the question"}, {"app_name", "Oven"}}));
  // The extreme of incidents is one of them, that of groups is the first of them.
  EXPECT_EQ(call({"extreme", "least", "duration", "none"}, QuestionType::kRecentIncidents),
            (json{{"function", {"lowest"}}, {"of", "duration"}}));
  EXPECT_EQ(call({"extreme", "most", "number", "column"}, QuestionType::kRecentIncidents),
            (json{{"function", {"sum"}},
                  {"of", "the question"},
                  {"by", "the question"},
                  {"order", {"most"}}}));
}

TEST(Plan, WhatAListIsRestrictedToIsAnArgumentOfItsTool) {
  Intent intent = intent_of(QuestionType::kRecentIncidents);
  intent.times = find_time_hints("in March 2025", kNow);
  intent.filter.severities = {"SEV1"};
  auto calls = plan(intent);
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].tool(), "get_recent_incidents");
  const nlohmann::json window = {{"since", "2025-03-01T00:00:00Z"},
                                 {"until", "2025-04-01T00:00:00Z"},
                                 {"severity", {"SEV1"}},
                                 {"restriction", "q"},
                                 {"limit", 50}};
  EXPECT_EQ(to_json(calls[0].arguments), window);

  intent.type = QuestionType::kApplicationIncidents;
  intent.applications = {"PayU Core", "checkout-api"};
  calls = plan(intent);
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[1].tool(), "get_incidents_by_application");
  nlohmann::json of_application = window;
  of_application["app_name"] = "checkout-api";
  EXPECT_EQ(to_json(calls[1].arguments), of_application);
}

TEST(Plan, HowManyAreAskedForIsTheLimitOfTheTool) {
  Intent intent = intent_of(QuestionType::kRecentIncidents);
  intent.count = 3;
  const auto calls = plan(intent);
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(to_json(calls[0].arguments)["limit"], 3);
  // However long ago they were.
  EXPECT_GT(to_json(calls[0].arguments)["days"], 365);
}

TEST(Plan, WhatAListAsksBeyondItsRestrictionOrdersIt) {
  const std::string question = "incidents of PayU Core about certificates";
  Intent intent = intent_of(QuestionType::kApplicationIncidents, question);
  intent.applications = {"PayU Core"};
  intent.lists_only = false;
  const auto calls = plan(intent);
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].tool(), "search_similar_incidents");
  EXPECT_EQ(to_json(calls[0].arguments)["app_name"], "PayU Core");
  EXPECT_EQ(to_json(calls[0].arguments)["query"], question);
}

TEST(Plan, OpenIncidentsMayBeOld) {
  Intent intent = intent_of(QuestionType::kRecentIncidents);
  intent.filter.statuses = {"Open"};
  EXPECT_GT(to_json(plan(intent).front().arguments)["days"], 3650);
}

TEST(Plan, ASymptomIsSearchedInIncidentsAndDocuments) {
  EXPECT_EQ(tools_of(intent_of(QuestionType::kHowTo)),
            (Tools{"search_similar_incidents", "search_knowledge", "doc_search"}));
}

TEST(Plan, OfAPastTimeItsOwnIncidentsComeFirst) {
  const Intent intent =
      intent_of(QuestionType::kDebugIncident, "why did payments fail on 2026-08-24?");
  const auto calls = plan(intent);
  ASSERT_EQ(tools_of(intent), (Tools{"search_similar_incidents", "search_similar_incidents",
                                     "search_knowledge", "doc_search"}));
  EXPECT_EQ(to_json(calls[0].arguments)["since"], "2026-08-23T00:00:00Z");
  EXPECT_EQ(to_json(calls[0].arguments)["until"], "2026-08-26T00:00:00Z");
  EXPECT_FALSE(to_json(calls[1].arguments).contains("since"));
  // What goes on still is searched for once.
  EXPECT_EQ(
      tools_of(intent_of(QuestionType::kDebugIncident, "why do payments fail since yesterday?"))
          .size(),
      3u);
}

TEST(Plan, PresentTroubleIsSearchedForWithoutItsTime) {
  constexpr std::string_view kAsked = "why do payments fail since yesterday?";
  const auto query = [&](QuestionType type) -> std::string {
    return to_json(plan(intent_of(type, std::string(kAsked))).back().arguments)["query"];
  };
  EXPECT_EQ(query(QuestionType::kDebugIncident), "why do payments fail?");
  EXPECT_EQ(query(QuestionType::kHowTo), kAsked);
}

}  // namespace
}  // namespace precedent
