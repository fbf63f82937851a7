#include "agent/converse/recollection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace precedent {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Incident incident(std::string id, std::string severity, std::string root_cause = "") {
  Incident out;
  out.incident_id = std::move(id);
  out.title = "Slot search slow";
  out.severity = std::move(severity);
  out.status = "Resolved";
  out.root_cause = std::move(root_cause);
  return out;
}

std::shared_ptr<const Receipt> found(std::string id, std::vector<Incident> incidents) {
  Receipt receipt{.id = id, .call = "call_" + id, .tool = "get_recent_incidents"};
  IncidentsResult result;
  for (Incident& one : incidents) result.incidents.push_back({.incident = std::move(one)});
  result.total = result.incidents.size();
  receipt.result = std::move(result);
  return std::make_shared<const Receipt>(std::move(receipt));
}

// Two were shown together, then one of them again, which had meanwhile been raised to SEV1.
Conversation conversation() {
  return Conversation({{"what happened lately?",
                        "**2 incidents:**\n- **INC-1** Slot search slow [INC-1]\n- **INC-2** Slot "
                        "search slow [INC-2]",
                        {found("R1", {incident("INC-1", "SEV2", "A pool was halved"),
                                      incident("INC-2", "SEV3", "A deploy of 4.1.0")})}},
                       {"and INC-1 now?",
                        "**INC-1** Slot search slow [INC-1]",
                        {found("R2", {incident("INC-1", "SEV1", "A pool was halved")})}}},
                      [](std::string_view) { return std::nullopt; });
}

std::vector<std::string> ids(const Recollection& recollection) {
  std::vector<std::string> out;
  for (const Receipt& receipt : recollection.receipts)
    for (const IncidentItem& item : std::get<IncidentsResult>(receipt.result).incidents)
      out.push_back(item.incident.incident_id);
  return out;
}

TEST(Recollection, EachIsFromWhereItWasSaidLastAndAlone) {
  const Recollection recollection = recollect(conversation(), {"INC-2", "INC-1"});
  ASSERT_THAT(ids(recollection), ElementsAre("INC-2", "INC-1"));
  EXPECT_EQ(recollection.receipts[0].id, "R1");
  EXPECT_EQ(recollection.receipts[1].id, "R2");
  const auto& raised = std::get<IncidentsResult>(recollection.receipts[1].result);
  EXPECT_EQ(raised.incidents.front().incident.severity, "SEV1");
  EXPECT_EQ(raised.total, 1u);
  EXPECT_THAT(recollection.unknown, IsEmpty());
}

TEST(Recollection, WhatWasNeverRetrievedIsUnknown) {
  const Recollection recollection = recollect(conversation(), {"INC-9", "INC-2"});
  EXPECT_THAT(ids(recollection), ElementsAre("INC-2"));
  EXPECT_THAT(recollection.unknown, ElementsAre("INC-9"));
}

TEST(Recollection, IsNarrowedByTheFilterWhateverTheSpelling) {
  Recollection recollection = recollect(conversation(), {"INC-1", "INC-2"});
  narrow(recollection, read_narrowing("which of those were sev1?"), {.severities = {"sev1"}});
  EXPECT_THAT(ids(recollection), ElementsAre("INC-1"));
  narrow(recollection, read_narrowing("which of those are open?"), {.statuses = {"Open"}});
  EXPECT_THAT(ids(recollection), IsEmpty());
}

TEST(Recollection, IsNarrowedByACauseThatTheRecordsGive) {
  Recollection recollection = recollect(conversation(), {"INC-1", "INC-2"});
  narrow(recollection, read_narrowing("Which of them was caused by a deploy?"), {});
  EXPECT_THAT(ids(recollection), ElementsAre("INC-2"));
}

TEST(Recollection, OnlyRecordsThatTellItHoldWhatIsAsked) {
  const Recollection recollection = recollect(conversation(), {"INC-1"});
  EXPECT_TRUE(holds_what_is_asked(recollection, {.cause = true}));
  EXPECT_FALSE(holds_what_is_asked(recollection, {.remedy = true}));
  EXPECT_FALSE(holds_what_is_asked(recollection, {.person = true}));
  EXPECT_FALSE(holds_what_is_asked(recollection, {.command = true}));
}

}  // namespace
}  // namespace precedent
