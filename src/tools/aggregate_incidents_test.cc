#include "tools/aggregate_incidents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "embed/fake_learned_reader.h"
#include "tools/tools_lab.h"

namespace precedent {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

// Six incidents of a bakery; the last one is not over and has no numbers.
class AggregateIncidentsTest : public testing::Test {
 protected:
  AggregateIncidentsTest() {
    add("B-1", "Oven", "2026-01-05T08:00:00Z", 60, "1,250", "north");
    add("B-2", "Oven", "2026-01-20T08:00:00Z", 30, "EUR 90", "south");
    add("B-3", "Van", "2026-02-02T22:30:00Z", 120, "310.50", "north");
    add("B-4", "Van", "2026-03-09T08:00:00Z", 240, "0", "north");
    add("B-5", "Mixer", "2026-03-10T08:00:00Z", 10, "49.50", "south");
    add("B-6", "Mixer", "2026-03-11T08:00:00Z", std::nullopt, "", "");
  }

  void add(const char* id, const char* application, const char* opened, std::optional<int> minutes,
           const char* loaves, const char* region) {
    Incident incident;
    incident.incident_id = id;
    incident.title = std::string(application) + " of " + id;
    incident.description = "It stood.";
    incident.impacted_application = application;
    incident.severity = application == std::string("Van") ? "SEV1" : "SEV2";
    incident.status = minutes ? "Resolved" : "Open";
    incident.opened_at = parse_time(opened).value();
    if (minutes) incident.resolved_at = *incident.opened_at + std::chrono::minutes(*minutes);
    incident.extra = {{"loaves lost", loaves}, {"region", region}};
    Document document = to_document(incident);
    document.path = "incidents.jsonl";
    lab_.add(document);
  }

  FiguresResult figures(const json& args) {
    const Receipt receipt = lab_.call("aggregate_incidents", args);
    const auto* result = std::get_if<FiguresResult>(&receipt.result);
    EXPECT_NE(result, nullptr) << receipt.text;
    return result == nullptr ? FiguresResult{} : *result;
  }
  static std::vector<std::pair<std::string, double>> groups(const FiguresResult& result) {
    std::vector<std::pair<std::string, double>> groups;
    for (const IncidentFigure& figure : result.figures)
      groups.emplace_back(figure.group, figure.value);
    return groups;
  }

  ToolsLab lab_;
};

TEST_F(AggregateIncidentsTest, CountsAllOrByWhatever) {
  EXPECT_THAT(groups(figures({{"function", {"count"}}})), ElementsAre(Pair("", 6)));
  EXPECT_THAT(groups(figures({{"function", {"count"}}, {"by", "month"}})),
              ElementsAre(Pair("2026-01", 2), Pair("2026-02", 1), Pair("2026-03", 3)));
  EXPECT_THAT(groups(figures({{"function", {"count"}}, {"by", "month"}, {"order", {"most"}}})),
              ElementsAre(Pair("2026-03", 3), Pair("2026-01", 2), Pair("2026-02", 1)));
  EXPECT_THAT(groups(figures(
                  {{"function", {"count"}}, {"by", "weekday"}, {"limit", 1}, {"order", {"most"}}})),
              ElementsAre(Pair("Monday", 3)));
  EXPECT_THAT(groups(figures({{"function", {"count"}}, {"by", "hour"}})),
              ElementsAre(Pair("08:00", 5), Pair("22:00", 1)));
  EXPECT_THAT(groups(figures({{"function", {"count"}}, {"by", "week"}, {"limit", 2}})),
              ElementsAre(Pair("2026-W02", 1), Pair("2026-W04", 1)));
}

TEST_F(AggregateIncidentsTest, AColumnIsNamedAndWhoSaysNothingInItIsCounted) {
  const FiguresResult result =
      figures({{"function", {"sum"}}, {"of", "Loaves lost"}, {"by", "region"}});
  EXPECT_EQ(result.of, "loaves lost");
  EXPECT_EQ(result.by, "region");
  EXPECT_THAT(groups(result), ElementsAre(Pair("north", 1560.5), Pair("south", 139.5)));
  EXPECT_EQ(result.incidents, 6u);
  EXPECT_EQ(result.without, 1u);
  EXPECT_THAT(groups(figures({{"function", {"average"}}, {"of", "loaves lost"}})),
              ElementsAre(Pair("", 340)));
}

TEST_F(AggregateIncidentsTest, TheHighestAndTheLowestAreIncidents) {
  const FiguresResult longest =
      figures({{"function", {"highest"}}, {"of", "duration"}, {"limit", 2}});
  EXPECT_THAT(groups(longest), ElementsAre(Pair("B-4", 240), Pair("B-3", 120)));
  EXPECT_EQ(longest.figures[0].title, "Van of B-4");
  EXPECT_EQ(longest.left_out, 3u);
  EXPECT_THAT(groups(figures({{"function", {"lowest"}}, {"of", "loaves lost"}, {"limit", 1}})),
              ElementsAre(Pair("B-4", 0)));
}

TEST_F(AggregateIncidentsTest, AScopeRestrictsAndIsTold) {
  FiguresResult result = figures({{"function", {"count"}}, {"saying", {"north", "ovens"}}});
  EXPECT_THAT(groups(result), ElementsAre(Pair("", 3)));
  EXPECT_THAT(result.scope, HasSubstr("region north"));
  result = figures({{"function", {"count"}}, {"app_name", "Mixer"}, {"open", true}});
  EXPECT_THAT(groups(result), ElementsAre(Pair("", 1)));
  EXPECT_THAT(result.scope, HasSubstr("Mixer"));
  result = figures({{"function", {"sum"}}, {"of", "duration"}, {"since", "2026-03-01"}});
  EXPECT_THAT(groups(result), ElementsAre(Pair("", 250)));
}

TEST_F(AggregateIncidentsTest, ASeverityThatIsNotMeantIsLeftOut) {
  FakeLearnedReader reader;
  reader.say_heads("severity: SEV1", {{"says", "not"}});
  lab_.set_conditions(&reader);
  const FiguresResult result = figures({{"function", {"count"}},
                                        {"severity", {"SEV1"}},
                                        {"restriction", "How many were not SEV1?"}});
  EXPECT_THAT(groups(result), ElementsAre(Pair("", 4)));
  EXPECT_EQ(result.scope, "severity is not SEV1");
}

TEST_F(AggregateIncidentsTest, WhereNoColumnIsMeantItSaysWhichThereAre) {
  const FiguresResult result = figures({{"function", {"sum"}}, {"of", "zzz"}});
  EXPECT_THAT(result.figures, testing::IsEmpty());
  EXPECT_THAT(result.note, HasSubstr("loaves lost"));
}

TEST_F(AggregateIncidentsTest, AScopeWithoutIncidentsIsNamed) {
  const FiguresResult result =
      figures({{"function", {"sum"}}, {"of", "loaves lost"}, {"since", "2026-06-01"}});
  EXPECT_THAT(result.note, HasSubstr("No incident is within that scope (opened 2026-06-01"));
}

TEST_F(AggregateIncidentsTest, WrongArgumentsAreNamed) {
  EXPECT_THAT(lab_.call("aggregate_incidents", {{"function", {"sum"}}}).text,
              HasSubstr("'of' is missing"));
  EXPECT_THAT(lab_.call("aggregate_incidents", {{"function", {"median"}}}).text,
              HasSubstr("median"));
  EXPECT_THAT(lab_.call("aggregate_incidents", {{"function", {"sum", "count"}}}).text,
              HasSubstr("one value"));
}

}  // namespace
}  // namespace precedent
