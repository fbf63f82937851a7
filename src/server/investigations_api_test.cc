// Investigations over HTTP and over MCP, and the webhooks that begin them.
#include "server/investigations/investigations_api.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "files/files.h"
#include "server/auth/digest.h"
#include "server/server_lab.h"

namespace precedent {
namespace {

using namespace std::chrono_literals;

class InvestigationsApiTest : public ServerLab {
 protected:
  InvestigationsApiTest() { start_with({.debounce = 0ms}); }
  void start_with(const InvestigationLimits& limits) {
    server_.reset();
    options_.investigation_limits = limits;
    options_.webhook_secrets = {"old-secret", "secret"};
    ServerServices services = this->services();
    services.warn = [this](const std::string& warning) { warnings_ += warning + "\n"; };
    server_ = Server::start(services, options_).value();
  }
  Got order(const std::string& body, const std::string& key = "") {
    std::vector<HttpHeader> headers = {{"Content-Type", "application/json"}};
    if (!key.empty()) headers.push_back({"Idempotency-Key", key});
    return ask("POST", "/investigations", body, std::move(headers));
  }
  json ended(const std::string& id) {
    for (;;) {
      const json body = ask("GET", "/investigations/" + id).body;
      if (body.contains("ended_at")) return body;
    }
  }
  json all() { return ask("GET", "/investigations").body["investigations"]; }
  void wait_for(size_t count) {
    while (all().size() < count) std::this_thread::yield();
  }
  Got pagerduty(const std::string& body, const std::string& message, const std::string& secret) {
    std::string digits;
    for (const char byte : hmac_sha256(secret, body))
      digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    return ask("POST", "/webhook/pagerduty", body,
               {{"Content-Type", "application/json"},
                {"X-Webhook-Id", message},
                {"X-PagerDuty-Signature", "v1=00ff, v1=" + digits}});
  }
  // Of one service, as PagerDuty has many.
  static std::string event_of(const std::string& incident, const std::string& type) {
    json made = json::parse(event(incident + type, type));
    made["event"]["data"]["id"] = incident;
    made["event"]["data"]["service"]["id"] = "PSERVICE";
    return made.dump();
  }
  static std::string event(const std::string& id, const std::string& type) {
    return json{{"event",
                 {{"id", id},
                  {"event_type", type},
                  {"data",
                   {{"id", "Q1ABC"},
                    {"title", "label fails"},
                    {"urgency", "high"},
                    {"service", {{"summary", "label"}}}}}}}}
        .dump();
  }
  static std::string notification(const std::string& group, const std::string& status,
                                  const std::string& severity = "warning") {
    return json{{"version", "4"},
                {"groupKey", group},
                {"status", status},
                {"truncatedAlerts", 0},
                {"alerts",
                 {{{"status", status},
                   {"labels", {{"alertname", "LabelErrors"}, {"severity", severity}}},
                   {"startsAt", "2026-05-04T09:00:00Z"},
                   {"endsAt", "0001-01-01T00:00:00Z"},
                   {"fingerprint", "f1"}}}}}
        .dump();
  }
  Got alertmanager(const std::string& body) { return ask("POST", "/webhook/alertmanager", body); }

  std::string warnings_;
};

TEST_F(InvestigationsApiTest, AnOrderIsTakenWatchedAndRead) {
  const Got taken = order(R"({"incident":"PD-7","service":"label"})");
  ASSERT_EQ(taken.status, 202) << taken.raw.body;
  const std::string id = taken.body["id"];
  EXPECT_EQ(taken.raw.header("Location"), "/investigations/" + id);
  const json done = ended(id);
  EXPECT_EQ(done["state"], "done");
  EXPECT_EQ(done["by"], "operator");
  EXPECT_EQ(done["about"], "PD-7");
  EXPECT_EQ(done["report"]["summary"], "PD-7");
  EXPECT_EQ(ask("GET", "/investigations/" + id + "?format=markdown").raw.body, "# PD-7");
  const auto events = events_of(ask("GET", "/investigations/" + id + "/stream"));
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].event, "status");
  EXPECT_EQ(events[1].event, "complete");
  EXPECT_EQ(parse_json(events[1].data)["report"]["outcome"], "found");
  const std::string failed = order(R"({"incident":"PD-0"})").body["id"];
  EXPECT_EQ(ended(failed)["state"], "failed");
  EXPECT_EQ(ended(failed)["error"], "no incident 0");
  EXPECT_EQ(all().size(), 2U);
  EXPECT_EQ(ask("GET", "/investigations/i-none").status, 404);
}

