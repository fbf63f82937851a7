#include "tools/known_at.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "knowledge/incident.h"
#include "tools/tools_lab.h"

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TimePoint at(std::string_view text) { return parse_time(text).value(); }

Incident outage() {
  Incident incident;
  incident.incident_id = "INC-1";
  incident.title = "Ledger rejects postings";
  incident.description = "Errors since 08:50. By 09:10 every third posting failed.";
  incident.root_cause = "A lock held by the monthly close.";
  incident.action_taken = "Killed the session at 09:41. Errors gone at 09:44.";
  incident.mitigation = "The close runs at night.";
  incident.status = "Resolved";
  incident.severity = "SEV2";
  incident.opened_at = at("2026-03-04T08:52:00Z");
  incident.updated_at = at("2026-03-05T10:00:00Z");
  incident.resolved_at = at("2026-03-04T09:50:00Z");
  incident.extra["timeline"] =
      R"([{"at":"2026-03-04T09:00:00Z","text":"paged"},{"at":"09:41","text":"killed"}])";
  incident.extra["postmortem_date"] = "2026-03-06";
  return incident;
}

Incident known(std::string_view moment, const Incident& incident = outage()) {
  return incident_of(known_at(to_document(incident), at(moment)).value());
}

TEST(KnownAt, WhatBeganLaterIsNotKnown) {
  EXPECT_FALSE(known_at(to_document(outage()), at("2026-03-04T08:51:59Z")));
  EXPECT_TRUE(known_at(to_document(outage()), at("2026-03-04T08:52:00Z")));
}

TEST(KnownAt, WhileItGoesOnNothingIsKnownOfItsEnd) {
  const Incident then = known("2026-03-04T09:05:00Z");
  EXPECT_EQ(then.description, "Errors since 08:50.");
  EXPECT_EQ(then.root_cause, "");
  EXPECT_EQ(then.action_taken, "");
  EXPECT_EQ(then.mitigation, "");
  EXPECT_EQ(then.status, "open");
  EXPECT_EQ(then.severity, "SEV2");
  EXPECT_FALSE(then.resolved_at);
  EXPECT_FALSE(then.updated_at);
  EXPECT_EQ(then.extra,
            (Attributes{{"timeline", R"([{"at":"2026-03-04T09:00:00Z","text":"paged"}])"}}));
}

TEST(KnownAt, WhatWasOverAndEditedLaterKeepsAllButLaterLines) {
  Incident expected = outage();
  expected.updated_at.reset();
  expected.extra.erase("postmortem_date");
  EXPECT_EQ(known("2026-03-04T12:00:00Z"), expected);
}

TEST(KnownAt, WhatWasNotTouchedSinceIsWhole) {
  Incident untouched = outage();
  untouched.description += " Next close: 1 April 2026.";
  EXPECT_EQ(known("2026-03-05T10:00:00Z", untouched), untouched);
}

TEST(KnownAt, ARecordOfTheDayWithoutDatesLosesItsLaterSentencesOnly) {
  Incident open = outage();
  open.status = "Investigating";
  open.updated_at = open.resolved_at = std::nullopt;
  const Incident then = known("2026-03-04T09:43:00Z", open);
  EXPECT_EQ(then.action_taken, "Killed the session at 09:41.");
  EXPECT_EQ(then.root_cause, open.root_cause);
  EXPECT_EQ(then.status, "Investigating");
  // Weeks later a date ahead is a plan.
  open.mitigation = "Moved to 1 May 2026 02:00.";
  EXPECT_EQ(known("2026-04-04T09:43:00Z", open).mitigation, open.mitigation);
}

TEST(KnownAt, WhenItWasClosedMayNotBeKnown) {
  Incident incident = outage();
  incident.resolved_at.reset();
  EXPECT_EQ(known("2026-03-04T09:05:00Z", incident).status, "");
  incident.status = "Monitoring";
  EXPECT_EQ(known("2026-03-04T09:05:00Z", incident).status, "open");
}

