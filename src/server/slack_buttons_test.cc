// Presses of buttons in Slack, over HTTP: whose count, and what they do.
#include "server/investigations/slack_buttons.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/hash.h"
#include "base/hex.h"
#include "files/files.h"
#include "net/url.h"
#include "server/auth/digest.h"
#include "server/server_lab.h"

namespace precedent {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;

class SlackButtonsTest : public ServerLab {
 protected:
  SlackButtonsTest() { start(); }
  // It whispers into members of this.
  ~SlackButtonsTest() override { server_.reset(); }
  void start() {
    server_.reset();
    options_.investigation_limits = {.debounce = 0ms, .alarms_ask = true};
    options_.audit = folder_.path() / "audit.jsonl";
    options_.slack = {.secrets = {"old-secret", "secret"},
                      .users = {{"U1", "ann"}, {"U2", "ben"}},
                      .whisper = [this](const std::string& channel, const std::string& user,
                                        const std::string& text, const CancelToken&) {
                        const std::lock_guard lock(mutex_);
                        whispered_.push_back(fmt::format("{} {}: {}", channel, user, text));
                        return Result<void>();
                      }};
    server_ = Server::start(services(), options_).value();
  }
  // One that asks "Is it so?".
  std::string asking() {
    const Got taken = ask("POST", "/investigations", R"({"incident":"PD-7","ask":true})");
    std::string id = taken.body["id"];
    in_state(id, "asking");
    return id;
  }
  json in_state(const std::string& id, const std::string& state) {
    for (;;) {
      const json body = ask("GET", "/investigations/" + id).body;
      if (body["state"] == state) return body;
    }
  }
  std::string state_of(const std::string& id) {
    return ask("GET", "/investigations/" + id).body["state"];
  }
  static std::string body(const std::string& id, const std::string& answer,
                          const std::string& member = "U1",
                          const std::string& question = "Is it so?") {
    const json payload = {
        {"type", "block_actions"},
        {"user", {{"id", member}, {"username", "whoever"}}},
        {"container", {{"type", "message"}, {"channel_id", "C1"}, {"message_ts", "17.1"}}},
        {"actions",
         {{{"type", "button"},
           {"action_id", "precedent_" + answer},
           {"value", fmt::format("{} {} {}", id, content_hash(question), answer)}}}}};
    return "payload=" + percent_encoded(payload.dump());
  }
  Got press(const std::string& body, std::chrono::seconds off = 0s,
            const std::string& secret = "secret") {
    const std::string at = std::to_string((clock_.now() + off).time_since_epoch().count());
    const std::string digest = to_hex(hmac_sha256(secret, "v0:" + at + ":" + body));
    return ask("POST", "/webhook/slack", body,
               {{"Content-Type", "application/x-www-form-urlencoded"},
                {"X-Slack-Request-Timestamp", at},
                {"X-Slack-Signature", "v0=" + digest}});
  }
  std::string next_whisper() {
    for (;; std::this_thread::yield()) {
      const std::lock_guard lock(mutex_);
      if (whispered_.empty()) continue;
      std::string text = whispered_.front();
      whispered_.erase(whispered_.begin());
      return text;
    }
  }
  std::string audit() const { return *read_file(options_.audit, 1 << 20); }