TEST_F(InvestigationsApiTest, OneThatAsksGoesOnWithItsAnswerAlsoAfterARestart) {
  const auto in_state = [&](const std::string& id, const std::string& state) {
    for (;;) {
      const json body = ask("GET", "/investigations/" + id).body;
      if (body["state"] == state) return body;
    }
  };
  const auto answer = [&](const std::string& id, const std::string& body) {
    return ask("POST", "/investigations/" + id + "/answer", body,
               {{"Content-Type", "application/json"}});
  };
  const std::string id = order(R"({"incident":"PD-7","ask":true})").body["id"];
  const json asks = in_state(id, "asking");
  EXPECT_EQ(asks["report"]["deciding_question"]["question"], "Is it so?");
  const auto events = events_of(ask("GET", "/investigations/" + id + "/stream"));
  EXPECT_EQ(events.back().event, "interrupt");
  EXPECT_EQ(answer(id, R"({"answer":1})").status, 400);
  EXPECT_EQ(answer("i-none", R"({"answer":"yes"})").status, 404);
  EXPECT_EQ(answer(id, R"({"answer":"perhaps"})").status, 202);
  json again;
  do again = in_state(id, "asking");
  while (!again.contains("error"));
  EXPECT_EQ(again["error"], "answer yes or no");
  EXPECT_EQ(again["report"]["summary"], "PD-7") << "what it came to so far stays";
  start_with({});
  in_state(id, "asking");
  ASSERT_EQ(answer(id, R"({"answer":"yes"})").status, 202);
  const json done = in_state(id, "done");
  EXPECT_EQ(done["report"]["summary"], "answered yes");
  EXPECT_FALSE(done.contains("error"));
  EXPECT_EQ(events_of(ask("GET", "/investigations/" + id + "/stream")).back().event, "complete");
  EXPECT_EQ(answer(id, R"({"answer":"no"})").status, 409);
  EXPECT_EQ(order(R"({"incident":"PD-7","ask":"yes"})").status, 400);
}

TEST_F(InvestigationsApiTest, AKeyIsForOneOrder) {
  const std::string first = order(R"({"incident":"PD-7"})", "k").body["id"];
  EXPECT_EQ(order(R"({"incident":"PD-7"})", "k").body["id"], first);
  EXPECT_EQ(order(R"({"incident":"PD-8"})", "k").status, 409);
  EXPECT_NE(order(R"({"incident":"PD-7"})", "other").body["id"], first);
}

TEST_F(InvestigationsApiTest, WhatNamesNothingIsNoOrder) {
  for (const char* body : {"{}", R"({"incident":5})", R"({"alert":"text"})", R"({"what":"x"})",
                           R"({"incident":"  "})", R"({"service":"label","since":"xx"})",
                           R"({"service":"label","until":"yesterday-ish"})", "[]", "x"})
    EXPECT_EQ(order(body).status, 400) << body;
  EXPECT_EQ(investigator_.asked, 0);
}

TEST_F(InvestigationsApiTest, AnIncidentThatItsSourceDoesNotKnowIsRefusedAtOnce) {
  const Got refused = order(R"({"incident":"PD-UNKNOWN"})");
  EXPECT_EQ(refused.status, 404);
  EXPECT_EQ(refused.body["detail"], "nobody knows it");
  EXPECT_TRUE(all().empty());
}

TEST_F(InvestigationsApiTest, OneIsCancelledAndOneIsFoundAfterARestart) {
  const std::string kept = order(R"({"incident":"PD-7"})").body["id"];
  ended(kept);
  investigator_.held = true;
  const std::string id = order(R"({"alert":{"title":"x y"}})").body["id"];
  EXPECT_EQ(ask("POST", "/investigations/" + id + "/cancel").status, 200);
  EXPECT_EQ(ended(id)["state"], "cancelled");
  EXPECT_EQ(ask("GET", "/investigations/" + id + "?format=markdown").status, 409);
  investigator_.held = false;
  start_with({});
  const json again = ask("GET", "/investigations/" + kept).body;
  EXPECT_EQ(again["state"], "done");
  EXPECT_EQ(again["report"]["summary"], "PD-7");
  EXPECT_EQ(ask("GET", "/investigations/" + kept + "/stream").status, 410);
}