TEST(KnownAt, DatesInWordsAndOverMidnightAndNewYear) {
  Incident incident = outage();
  incident.opened_at = at("2026-12-30T23:50:00Z");
  incident.resolved_at = at("2027-01-02T00:00:00Z");
  incident.updated_at.reset();
  const auto description = [&](const std::string& text, std::string_view moment) {
    incident.description = text;
    return known(moment, incident).description;
  };
  EXPECT_EQ(description("Paged at 23:55. Called at 00:20.", "2026-12-31T00:10:00Z"),
            "Paged at 23:55.");
  EXPECT_EQ(description("Paged at 23:55. Called at 00:20.", "2026-12-31T00:30:00Z"),
            "Paged at 23:55. Called at 00:20.");
  EXPECT_EQ(description("Calm. Back on 2 January.", "2026-12-31T00:30:00Z"), "Calm.");
  EXPECT_EQ(description("Calm. Back on January 2, 2027.", "2026-12-31T00:30:00Z"), "Calm.");
  EXPECT_EQ(description("Calm. As in March 2026 and on 3 December.", "2026-12-31T00:30:00Z"),
            "Calm. As in March 2026 and on 3 December.");
  EXPECT_EQ(description("Calm. On 31 December at 00:20 it moved.", "2026-12-31T00:10:00Z"),
            "Calm.");
  EXPECT_EQ(description("Ratio 3:2 and port 8:8080, 10 marks.", "2026-12-31T00:10:00Z"),
            "Ratio 3:2 and port 8:8080, 10 marks.");
}

TEST(KnownAt, ListsAndTablesLoseTheirLaterLinesWhole) {
  Document document = to_document(outage());
  document.kind = Kind::kPostmortem;
  const std::string timeline =
      "## Timeline\n\n- 08:52 Paged.\n- 09:41 Killed.\n1. 09:44 Gone.\n\n"
      "| at | what |\n|---|---|\n| 09:00 | errors |\n| 09:41 | killed |\n";
  EXPECT_EQ(text_known_at(timeline, document, at("2026-03-04T09:05:00Z")),
            "## Timeline\n\n- 08:52 Paged.\n\n"
            "| at | what |\n|---|---|\n| 09:00 | errors |");
}

TEST(KnownAt, CodeAndVerifiedAnswersStayAsTheyAre) {
  Document document = to_document(outage());
  document.kind = Kind::kCode;
  EXPECT_EQ(known_at(document, at("2026-03-01")), document);
  EXPECT_EQ(text_known_at("at 2027-01-01", document, at("2026-03-01")), "at 2027-01-01");
}

// Every way by which an incident reaches a receipt.
TEST(KnownAt, NoToolTellsWhatWasWrittenLater) {
  ToolsLab lab;
  Incident incident = outage();
  incident.impacted_application = "Ledger";
  lab.add(to_document(incident));
  const auto call = [&](std::string_view tool, const nlohmann::json& args) {
    return lab.call(tool, args).text;
  };
  const auto all = [&] {
    return std::vector<std::string>{
        call("lookup_incident_by_id", {{"incident_id", "INC-1"}}),
        call("search_similar_incidents", {{"query", "lock held by the monthly close"}}),
        call("get_incidents_by_application", {{"app_name", "Ledger"}}),
        call("get_recent_incidents", {{"days", 3650}})};
  };
  lab.set_now("2026-03-04T09:05:00Z");
  for (const std::string& text : all()) {
    EXPECT_THAT(text, HasSubstr("Ledger rejects postings"));
    EXPECT_THAT(text, Not(HasSubstr("monthly close")));
    EXPECT_THAT(text, Not(HasSubstr("Resolved")));
    EXPECT_THAT(text, Not(HasSubstr("09:4")));
  }
  lab.set_now("2026-03-04T08:00:00Z");
  for (const std::string& text : all()) EXPECT_THAT(text, Not(HasSubstr("Ledger rejects")));
  EXPECT_THAT(call("lookup_incident_by_id", {{"incident_id", "INC-1"}}),
              HasSubstr("INC-1 began at 2026-03-04T08:52:00Z, after 2026-03-04T08:00:00Z"));
  // What was open then, by the status that it has now.
  lab.set_now("2026-03-04T09:05:00Z");
  const nlohmann::json open = {{"app_name", "Ledger"}, {"status", {"Investigating", "Open"}}};
  EXPECT_THAT(call("get_incidents_by_application", open), HasSubstr("Ledger rejects postings"));
  lab.set_now("2026-03-04T12:00:00Z");
  EXPECT_THAT(call("get_incidents_by_application", open), Not(HasSubstr("Ledger rejects")));
}

}  // namespace
}  // namespace precedent
