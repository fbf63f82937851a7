// Cards in Slack and their threads, with a Slack that plays its answers.
#include "investigate/notes/slack_cards.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/foreign_json.h"
#include "base/hash.h"
#include "files/temporary_folder.h"
#include "net/scripted_http_client.h"

namespace precedent {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

struct SlackCardsTest : ::testing::Test {
  ScriptedHttpClient client;
  const TemporaryFolder folder;
  CancelToken cancel;
  bool buttons = true;

  SlackBot bot() {
    return SlackBot::open({.token = "xoxb-s3cret", .channel = "#incidents"}, client).value();
  }
  SlackCards cards() { return {bot(), folder.path() / "cards", buttons}; }
  static json open_report() {
    return {{"incident", {{"title", "Labels fail"}}},
            {"outcome", "inconclusive"},
            {"summary", "Two edits are as likely."},
            {"deciding_question",
             {{"question", "Does it stop?"}, {"if_yes", "4f2a."}, {"if_no", "Traffic."}}}};
  }
  static json answered_report() {
    json report = open_report();
    report["outcome"] = "cause", report["summary"] = "It was 4f2a.";
    report.erase("deciding_question");
    report["answers"] = {{{"question", "Does it stop?"}, {"answer", "yes"}}};
    return report;
  }
  void posted(const std::string& ts) {
    client.play(200, json{{"ok", true}, {"channel", "C1"}, {"ts", ts}}.dump());
  }
  json sent(size_t which) const { return parse_json(client.requests().at(which).body); }
  Result<void> tell(const json& report, bool asks, std::string_view id = "i-1") {
    return cards().tell({report, id, "https://p.example/i", asks}, cancel);
  }
  std::string error_of(const Result<void>& done) { return done ? "" : done.error().text(); }
};

TEST_F(SlackCardsTest, ACardAsksWithButtonsAndItsThreadHasWhatCameOfIt) {
  posted("17.1");
  ASSERT_TRUE(tell(open_report(), true));
  const HttpRequest& first = client.requests().at(0);
  EXPECT_EQ(first.url, "https://slack.com/api/chat.postMessage");
  EXPECT_THAT(first.headers, Contains(HttpHeader{"Authorization", "Bearer xoxb-s3cret"}));
  EXPECT_EQ(sent(0)["channel"], "#incidents");
  EXPECT_FALSE(sent(0).contains("thread_ts"));
  json actions;
  const json card = sent(0);
  for (const json& block : card["blocks"])
    if (block["type"] == "actions") actions = block["elements"];
  ASSERT_THAT(actions, SizeIs(2));
  const std::string mark = content_hash("Does it stop?");
  EXPECT_EQ(actions[0]["text"]["text"], "Yes");
  EXPECT_EQ(actions[0]["value"], "i-1 " + mark + " yes");
  EXPECT_EQ(actions[1]["value"], "i-1 " + mark + " no");
  EXPECT_NE(actions[0]["action_id"], actions[1]["action_id"]);

  // Where it stands is known after a restart, too.
  posted("17.1"), posted("17.2");
  ASSERT_TRUE(tell(answered_report(), false));
  EXPECT_EQ(client.requests().at(1).url, "https://slack.com/api/chat.update");
  EXPECT_EQ(sent(1)["ts"], "17.1");
  EXPECT_EQ(sent(1)["channel"], "C1");
  EXPECT_THAT(sent(1).dump(), Not(HasSubstr("\"actions\"")));
  EXPECT_EQ(sent(2)["thread_ts"], "17.1");
  EXPECT_EQ(sent(2)["channel"], "C1") << "where the card stands, whatever SLACK_CHANNEL is now";
  EXPECT_THAT(sent(2)["text"].get<std::string>(), HasSubstr("Answered *yes*: Does it stop?"));
  EXPECT_THAT(sent(2)["text"].get<std::string>(), HasSubstr("cause found* It was 4f2a."));

  posted("17.3");
  ASSERT_TRUE(cards().resolved("i-1", cancel));
  EXPECT_EQ(sent(3)["thread_ts"], "17.1");
  ASSERT_TRUE(cards().resolved("i-1", cancel)) << "once";
  ASSERT_TRUE(cards().resolved("i-2", cancel)) << "nothing is known of it";
  EXPECT_EQ(client.requests().size(), 4U);
}

TEST_F(SlackCardsTest, ThereAreNoButtonsThatNobodyTakes) {
  posted("1"), posted("2");
  ASSERT_TRUE(tell(open_report(), false, "i-1"));
  buttons = false;
  ASSERT_TRUE(tell(open_report(), true, "i-2"));
  for (const size_t which : {0U, 1U})
    EXPECT_THAT(sent(which).dump(), Not(HasSubstr("\"actions\"")));
}

TEST_F(SlackCardsTest, ACardThatSomebodyRemovedIsPostedAnew) {
  posted("1");
  ASSERT_TRUE(tell(open_report(), true));
  client.play(200, R"({"ok": false, "error": "message_not_found"})");
  posted("2");
  ASSERT_TRUE(tell(answered_report(), false));
  EXPECT_EQ(client.requests().at(2).url, "https://slack.com/api/chat.postMessage");
  EXPECT_FALSE(sent(2).contains("thread_ts"));
  posted("2"), posted("3");
  ASSERT_TRUE(tell(answered_report(), false));
  EXPECT_EQ(sent(3)["ts"], "2");
}

TEST_F(SlackCardsTest, WhatSlackRefusesSaysWhatToDoAndNeverTheToken) {
  const auto check = [&](const char* error, ErrorCode code, const char* remedy) {
    client.play(200, json{{"ok", false}, {"error", error}}.dump());
    const auto done = tell(open_report(), false);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, code);
    EXPECT_THAT(done.error().text(), HasSubstr(remedy));
    EXPECT_THAT(done.error().text(), Not(HasSubstr("s3cret")));
  };
  check("invalid_auth", ErrorCode::kPermission, "SLACK_BOT_TOKEN");
  check("missing_scope", ErrorCode::kPermission, "chat:write");
  check("not_in_channel", ErrorCode::kNotFound, "invite the app");
  check("msg_blocks_too_long", ErrorCode::kInvalidArgument, "msg_blocks_too_long");
  client.play(503, "");
  EXPECT_THAT(error_of(tell(open_report(), false)), HasSubstr("HTTP 503"));
  client.play(200, "<html>");
  EXPECT_THAT(error_of(tell(open_report(), false)), HasSubstr("SLACK_API_URL"));
}