TEST_F(InvestigationsApiTest, WhatRanWhenTheServerEndedGoesOnWithTheNext) {
  investigator_.held = true;
  const std::string id = order(R"({"incident":"PD-7"})", "key").body["id"];
  while (investigator_.asked < 1) std::this_thread::yield();
  start_with({});
  while (investigator_.asked < 2) std::this_thread::yield();
  EXPECT_THAT(warnings_, ::testing::HasSubstr(id + " ran when the server ended, and goes on"));
  EXPECT_EQ(ask("GET", "/investigations/" + id).body["state"], "running");
  EXPECT_EQ(order(R"({"incident":"PD-7"})", "key").body["id"], id);
  investigator_.held = false;
  const json done = ended(id);
  EXPECT_EQ(done["state"], "done");
  EXPECT_EQ(done["report"]["summary"], "PD-7") << "its order was kept";
  const auto events = events_of(ask("GET", "/investigations/" + id + "/stream"));
  EXPECT_EQ(events.back().event, "complete");
  start_with({});
  EXPECT_EQ(ask("GET", "/investigations/" + id).body["state"], "done");
  EXPECT_EQ(investigator_.asked, 2);
}

TEST_F(InvestigationsApiTest, WhatEndsTheServerAgainAndAgainIsNotBegunForEver) {
  investigator_.held = true;
  const std::string id = order(R"({"incident":"PD-7"})").body["id"];
  for (int begun = 1; begun <= 3; ++begun) {
    while (investigator_.asked < begun) std::this_thread::yield();
    start_with({});
  }
  const json given_up = ask("GET", "/investigations/" + id).body;
  EXPECT_EQ(given_up["state"], "failed");
  EXPECT_EQ(given_up["error"], "the server ended 3 times while it ran; order it again");
  investigator_.held = false;
  start_with({});
  EXPECT_EQ(ask("GET", "/investigations/" + id).body["state"], "failed");
  EXPECT_EQ(investigator_.asked, 3);
}

TEST_F(InvestigationsApiTest, OneThatAnAlarmBeganIsOneAfterARestart) {
  investigator_.held = true;
  ASSERT_EQ(alertmanager(notification("g", "firing")).status, 202);
  while (investigator_.asked < 1) std::this_thread::yield();
  start_with({.debounce = std::chrono::milliseconds(0)});
  while (investigator_.asked < 2) std::this_thread::yield();
  ASSERT_EQ(alertmanager(notification("g", "firing")).status, 202);
  ASSERT_EQ(all().size(), 1U);
  investigator_.held = false;
  EXPECT_EQ(ended(all()[0]["id"])["state"], "done");
  while (investigator_.told < 1) std::this_thread::yield();
  EXPECT_EQ(all().size(), 1U);
}

TEST_F(InvestigationsApiTest, PagerDutyIsBelievedBySignatureAndOnce) {
  const std::string begins = event("E1", "incident.triggered");
  EXPECT_EQ(pagerduty(begins, "M1", "guessed").status, 401);
  EXPECT_EQ(ask("POST", "/webhook/pagerduty", begins).status, 401);
  EXPECT_EQ(pagerduty(event("E0", "incident.acknowledged"), "M0", "secret").status, 202);
  EXPECT_EQ(pagerduty("{", "M9", "secret").status, 202) << "no 4xx for what is signed";
  EXPECT_TRUE(all().empty());
  EXPECT_EQ(pagerduty(begins, "M1", "old-secret").body["taken"], "an alarm");
  EXPECT_EQ(pagerduty(begins, "M1", "secret").body["taken"], "it came before");
  wait_for(1);
  const json done = ended(all()[0]["id"]);
  EXPECT_EQ(done["by"], "pagerduty");
  EXPECT_EQ(done["about"], "PD-Q1ABC");
  EXPECT_EQ(pagerduty(event("E2", "incident.resolved"), "M2", "secret").body["taken"], "its end");
  EXPECT_TRUE(all()[0].contains("resolved_at"));
  EXPECT_EQ(investigator_.asked, 1);
}