  std::mutex mutex_;
  std::vector<std::string> whispered_;
};

TEST_F(SlackButtonsTest, APressAnswersInTheNameOfWhoIsBound) {
  const std::string id = asking();
  const Got taken = press(body(id, "no"));
  EXPECT_EQ(taken.status, 200);
  EXPECT_EQ(taken.raw.body, "");
  EXPECT_EQ(in_state(id, "done")["report"]["summary"], "answered no");
  const std::string written = audit();
  const json line = parse_json(written.substr(written.rfind('\n', written.size() - 2) + 1));
  EXPECT_EQ(line["who"], "ann");
  EXPECT_EQ(line["role"], "user");
  EXPECT_EQ(line["path"], "/investigations/" + id + "/answer");
  EXPECT_EQ(line["status"], 202);
  EXPECT_THAT(line["what"].get<std::string>(), AllOf(HasSubstr("no"), HasSubstr("U1")));
}

TEST_F(SlackButtonsTest, OnlySlackMayPress) {
  const std::string id = asking();
  const std::string yes = body(id, "yes");
  EXPECT_EQ(press(yes, 0s, "another").status, 401);
  EXPECT_EQ(press(yes, -301s).status, 401);
  EXPECT_EQ(press(yes, 301s).status, 401);
  EXPECT_EQ(ask("POST", "/webhook/slack", yes).status, 401) << "unsigned";
  // Signed, and changed on its way.
  const std::string at = std::to_string(clock_.now().time_since_epoch().count());
  const std::string digest = to_hex(hmac_sha256("secret", "v0:" + at + ":" + body(id, "no")));
  EXPECT_EQ(ask("POST", "/webhook/slack", yes,
                {{"X-Slack-Request-Timestamp", at}, {"X-Slack-Signature", "v0=" + digest}})
                .status,
            401);
  EXPECT_EQ(state_of(id), "asking");
  EXPECT_EQ(press(yes, -299s, "old-secret").status, 200) << "while secrets are changed";
  in_state(id, "done");
}

TEST_F(SlackButtonsTest, AMessageThatCameBeforeIsKnownAlsoAfterARestart) {
  // It moves nothing the first time, so that a second time would be the first that does.
  const std::string id = asking();
  const std::string yes = body(id, "yes", "U9");
  EXPECT_EQ(press(yes).status, 200);
  EXPECT_EQ(press(yes).status, 409);
  start();
  EXPECT_EQ(press(yes).status, 409);
  EXPECT_EQ(press(yes, 1s).status, 200) << "pressed again";
}

TEST_F(SlackButtonsTest, WhoIsNotBoundMovesNothingAndIsToldWhoMay) {
  const std::string id = asking();
  EXPECT_EQ(press(body(id, "yes", "U9")).status, 200);
  EXPECT_THAT(next_whisper(),
              AllOf(HasSubstr("C1 U9: Nothing was answered"), HasSubstr("ann, ben")));
  EXPECT_EQ(state_of(id), "asking");
  EXPECT_THAT(audit(), AllOf(HasSubstr(R"("status":403)"), HasSubstr("U9")));
}

TEST_F(SlackButtonsTest, AButtonThatIsPressedTwiceAnswersOnce) {
  const std::string id = asking();
  EXPECT_EQ(press(body(id, "yes")).status, 200);
  EXPECT_EQ(press(body(id, "no", "U2")).status, 200);
  EXPECT_THAT(next_whisper(), AllOf(HasSubstr("C1 U2"), HasSubstr("answered already")));
  EXPECT_EQ(in_state(id, "done")["report"]["summary"], "answered yes");
}

TEST_F(SlackButtonsTest, AButtonOfAnotherQuestionOrInvestigationAnswersNothing) {
  const std::string id = asking();
  EXPECT_EQ(press(body(id, "yes", "U1", "Was it so?")).status, 200);
  EXPECT_THAT(next_whisper(), HasSubstr("the card has the next one"));
  EXPECT_EQ(press(body("i-none", "yes")).status, 200);
  EXPECT_THAT(next_whisper(), HasSubstr("no investigation 'i-none'"));
  EXPECT_EQ(state_of(id), "asking");
  // Whatever else is signed is taken, and moves nothing.
  for (const char* other : {"payload=%7B", "payload=%zz", "ssl_check=1", "", "payload=[1]"})
    EXPECT_EQ(press(other).status, 200) << other;
  EXPECT_EQ(state_of(id), "asking");
}

TEST_F(SlackButtonsTest, WithoutASecretNobodyMayPress) {
  server_.reset();
  options_.slack.secrets.clear();
  server_ = Server::start(services(), options_).value();
  EXPECT_EQ(press(body("i-1", "yes")).status, 403);
}

TEST_F(SlackButtonsTest, AnAlarmAsksAndEachOfItsStatesIsTold) {
  const auto alarm = [&](const std::string& status) {
    return ask("POST", "/webhook/alertmanager",
               json{{"version", "4"},
                    {"groupKey", "g"},
                    {"status", status},
                    {"alerts", {{{"status", status}, {"labels", {{"alertname", "LabelErrors"}}}}}}}
                   .dump())
        .status;
  };
  investigator_.slow_to_tell = true;
  ASSERT_EQ(alarm("firing"), 202);
  json all;
  do all = ask("GET", "/investigations").body["investigations"];
  while (all.empty());
  const std::string id = all[0]["id"];
  in_state(id, "asking");
  while (investigator_.told < 1) std::this_thread::yield();
  ASSERT_EQ(alarm("resolved"), 202);
  while (investigator_.resolved < 1) std::this_thread::yield();
  ASSERT_EQ(alarm("resolved"), 202);
  // A card is there before whoever wrote it is done.
  EXPECT_EQ(press(body(id, "yes")).status, 200);
  in_state(id, "done");
  investigator_.slow_to_tell = false;
  while (investigator_.told < 2 || investigator_.resolved < 2) std::this_thread::yield();
  EXPECT_EQ(investigator_.told, 2);
}

}  // namespace
}  // namespace precedent
