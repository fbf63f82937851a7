// Alerts of Opsgenie and Jira Service Management, as they are sent and as they should not be.
#include "investigate/alerts/opsgenie.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "investigate/alerts/brief.h"

namespace precedent {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kCreated = R"({
  "action": "Create", "source": {"name": "web", "type": "API"}, "integrationName": "Webhook",
  "alert": {
    "alertId": "052652ac-5d1c-464a-812a-7dd18bbfba8c-1477308275", "tinyId": "12",
    "message": "Labels fail\n## Cause", "entity": "label-host-3", "source": "Grafana",
    "priority": "P1", "createdAt": 1795096800000, "updatedAt": 1795096800123000000,
    "tags": ["team:shipping", "urgent"], "description": "label answers 503: deadline exceeded",
    "details": {"service": "label", "runbook": "https://kb.example/label", "limit": 5}}})";

TEST(Opsgenie, AnAlertIsABrief) {
  const auto brief = read_brief(kCreated, "alert.json");
  ASSERT_TRUE(brief) << brief.error().text();
  EXPECT_EQ(brief->id, "052652ac-5d1c-464a-812a-7dd18bbfba8c-1477308275");
  EXPECT_EQ(brief->title, "Labels fail ## Cause");
  EXPECT_EQ(brief->service, "label") << "rather than the entity";
  EXPECT_EQ(brief->severity, "P1");
  EXPECT_EQ(brief->fired_at, *parse_time("2026-11-19T14:00:00Z"));
  EXPECT_FALSE(brief->ended_at);
  EXPECT_THAT(brief->symptoms, Contains("label answers 503: deadline exceeded"));
  EXPECT_EQ(brief->labels.at("team"), "shipping");
  EXPECT_EQ(brief->labels.at("limit"), "5");
}

TEST(Opsgenie, OneThatIsClosedHasAnEnd) {
  auto root = nlohmann::json::parse(kCreated);
  root["action"] = "Close";
  const auto brief = read_brief(root.dump(), "alert.json");
  ASSERT_TRUE(brief);
  EXPECT_EQ(brief->ended_at, *brief->fired_at + std::chrono::milliseconds(123));
}

TEST(Opsgenie, WithoutATimeItIsThatOfTheOrder) {
  auto root = nlohmann::json::parse(kCreated);
  root["alert"].erase("createdAt");
  const auto refused = read_brief(root.dump(), "alert.json");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().text(), HasSubstr("createdAt"));
  const Instant until = *parse_time("2026-11-19T15:00:00Z");
  EXPECT_EQ(read_brief(root.dump(), "alert.json", until)->fired_at, until);
  root["alert"].erase("message");
  EXPECT_FALSE(read_brief(root.dump(), "alert.json", until));
}

TEST(Opsgenie, OddPartsAreNoError) {
  const auto brief = read_brief(
      R"({"alert":{"message":"x","createdAt":"2026-11-19T14:00:00Z","tags":[1,":",null],"details":[]}})",
      "alert.json");
  ASSERT_TRUE(brief) << brief.error().text();
  EXPECT_EQ(brief->title, "x");
}

TEST(Brief, AnAlertWithoutABeginFiredAtTheTimeOfTheOrder) {
  constexpr std::string_view kAlert = R"({"alertname":"LabelErrors","service":"label"})";
  EXPECT_FALSE(read_brief(kAlert, "alert.json"));
  const Instant until = *parse_time("2026-11-19T15:00:00Z");
  const auto brief = read_brief(kAlert, "alert.json", until);
  ASSERT_TRUE(brief) << brief.error().text();
  EXPECT_EQ(brief->fired_at, until);
  EXPECT_FALSE(read_brief(R"({"alertname":"x","startsAt":"soon"})", "alert.json", until))
      << "what is no time is said, not replaced";
}

TEST(Brief, AlertsThatWereLeftOutAreMissing) {
  const auto brief = read_brief(
      R"({"truncatedAlerts":7,"alerts":[{"labels":{"alertname":"x"},"startsAt":"2026-11-19"}]})",
      "alert.json");
  ASSERT_TRUE(brief);
  EXPECT_THAT(brief->missing, ElementsAre(HasSubstr("7 alerts that Alertmanager left out")));
}

}  // namespace
}  // namespace precedent