TEST_F(InvestigationsApiTest, AStormIsOneInvestigation) {
  for (int i = 0; i < 50; ++i) EXPECT_EQ(alertmanager(notification("g", "firing")).status, 202);
  wait_for(1);
  ended(all()[0]["id"]);
  EXPECT_EQ(alertmanager(notification("g", "firing")).status, 202);
  EXPECT_EQ(alertmanager(notification("other", "firing")).status, 202);
  wait_for(2);
  EXPECT_EQ(all().size(), 2U);
  EXPECT_EQ(alertmanager(R"({"status":"firing"})").status, 400);
  EXPECT_EQ(alertmanager(R"({"status":"firing","alerts":[[null]]})").status, 400);
  EXPECT_EQ(alertmanager(R"({"status":"firing","alerts":[],"groupKey":1})").status, 400);
}

TEST_F(InvestigationsApiTest, IncidentsOfOneServiceAreOneStormThatIsOverWithTheLast) {
  start_with({.debounce = 300ms, .cooldown = 1h});
  const auto send = [&](const std::string& incident, const std::string& type) {
    EXPECT_EQ(pagerduty(event_of(incident, type), incident + type, "secret").status, 202);
  };
  for (const char* incident : {"A", "B", "C"}) send(incident, "incident.triggered");
  send("A", "incident.resolved");
  wait_for(1);
  const std::string id = all()[0]["id"];
  EXPECT_EQ(ended(id)["about"], "PD-B") << "A was over before it began";
  EXPECT_EQ(ended(id)["alarms"], 2);
  send("D", "incident.triggered");
  send("B", "incident.resolved");
  start_with({.debounce = 0ms, .cooldown = 1h});
  send("C", "incident.resolved");
  EXPECT_FALSE(all()[0].contains("resolved_at")) << "D joined it, and lasts";
  EXPECT_EQ(all()[0]["alarms"], 3);
  send("D", "incident.resolved");
  EXPECT_TRUE(all()[0].contains("resolved_at"));
  EXPECT_EQ(all().size(), 1U);
  EXPECT_EQ(investigator_.asked, 1);
}

TEST_F(InvestigationsApiTest, AStormThatWaitedIsOneAfterARestart) {
  start_with({.debounce = 1h});
  for (const char* incident : {"A", "B"})
    EXPECT_EQ(pagerduty(event_of(incident, "incident.triggered"), incident, "secret").status, 202);
  start_with({.debounce = 0ms, .cooldown = 1h});
  wait_for(1);
  EXPECT_EQ(ended(all()[0]["id"])["alarms"], 2);
  EXPECT_EQ(all().size(), 1U);
}

TEST_F(InvestigationsApiTest, WhatIsOverIsScoredAndTheScoreOutlivesARestart) {
  EXPECT_EQ(alertmanager(notification("g", "firing")).status, 202);
  wait_for(1);
  const std::string id = all()[0]["id"];
  EXPECT_FALSE(ended(id).contains("score"));
  EXPECT_EQ(alertmanager(notification("g", "resolved")).status, 202);
  json shown;
  do shown = ask("GET", "/investigations/" + id).body;
  while (!shown.contains("score"));
  EXPECT_EQ(shown["score"]["outcome"], "confirmed");
  EXPECT_EQ(shown["score"]["in_time"], true);
  EXPECT_EQ(shown["score"]["because"], shown["report"]["summary"]);
  start_with({});
  const json list = ask("GET", "/investigations").body;
  EXPECT_EQ(list["scores"], (json{{"confirmed", 1}}));
  EXPECT_TRUE(list["investigations"][0].contains("resolved_at"));
}

TEST_F(InvestigationsApiTest, AListTellsWhatEachIsAboutAndWhatItCameTo) {
  investigator_.title = "Labels fail";
  const std::string first = order(R"({"incident":"PD-7"})").body["id"];
  EXPECT_EQ(ended(first)["about"], "PD-7: Labels fail");
  investigator_.title = "";
  const std::string alert = R"({"alert":{"commonLabels":{"alertname":"LabelErrors"}}})";
  EXPECT_EQ(ended(order(alert).body["id"])["about"], "LabelErrors");
  for (const bool again : {false, true}) {
    if (again) start_with({});
    for (const json& each : all()) {
      if (each["id"] != first) continue;
      EXPECT_EQ(each["about"], "PD-7: Labels fail");
      EXPECT_EQ(each["summary"], "PD-7");
    }
  }
}

