#include "tools/record_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

IncidentItem record(std::string id, std::string title, std::string description = "") {
  IncidentItem item;
  item.incident.incident_id = std::move(id);
  item.incident.title = std::move(title);
  item.incident.description = std::move(description);
  return item;
}

std::vector<std::string> ids(const std::vector<IncidentItem>& records) {
  std::vector<std::string> out;
  for (const IncidentItem& item : records) out.push_back(item.incident.incident_id);
  return out;
}

TEST(RecordWords, AShortFieldComesBeforeAStory) {
  std::vector<IncidentItem> records = {record("1", "Telemetry / PS-09"),
                                       record("2", "Water / Kirkholt", "no telemetry for an hour"),
                                       record("3", "Telemetry / PS-12")};
  records[2].incident.extra["Region"] = "drift";
  auto of_telemetry = records;
  EXPECT_THAT(keep_those_saying(of_telemetry, {"telemetry"}), IsEmpty());
  EXPECT_THAT(ids(of_telemetry), ElementsAre("1", "3"));
  auto of_both = records;
  EXPECT_THAT(keep_those_saying(of_both, {"telemetry", "PS-09"}), IsEmpty());
  EXPECT_THAT(ids(of_both), ElementsAre("1"));
  auto of_a_column = records;
  EXPECT_THAT(keep_those_saying(of_a_column, {"drift"}), IsEmpty());
  EXPECT_THAT(ids(of_a_column), ElementsAre("3"));
}

TEST(RecordWords, WhatNoShortFieldSaysIsLookedForInTheStory) {
  std::vector<IncidentItem> records = {record("1", "Gate stuck", "a certificate had expired"),
                                       record("2", "Gate slow", "too many visitors")};
  EXPECT_THAT(keep_those_saying(records, {"certificates"}), IsEmpty());
  EXPECT_THAT(ids(records), ElementsAre("1"));
}

TEST(RecordWords, WhereAFieldRestrictsAStoryDoesNot) {
  std::vector<IncidentItem> records = {record("1", "Gate stuck", "every visitor waited"),
                                       record("2", "Gate slow", "too many visitors"),
                                       record("3", "Lift stuck", "every visitor walked")};
  EXPECT_THAT(keep_those_saying(records, {"every", "gate"}), ElementsAre("every"));
  EXPECT_THAT(ids(records), ElementsAre("1", "2"));
}

TEST(RecordWords, AWordWithADigitIsANameInAStoryToo) {
  std::vector<IncidentItem> records = {record("1", "Gate stuck", "sensor 3B had drifted"),
                                       record("2", "Gate slow", "sensor 4A had drifted")};
  EXPECT_THAT(keep_those_saying(records, {"gate", "3B", "drifted"}), ElementsAre("drifted"));
  EXPECT_THAT(ids(records), ElementsAre("1"));
}

TEST(RecordWords, AWordThatNoneSaysRestrictsNothingAndIsNamed) {
  std::vector<IncidentItem> records = {record("1", "Gate stuck"), record("2", "Lift stuck")};
  EXPECT_THAT(keep_those_saying(records, {"major", "gate", "lift"}), ElementsAre("major", "lift"));
  EXPECT_THAT(ids(records), ElementsAre("1"));
}

TEST(RecordWords, OpenIsWhatHasNoEndWhateverItsStatusIsCalled) {
  std::vector<IncidentItem> records;
  for (const char* id : {"1", "2", "3", "4"}) {
    records.push_back(record(id, "Lift stuck"));
    records.back().incident.status = "sorted";
    records.back().incident.resolved_at = parse_time("2026-01-02").value();
  }
  // Nobody noted the end of this one, but its status says that there was one.
  records.push_back(record("5", "Lift stuck"));
  records.back().incident.status = "sorted";
  records.push_back(record("6", "Lift stuck"));
  records.back().incident.status = "watching";
  records.push_back(record("7", "Lift stuck"));
  keep_open(records);
  EXPECT_THAT(ids(records), ElementsAre("6", "7"));
}

TEST(RecordWords, OfNothingNothingIsLeft) {
  std::vector<IncidentItem> records;
  EXPECT_THAT(keep_those_saying(records, {"gate"}), ElementsAre("gate"));
  keep_open(records);
  EXPECT_THAT(records, IsEmpty());
}

}  // namespace
}  // namespace precedent
