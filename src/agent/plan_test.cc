#include "agent/plan.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

const TimePoint kNow = *parse_time("2026-11-20T12:00:00Z");

Intent intent_of(QuestionType type) {
  Intent intent;
  intent.type = type;
  intent.question = "q";
  return intent;
}

std::vector<std::string> tools_of(const Intent& intent) {
  std::vector<std::string> tools;
  for (const PlannedCall& call : plan(intent)) tools.push_back(call.tool);
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
  EXPECT_EQ(calls[0].tool, "get_recent_incidents");
  EXPECT_EQ(calls[0].args["days"], 7);
}

TEST(Plan, AWindowInThePastIsSearchedWithItsDates) {
  Intent intent = intent_of(QuestionType::kRecentIncidents);
  intent.times = find_time_hints("in March 2025", kNow);
  EXPECT_EQ(tools_of(intent), Tools{"search_similar_incidents"});
}

TEST(Plan, AnApplicationIsListedAndWithATimeSearched) {
  Intent intent = intent_of(QuestionType::kApplicationIncidents);
  intent.application = "PayU Core";
  EXPECT_EQ(tools_of(intent), Tools{"get_incidents_by_application"});
  intent.times = find_time_hints("in March 2025", kNow);
  EXPECT_EQ(tools_of(intent), Tools{"search_similar_incidents"});
}

TEST(Plan, ASymptomIsSearchedInIncidentsAndDocuments) {
  EXPECT_EQ(tools_of(intent_of(QuestionType::kHowTo)),
            (Tools{"search_similar_incidents", "search_knowledge", "doc_search"}));
}

}  // namespace
}  // namespace precedent