TEST_F(InvestigationsApiTest, WhatIsOverSoonWasNothing) {
  start_with({.debounce = 1h, .waiting = 2});
  EXPECT_EQ(alertmanager(notification("a", "firing")).status, 202);
  EXPECT_EQ(alertmanager(notification("b", "firing")).status, 202);
  const Got full = alertmanager(notification("c", "firing"));
  EXPECT_EQ(full.status, 503);
  EXPECT_FALSE(full.raw.header("Retry-After").empty());
  // A message that was refused is no message that came before.
  EXPECT_EQ(pagerduty(event("E1", "incident.triggered"), "M1", "secret").status, 503);
  EXPECT_EQ(alertmanager(notification("a", "resolved")).body["taken"], "its end");
  EXPECT_EQ(pagerduty(event("E1", "incident.triggered"), "M1", "secret").status, 202);
  EXPECT_TRUE(all().empty());
}

TEST_F(InvestigationsApiTest, AnHourHasALimitThatCriticalAlarmsPass) {
  start_with({.debounce = 0ms, .an_hour = 1});
  alertmanager(notification("a", "firing"));
  wait_for(1);
  EXPECT_EQ(alertmanager(notification("b", "firing")).status, 202);
  EXPECT_EQ(alertmanager(notification("c", "firing", "critical")).status, 202);
  wait_for(2);
  EXPECT_EQ(all().size(), 2U);
}

TEST_F(InvestigationsApiTest, TheLimitHoldsForAStormThatCameWithinOneWait) {
  start_with({.debounce = 200ms, .an_hour = 3});
  for (int i = 0; i < 12; ++i)
    EXPECT_EQ(alertmanager(notification(fmt::format("g{}", i), "firing")).status, 202);
  EXPECT_EQ(alertmanager(notification("c", "firing", "critical")).status, 202);
  while (ask("GET", "/investigations").body["left_out"] < 9) std::this_thread::yield();
  wait_for(4);
  for (const json& each : all()) ended(each["id"]);
  EXPECT_EQ(all().size(), 4U);
  server_->drain(1s);
  EXPECT_THAT(warnings_, ::testing::HasSubstr("no investigation of an alert (alertmanager): 3"));
}

TEST_F(InvestigationsApiTest, WhatAnAlarmCameToIsToldAndAFailureCostsNoReport) {
  ended(order(R"({"incident":"PD-7"})").body["id"]);
  std::string mute = event("E1", "incident.triggered");
  mute.replace(mute.find("Q1ABC"), 5, "MUTE");
  EXPECT_EQ(pagerduty(mute, "M1", "secret").status, 202);
  wait_for(2);
  const json done = ended(all()[0]["id"]);
  EXPECT_EQ(done["state"], "done");
  EXPECT_EQ(done["report"]["summary"], "PD-MUTE");
  server_->drain(1s);
  EXPECT_EQ(investigator_.told, 1) << "what somebody ordered is told to them alone";
  EXPECT_NE(warnings_.find("nobody can be told"), std::string::npos) << warnings_;
}

TEST_F(InvestigationsApiTest, ARestartRemembersWhatCameAndWhatRests) {
  EXPECT_EQ(pagerduty(event("E1", "incident.triggered"), "M1", "secret").status, 202);
  EXPECT_EQ(alertmanager(notification("g", "firing")).status, 202);
  wait_for(2);
  for (const json& each : all()) ended(each["id"]);
  start_with({.debounce = 0ms, .cooldown = 1h});
  EXPECT_EQ(pagerduty(event("E1", "incident.triggered"), "M1", "secret").body["taken"],
            "it came before");
  // Other messages about the same two.
  EXPECT_EQ(pagerduty(event("E2", "incident.triggered"), "M2", "secret").status, 202);
  EXPECT_EQ(alertmanager(notification("g", "firing")).status, 202);
  EXPECT_EQ(alertmanager(notification("other", "firing")).status, 202);
  wait_for(3);
  for (const json& each : all()) ended(each["id"]);
  EXPECT_EQ(all().size(), 3U);
  EXPECT_EQ(investigator_.asked, 3);
  EXPECT_EQ(warnings_, "");
}

