// Notes of reports, and where they are written.
#include "investigate/notes/note.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "investigate/notes/note_writer.h"
#include "net/scripted_http_client.h"

namespace precedent {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

json found_report() {
  return {{"incident", {{"title", "Labels <!channel> fail"}}},
          {"outcome", "cause"},
          {"summary", "label fails since 14:02. Cause: 4f2a takes a check out."},
          {"first_failing_service", "label"},
          {"hypotheses",
           {{{"statement", "4f2a takes a check out"}, {"confidence", 0.83}, {"status", "accepted"}},
            {{"statement", "More requests"}, {"confidence", 0.12}, {"status", "open"}}}},
          {"advice", "Roll 4f2a back."},
          {"owners", {{{"title", "Team Parcels"}, {"says", "Oncall: parcels-primary"}}}}};
}

json open_report() {
  json report = found_report();
  report["outcome"] = "inconclusive";
  report["hypotheses"][0]["status"] = "open";
  report["hypotheses"][0]["confidence"] = 0.4;
  report["deciding_question"] = {{"question", "Does it stop if 4f2a is taken back?"},
                                 {"if_yes", "4f2a is it."},
                                 {"if_no", "Traffic is it."}};
  return report;
}

std::string all_text(const json& message) {
  std::string out;
  for (const json& block : message["blocks"])
    out += block["text"]["text"].get<std::string>() + "\n";
  return out;
}

TEST(Note, AProvedCauseIsSaidWithItsConfidenceAndNoOther) {
  const std::string text =
      note_text(note_of(found_report(), "https://p.example/#/investigations/i-1"));
  EXPECT_EQ(text,
            "Labels <!channel> fail: cause found\n"
            "label fails since 14:02. Cause: 4f2a takes a check out.\n"
            "Cause:\n- 4f2a takes a check out (confidence 0.83)\n"
            "What to do: Roll 4f2a back.\n"
            "Whom to page: Team Parcels: Oncall: parcels-primary\n"
            "Report: https://p.example/#/investigations/i-1");
}

TEST(Note, AnInconclusiveOneAsksTheDecidingQuestion) {
  const CaseNote note = note_of(open_report(), "");
  const std::string text = note_text(note);
  EXPECT_THAT(text, AllOf(HasSubstr(": inconclusive\n"), HasSubstr("Not ruled out:\n- 4f2a"),
                          HasSubstr("- More requests (confidence 0.12)"),
                          HasSubstr("The deciding question: Does it stop if 4f2a is taken back?\n"
                                    "- Yes: 4f2a is it.\n- No: Traffic is it.")));
  EXPECT_THAT(text, Not(HasSubstr("Report:")));
  EXPECT_THAT(all_text(slack_message(note)), HasSubstr("*The deciding question*"));
}

TEST(Note, NothingOfOthersIsMarkupInSlack) {
  json report = open_report();
  report["summary"] = "see <https://evil.example|here> & <@U1>";
  const json message = slack_message(note_of(report, "https://p.example/i?a=1&b=2"));
  for (const json& block : message["blocks"]) {
    if (block["type"] == "header") {
      EXPECT_EQ(block["text"]["type"], "plain_text");
      continue;
    }
    EXPECT_EQ(block["text"]["verbatim"], true);
  }
  EXPECT_EQ(message["text"], "Labels &lt;!channel&gt; fail: inconclusive");
  EXPECT_THAT(all_text(message),
              AllOf(HasSubstr("see &lt;https://evil.example|here&gt; &amp; &lt;@U1&gt;"),
                    HasSubstr("<https://p.example/i?a=1&amp;b=2|The report>")));
  EXPECT_THAT(all_text(slack_message(note_of(report, "/var/report|x.json"))),
              HasSubstr("The report: /var/report|x.json"));
}

TEST(Note, IsBoundedAndHoldsNoSecret) {
  json report = open_report();
  const std::string longest(10'000, 'x');
  report["summary"] = "password=hunter2hunter2 " + longest;
  report["incident"]["title"] = longest;
  report["advice"] = longest;
  report["deciding_question"]["question"] = longest;
  report["deciding_question"]["if_yes"] = longest;
  for (json& hypothesis : report["hypotheses"]) hypothesis["statement"] = longest;
  for (int i = 0; i < 50; ++i) report["hypotheses"].push_back(report["hypotheses"][0]);
  const CaseNote note = note_of(report, "https://p.example/i-1");
  EXPECT_LE(note_text(note).size(), kMaxNote);
  EXPECT_THAT(note_text(note),
              AllOf(Not(HasSubstr("hunter2")), HasSubstr("\nReport: https://p.example/i-1")));
  const json message = slack_message(note);
  EXPECT_LE(message["blocks"][0]["text"]["text"].get<std::string>().size(), 150U);
  for (const json& block : message["blocks"])
    EXPECT_LE(block["text"]["text"].get<std::string>().size(), 3000U);
}

TEST(Note, AReportOfAnyShapeIsRead) {
  for (const char* text :
       {"{}", "[]", "5", R"({"hypotheses":[5,{"status":"open"}],"incident":[]})"})
    EXPECT_THAT(note_text(note_of(json::parse(text), "")), HasSubstr("Incident: inconclusive"));
}

class NoteWriterTest : public ::testing::Test {
 protected:
  std::vector<NoteOutcome> write(NoteOptions options, std::string_view incident) {
    const auto writer = NoteWriter::open(std::move(options), client_);
    EXPECT_TRUE(writer) << writer.error().text();
    return writer->write(note_of(found_report(), ""), incident, cancel_);
  }
  ScriptedHttpClient client_;
  CancelToken cancel_;
  const NoteOptions both_{.token = "secret-token",
                          .from = "mia@example.org",
                          .slack_url = "https://hooks.slack.com/services/T0/B0/secret-path"};
};

TEST_F(NoteWriterTest, ANoteAndAMessageAreSentAsTheReferencesSay) {
  client_.play(201, R"({"note":{"id":"N1"}})");
  client_.play(200, "ok");
  const auto done = write(both_, "PD-Q1ABC");
  ASSERT_THAT(done, SizeIs(2));
  EXPECT_TRUE(done[0].done) << done[0].done.error().text();
  EXPECT_TRUE(done[1].done) << done[1].done.error().text();
  ASSERT_THAT(client_.requests(), SizeIs(2));
  const HttpRequest& note = client_.requests()[0];
  EXPECT_EQ(note.method, "POST");
  EXPECT_EQ(note.url, "https://api.pagerduty.com/incidents/Q1ABC/notes");
  EXPECT_THAT(note.headers, Contains(HttpHeader{"Authorization", "Token token=secret-token"}));
  EXPECT_THAT(note.headers, Contains(HttpHeader{"From", "mia@example.org"}));
  EXPECT_THAT(json::parse(note.body)["note"]["content"].get<std::string>(),
              HasSubstr("4f2a takes a check out (confidence 0.83)"));
  const HttpRequest& message = client_.requests()[1];
  EXPECT_EQ(message.url, both_.slack_url);
  EXPECT_THAT(message.headers, Not(Contains(HttpHeader{"From", "mia@example.org"})));
  for (const HttpHeader& header : message.headers) EXPECT_NE(header.name, "Authorization");
  EXPECT_EQ(json::parse(message.body)["blocks"][0]["type"], "header");
}

TEST_F(NoteWriterTest, ANumberIsLookedUpForItsId) {
  client_.play(200, R"({"incident":{"id":"PT4KHLK"}})");
  client_.play(201, "{}");
  const NoteOptions options{.token = "t", .from = "mia@example.org"};
  EXPECT_TRUE(write(options, "PD-1234")[0].done);
  EXPECT_EQ(client_.requests()[0].method, "GET");
  EXPECT_EQ(client_.requests()[0].url, "https://api.pagerduty.com/incidents/1234");
  EXPECT_EQ(client_.requests()[1].url, "https://api.pagerduty.com/incidents/PT4KHLK/notes");
}

TEST_F(NoteWriterTest, OneThatIsRefusedCostsTheOtherNothingAndShowsNoSecret) {
  client_.play(400, R"({"error":{"message":"Invalid Input","errors":["Requester not found"]}})");
  client_.play(403, "action_prohibited");
  const auto done = write(both_, "PD-Q1");
  ASSERT_THAT(done, SizeIs(2));
  EXPECT_EQ(done[0].done.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(done[0].done.error().message,
            "PagerDuty answered with HTTP 400: Invalid Input; Requester not found");
  EXPECT_EQ(done[1].done.error().code, ErrorCode::kPermission);
  EXPECT_THAT(done[1].done.error().message,
              AllOf(HasSubstr("action_prohibited"), HasSubstr("SLACK_WEBHOOK_URL")));
  client_.play(401, "{}");
  client_.play({{500, {}}, {}, Error{ErrorCode::kUnavailable, "no such host"}});
  for (const NoteOutcome& each : write(both_, "PD-Q1"))
    EXPECT_THAT(each.done.error().text(),
                AllOf(Not(HasSubstr("secret-path")), Not(HasSubstr("secret-token"))));
  client_.play(503, "");
  client_.play(200, "ok");
  EXPECT_EQ(write(both_, "PD-Q1")[0].done.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(client_.requests(), SizeIs(6)) << "nothing is sent twice";
}

TEST_F(NoteWriterTest, OnlyAnIncidentOfPagerDutyGetsANoteThere) {
  client_.play(200, "ok");
  EXPECT_THAT(write(both_, "LabelErrors"), SizeIs(1));
  EXPECT_EQ(client_.requests()[0].url, both_.slack_url);
  cancel_.cancel();
  EXPECT_EQ(write(both_, "PD-Q1")[0].done.error().code, ErrorCode::kCancelled);
  EXPECT_THAT(client_.requests(), SizeIs(1));
}

TEST_F(NoteWriterTest, WhatIsMissingIsNamed) {
  const auto refusal = [&](NoteOptions options) {
    const auto writer = NoteWriter::open(std::move(options), client_);
    return writer ? "" : writer.error().message;
  };
  EXPECT_THAT(refusal({}), AllOf(HasSubstr("PAGERDUTY_FROM"), HasSubstr("SLACK_WEBHOOK_URL")));
  EXPECT_THAT(refusal({.token = "t", .from = "Mia"}), HasSubstr("PAGERDUTY_FROM is 'Mia'"));
  EXPECT_THAT(refusal({.token = "t", .from = "m@x.org\r\nX: y"}), HasSubstr("PAGERDUTY_FROM"));
  EXPECT_THAT(refusal({.from = "mia@example.org"}), HasSubstr("PAGERDUTY_TOKEN"));
  EXPECT_THAT(refusal({.slack_url = "http://hooks.example/secret"}),
              AllOf(HasSubstr("SLACK_WEBHOOK_URL"), Not(HasSubstr("secret_"))));
  EXPECT_THAT(refusal({.slack_url = "hooks"}), HasSubstr("SLACK_WEBHOOK_URL"));
  EXPECT_THAT(refusal({.pagerduty_url = "http://pd.example", .token = "t", .from = "m@x.org"}),
              HasSubstr("PAGERDUTY_URL"));
  const auto writer = NoteWriter::open({.token = "t", .from = "mia@example.org"}, client_);
  EXPECT_TRUE(writer->check("PD-7"));
  EXPECT_THAT(writer->check("alert.json").error().message,
              AllOf(HasSubstr("'alert.json'"), HasSubstr("SLACK_WEBHOOK_URL")));
  EXPECT_THAT(client_.requests(), IsEmpty());
}

}  // namespace
}  // namespace precedent
