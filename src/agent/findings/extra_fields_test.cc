#include "agent/findings/extra_fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

Incident with(Attributes extra) {
  Incident incident;
  incident.incident_id = "INC-1";
  incident.extra = std::move(extra);
  return incident;
}

std::vector<std::string> lines_of(const std::vector<ExtraField>& fields) {
  std::vector<std::string> out;
  for (const ExtraField& field : fields) out.push_back(field.name + ": " + field.value);
  return out;
}

TEST(ExtraFields, HaveNamesToReadAndObjectsAreTheirMembers) {
  EXPECT_THAT(
      lines_of(extra_fields(with({{"detected_by", "a customer"},
                                  {"ticketUrl", "https://t/1"},
                                  {"stats", R"({"Time to detection":"371 minutes","pages":4})"},
                                  {"note", "{no json"}}))),
      testing::UnorderedElementsAre("detected by: a customer", "ticket url: https://t/1",
                                    "Time to detection: 371 minutes", "pages: 4",
                                    "note: {no json"));
}

TEST(ExtraFields, OfAnyBytesAreTextWhereTheyAreNoJson) {
  const std::string deep = R"({"a":)" + std::string(70'000, '[') + std::string(70'000, ']') + "}";
  EXPECT_THAT(lines_of(extra_fields(with({{"stats", deep}}))),
              testing::ElementsAre("stats: " + deep));
  EXPECT_THAT(lines_of(extra_fields(with({{"stats", "{\"a\":\"\xff\"}"}}))),
              testing::ElementsAre("stats: {\"a\":\"\xff\"}"));
}

TEST(ExtraFields, MeasuredTimesAreThoseWithAFigure) {
  EXPECT_THAT(lines_of(measured_times(with({{"time_to_detect", "5 min"},
                                            {"downtime", "2 h"},
                                            {"duration", "unknown"},
                                            {"uptime", "99.9"},
                                            {"attributed", "12"}}))),
              testing::UnorderedElementsAre("time to detect: 5 min", "downtime: 2 h"));
}

TEST(ExtraFields, TimeToRecoverIsTheRecordsOwnElseWhatAFieldSays) {
  using std::chrono::minutes;
  EXPECT_FALSE(time_to_recover(with({})));
  EXPECT_FALSE(time_to_recover(with({{"time to detection", "371 minutes"}})));
  EXPECT_EQ(time_to_recover(with({{"Time to recovery", "389 minutes"}})), minutes(389));
  EXPECT_EQ(time_to_recover(with({{"ttr", "1.5 hours"}})), minutes(90));
  EXPECT_EQ(time_to_recover(with({{"outage_duration", "1d 2h 3m"}})), minutes(1563));
  Incident timed = with({{"Time to recovery", "389 minutes"}});
  timed.opened_at = *parse_time("2025-01-01T10:00:00Z");
  timed.resolved_at = *parse_time("2025-01-01T10:30:00Z");
  EXPECT_EQ(time_to_recover(timed), minutes(30));
}

}  // namespace
}  // namespace precedent