TEST_F(InvestigationsApiTest, AnAlarmThatWaitedIsInvestigatedAfterARestart) {
  start_with({.debounce = 1h});
  EXPECT_EQ(pagerduty(event("E1", "incident.triggered"), "M1", "secret").status, 202);
  EXPECT_EQ(alertmanager(notification("g", "firing")).status, 202);
  EXPECT_EQ(alertmanager(notification("over", "firing")).status, 202);
  EXPECT_EQ(alertmanager(notification("over", "resolved")).status, 202);
  EXPECT_TRUE(all().empty());
  start_with({.debounce = 0ms});
  EXPECT_EQ(pagerduty(event("E1", "incident.triggered"), "M1", "secret").body["taken"],
            "it came before");
  wait_for(2);
  for (const json& each : all()) {
    const json done = ended(each["id"]);
    EXPECT_EQ(done["about"], done["by"] == "pagerduty" ? "PD-Q1ABC" : "an alert");
    EXPECT_NE(done["report"]["summary"], "") << "the order is whole";
  }
  start_with({.debounce = 0ms});
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(all().size(), 2U) << "what began waits no more";
}

TEST_F(InvestigationsApiTest, AKeyIsRememberedOverARestart) {
  const std::string first = order(R"({"incident":"PD-7"})", "k").body["id"];
  ended(first);
  start_with({});
  EXPECT_EQ(order(R"({"incident":"PD-7"})", "k").body["id"], first);
  EXPECT_EQ(order(R"({"incident":"PD-8"})", "k").status, 409);
  EXPECT_EQ(investigator_.asked, 1);
}

TEST_F(InvestigationsApiTest, DamagedMemoryIsSaidAndBegunAnew) {
  server_.reset();
  const std::string_view parts[] = {"\x01\xff no line of ours\n{\"at\":5}\n"};
  for (const char* name : {"webhooks.jsonl", "keys.jsonl", "waiting/a.json"}) {
    const auto file = options_.investigations / name;
    ASSERT_TRUE(make_directories(file.parent_path()));
    ASSERT_TRUE(write_file_atomically(file, parts));
  }
  start_with({.debounce = 0ms});
  for (const char* name : {"webhooks.jsonl", "keys.jsonl", "a.json"})
    EXPECT_NE(warnings_.find(name), std::string::npos) << warnings_;
  EXPECT_EQ(pagerduty(event("E1", "incident.triggered"), "M1", "secret").body["taken"], "an alarm");
  wait_for(1);
  ended(all()[0]["id"]);
  warnings_.clear();
  start_with({.debounce = 0ms});
  EXPECT_EQ(pagerduty(event("E1", "incident.triggered"), "M1", "secret").body["taken"],
            "it came before");
  EXPECT_EQ(warnings_, "");
}

TEST_F(InvestigationsApiTest, ItIsAToolOfMcp) {
  const auto mcp = [&](const std::string& method, json params) {
    return ask("POST", "/mcp",
               json{{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", params}}.dump(),
               {{"Content-Type", "application/json"}, {"MCP-Protocol-Version", "2025-11-25"}})
        .body["result"];
  };
  const json tools = mcp("tools/list", json::object())["tools"];
  EXPECT_EQ(tools[1]["name"], "investigate");
  const auto call = [&](const json& arguments) {
    return mcp("tools/call", {{"name", "investigate"}, {"arguments", arguments}});
  };
  const json done = call({{"incident", "PD-7"}});
  EXPECT_EQ(done["isError"], false) << done;
  EXPECT_EQ(done["content"][0]["text"], "# PD-7");
  EXPECT_EQ(done["structuredContent"]["outcome"], "found");
  EXPECT_EQ(call(json::object())["isError"], true);
  EXPECT_EQ(call({{"strange", 1}})["isError"], true);
  EXPECT_EQ(call({{"incident", "PD-0"}})["isError"], true);
}

}  // namespace
}  // namespace precedent
