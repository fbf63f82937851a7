#include "investigate/intake/pagerduty.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/scripted_http_client.h"

namespace precedent {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

// Answers as PagerDuty's reference shows them, with what a monitor says in the body of an alert.
constexpr const char* kIncident = R"({"incident":{"id":"PT4KHLK","incident_number":1234,
  "title":"Labels are not printed","created_at":"2026-11-19T14:05:00Z","urgency":"high",
  "html_url":"https://example.pagerduty.com/incidents/PT4KHLK",
  "service":{"type":"service_reference","summary":"label"}}})";
constexpr const char* kAlerts = R"({"alerts":[{"summary":"5xx above 5 %","severity":"critical",
  "body":{"type":"alert_body","details":{"region":"eu-1","error":"dial tcp 10.0.0.7: connection refused",
  "nested":{"queue":"labels"}}}}],"more":false})";
constexpr const char* kNotes =
    R"({"notes":[{"content":"We restarted the printer, without effect."}]})";
constexpr const char* kEntries = R"({"log_entries":[{"type":"trigger_log_entry",
  "event_details":{"description":"label: 5xx above 5 % for 10 minutes"}}]})";

class PagerDutyTest : public ::testing::Test {
 protected:
  Result<IncidentBrief> fetch(std::string_view id) {
    auto source = PagerDutyIncidents::open({.token = "secret-token"}, client_, clock_);
    EXPECT_TRUE(source) << source.error().text();
    return source->fetch(id, cancel_);
  }
  ScriptedHttpClient client_;
  const FixedClock clock_{*parse_time("2026-11-19T15:00:00Z")};
  CancelToken cancel_;
};

TEST_F(PagerDutyTest, AnIncidentIsReadWithItsAlertsNotesAndEntries) {
  client_.play(200, kIncident);
  client_.play(200, kAlerts);
  client_.play(200, kNotes);
  client_.play(200, kEntries);
  const auto brief = fetch("PD-1234");
  ASSERT_TRUE(brief) << brief.error().text();
  EXPECT_EQ(brief->id, "PD-1234");
  EXPECT_EQ(brief->title, "Labels are not printed");
  EXPECT_EQ(brief->service, "label");
  EXPECT_EQ(brief->severity, "critical") << "of the alert, not the urgency";
  EXPECT_EQ(brief->fired_at, *parse_time("2026-11-19T14:05:00Z"));
  EXPECT_EQ(brief->ended_at, std::nullopt);
  EXPECT_THAT(brief->symptoms, ElementsAre("Labels are not printed", "5xx above 5 %",
                                           "dial tcp 10.0.0.7: connection refused",
                                           "We restarted the printer, without effect.",
                                           "label: 5xx above 5 % for 10 minutes"));
  EXPECT_THAT(brief->errors, Contains(HasSubstr("connection refused")));
  EXPECT_THAT(brief->labels, Contains(Pair("region", "eu-1")));
  EXPECT_THAT(brief->labels, Contains(Pair("queue", "labels")));
  EXPECT_THAT(brief->links, ElementsAre("https://example.pagerduty.com/incidents/PT4KHLK"));
  EXPECT_THAT(brief->missing, IsEmpty());
  // The prefix is ours, and the token is where the reference says.
  ASSERT_EQ(client_.requests().size(), 4U);
  EXPECT_EQ(client_.requests()[0].url, "https://api.pagerduty.com/incidents/1234");
  EXPECT_THAT(client_.requests()[1].url, HasSubstr("/incidents/1234/alerts?limit=100"));
  EXPECT_THAT(client_.requests()[0].headers,
              Contains(HttpHeader{"Authorization", "Token token=secret-token"}));
}

TEST_F(PagerDutyTest, WhatCannotBeReadBesideItIsMissing) {
  client_.play(200, kIncident);
  client_.play(403, "{}");
  client_.play(200, kNotes);
  client_.play(200, R"({"log_entries":[],"more":true})");
  const auto brief = fetch("pd-PT4KHLK");
  ASSERT_TRUE(brief) << brief.error().text();
  EXPECT_EQ(brief->severity, "high");
  ASSERT_EQ(brief->missing.size(), 2U);
  EXPECT_THAT(brief->missing[0], HasSubstr("alerts: "));
  EXPECT_THAT(brief->missing[0], Not(HasSubstr("secret-token")));
  EXPECT_EQ(brief->missing[1], "log_entries: there are more than 100");
}

TEST_F(PagerDutyTest, UnknownForbiddenAndWrongAreErrors) {
  client_.play(404, R"({"error":{"message":"Not Found","code":2100}})");
  const auto unknown = fetch("PD-9");
  EXPECT_EQ(unknown.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(unknown.error().message, HasSubstr("no incident 9"));
  client_.play(401, "{}");
  const auto expired = fetch("PD-9");
  EXPECT_EQ(expired.error().code, ErrorCode::kPermission);
  EXPECT_THAT(expired.error().message, HasSubstr("PAGERDUTY_TOKEN"));
  for (const int busy : {429, 500}) {
    client_.play(busy, "{}", {{"Retry-After", "1"}});
    EXPECT_EQ(fetch("PD-9").error().code, ErrorCode::kUnavailable);
  }
  client_.play(200, R"({"incident":[]})");
  EXPECT_EQ(fetch("PD-9").error().code, ErrorCode::kCorrupt);
  const size_t asked = client_.requests().size();
  EXPECT_EQ(fetch("PD-../users").error().code, ErrorCode::kInvalidArgument);
  cancel_.cancel();
  EXPECT_EQ(fetch("PD-9").error().code, ErrorCode::kCancelled);
  EXPECT_EQ(client_.requests().size(), asked) << "nothing was sent";
}

TEST_F(PagerDutyTest, TheTokenIsNeededAndNeverSentInClear) {
  EXPECT_THAT(PagerDutyIncidents::open({}, client_, clock_).error().message,
              HasSubstr("PAGERDUTY_TOKEN"));
  EXPECT_FALSE(
      PagerDutyIncidents::open({.url = "http://pd.example", .token = "t"}, client_, clock_));
  EXPECT_TRUE(
      PagerDutyIncidents::open({.url = "http://127.0.0.1:1/", .token = "t"}, client_, clock_));
}

TEST(PagerDutyId, IsPdAndLettersOrDigits) {
  EXPECT_TRUE(is_pagerduty_id("PD-12345"));
  EXPECT_TRUE(is_pagerduty_id("pd-Q1ABC"));
  for (const char* text : {"PD-", "12345", "PD-12/34", "PDX-1", "PD 12"})
    EXPECT_FALSE(is_pagerduty_id(text)) << text;
}

}  // namespace
}  // namespace precedent