TEST_F(SlackCardsTest, WhoAsksTooOftenWaitsOnceAsLongAsSlackSays) {
  client.play(429, "", {{"Retry-After", "0"}});
  posted("1");
  ASSERT_TRUE(tell(open_report(), false));
  EXPECT_EQ(client.requests().size(), 2U);
  client.play(429, "", {{"Retry-After", "3600"}});
  EXPECT_THAT(error_of(tell(open_report(), false, "i-3")), HasSubstr("in 3600 s"));
  client.play(429, "", {{"Retry-After", "0"}});
  client.play(429, "", {{"Retry-After", "0"}});
  EXPECT_THAT(error_of(tell(open_report(), false, "i-3")), HasSubstr("asked too often"));
}

TEST_F(SlackCardsTest, AnIdThatIsNoneTouchesNoFile) {
  EXPECT_THAT(error_of(tell(open_report(), false, "../../etc")), HasSubstr("no id"));
  EXPECT_TRUE(client.requests().empty());
}

TEST_F(SlackCardsTest, ABotTakesATokenAChannelAndASafeAddress) {
  const auto refusal = [&](SlackBotOptions options) {
    const auto opened = SlackBot::open(std::move(options), client);
    return opened ? "" : opened.error().text();
  };
  EXPECT_THAT(refusal({.channel = "C"}), HasSubstr("SLACK_BOT_TOKEN is not set"));
  EXPECT_THAT(refusal({.token = "xoxb-1"}), HasSubstr("SLACK_CHANNEL is not set"));
  EXPECT_THAT(refusal({.url = "http://evil.example", .token = "xoxb-1", .channel = "C"}),
              HasSubstr("write https"));
  EXPECT_THAT(refusal({.token = "xoxb-1\r\nX: y", .channel = "C"}), HasSubstr("no token"));
}

}  // namespace
}  // namespace precedent
