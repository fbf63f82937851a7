// The streaming protocol of LangGraph over real HTTP: commands, and the events of a thread.
#include <set>

#include "server/threads_lab.h"

namespace precedent {
namespace {

class ThreadCommandsTest : public ThreadsLab {
 protected:
  Got command(const std::string& id, const std::string& method, const json& params) {
    return ask("POST", "/threads/" + id + "/commands",
               json{{"id", 7}, {"method", method}, {"params", params}}.dump());
  }
  // The events of a thread until the end of a run is among them.
  std::vector<json> events_until_end(const std::string& id, const json& filter) {
    std::vector<json> events;
    CurlHttpClient client;
    const CancelToken cancel;
    SseDecoder decoder;
    const auto heard =
        client.stream({.method = "POST",
                       .url = url("/threads/" + id + "/stream/events"),
                       .headers = {{"Content-Type", "application/json"}},
                       .body = filter.dump()},
                      {cancel, std::chrono::steady_clock::now() + std::chrono::seconds(30)},
                      [&](const HttpResponse&, std::string_view piece) {
                        bool ended = false;
                        EXPECT_TRUE(decoder.feed(piece, [&](const SseEvent& event) {
                          events.push_back(parse_json(event.data));
                          ended = events.back()["method"] == "lifecycle" &&
                                  events.back()["params"]["data"]["event"] != "started";
                          return !ended;
                        }));
                        return !ended;
                      });
    EXPECT_TRUE(heard) << heard.error().text();
    return events;
  }
};

TEST_F(ThreadCommandsTest, TheFirstRunStartMakesTheThreadThatTheClientInvented) {
  const json input = {{"messages", {{{"role", "user"}, {"content", kLetters}}}}};
  const json params = {{"assistant_id", "precedent"}, {"input", input}};
  EXPECT_EQ(ask("POST", "/threads/fresh/stream/events", R"({"channels":["values"]})").status, 404);
  const Got started = command("fresh", "run.start", params);
  ASSERT_EQ(started.status, 200) << started.raw.body;
  EXPECT_EQ(started.body["type"], "success");
  EXPECT_EQ(started.body["id"], 7);
  const json channels = {"values", "updates", "messages", "tools", "lifecycle", "custom:plan"};
  const std::vector<json> events = events_until_end("fresh", {{"channels", channels}});
  std::string text;
  std::set<std::string> methods, ids;
  uint64_t last = 0;
  for (const json& event : events) {
    EXPECT_EQ(event["type"], "event");
    EXPECT_EQ(event["params"]["namespace"], json::array());
    EXPECT_TRUE(ids.insert(event["event_id"]).second) << event["event_id"];
    EXPECT_GE(event["seq"].get<uint64_t>(), last);
    last = event["seq"];
    methods.insert(event["method"]);
    const json& data = event["params"]["data"];
    if (event["method"] == "messages" && data["event"] == "content-block-delta")
      text += data["delta"]["text"];
    if (event["method"] == "custom") {
      EXPECT_EQ(data["name"], "plan");
    }
  }
  EXPECT_EQ(methods, (std::set<std::string>{"values", "updates", "messages", "tools", "lifecycle",
                                            "custom"}));
  EXPECT_EQ(events.front()["params"]["data"]["event"], "started");
  EXPECT_EQ(events.back()["params"]["data"]["event"], "completed");
  EXPECT_EQ(text, last_text(state("fresh")["values"]));
  EXPECT_EQ(ask("GET", "/threads/fresh/runs").body[0]["run_id"], started.body["result"]["run_id"]);
  // From an event on; and only what is below another namespace, which is nothing.
  const auto rest =
      events_until_end("fresh", {{"channels", {"lifecycle"}}, {"since", events.front()["seq"]}});
  ASSERT_EQ(rest.size(), 1U);
  EXPECT_EQ(rest[0], events.back());
}

TEST_F(ThreadCommandsTest, AnOpenStreamOfEventsTellsTheNextRunAndItsInterrupt) {
  const std::string id = thread();
  std::vector<json> heard;
  std::jthread listening(
      [&] { heard = events_until_end(id, {{"channels", {"lifecycle", "input"}}}); });
  const json input = {{"messages", {{{"type", "human"}, {"content", "it's broken again"}}}}};
  EXPECT_EQ(command(id, "run.start", {{"assistant_id", "precedent"}, {"input", input}}).status,
            200);
  listening.join();
  ASSERT_EQ(heard.size(), 3U);
  EXPECT_EQ(heard[1]["method"], "input.requested");
  EXPECT_EQ(heard[2]["params"]["data"]["event"], "interrupted");
  const json interrupt = heard[1]["params"]["data"]["interrupt_id"];
  EXPECT_EQ(state(id)["interrupts"][0]["id"], interrupt);
  const auto respond = [&](const json& params) {
    return command(id, "input.respond", params).body;
  };
  EXPECT_EQ(respond({{"interrupt_id", "interrupt-0"}, {"response", "x"}})["error"],
            "no_such_interrupt");
  EXPECT_EQ(respond({{"interrupt_id", interrupt}, {"response", 7}})["error"], "invalid_argument");
  const json answer = {
      {"namespace", json::array()}, {"interrupt_id", interrupt}, {"response", kLetters}};
  EXPECT_EQ(respond({{"responses", json::array({answer})}})["type"], "success");
  const auto answered = events_until_end(id, {{"channels", {"lifecycle", "input"}}});
  ASSERT_EQ(answered.size(), 3U);
  EXPECT_EQ(answered[1]["method"], "input.answered");
  EXPECT_EQ(answered[1]["params"]["data"]["interrupt_ids"], json::array({interrupt}));
  EXPECT_EQ(answered[2]["params"]["data"]["event"], "completed");
  EXPECT_EQ(respond(answer)["error"], "no_such_interrupt");
}

TEST_F(ThreadCommandsTest, WhatACommandCannotDoIsSaidInItsProtocol) {
  const std::string id = thread();
  const auto error = [&](const std::string& method, const json& params) {
    const Got got = command(id, method, params);
    EXPECT_EQ(got.status, 200) << got.raw.body;
    EXPECT_EQ(got.body["id"], 7);
    EXPECT_FALSE(got.body["message"].get<std::string>().empty());
    return got.body["error"].get<std::string>();
  };
  const json input = {{"messages", {{{"role", "user"}, {"content", "letters?"}}}}};
  EXPECT_EQ(error("run.stop", json::object()), "unknown_command");
  EXPECT_EQ(error("agent.getTree", json::object()), "not_supported");
  EXPECT_EQ(error("run.start", {{"assistant_id", "precedent"}, {"input", 7}}), "invalid_argument");
  EXPECT_EQ(
      error("run.start",
            {{"assistant_id", "precedent"}, {"input", input}, {"multitaskStrategy", "enqueue"}}),
      "not_supported");
  EXPECT_EQ(error("run.start", {{"assistant_id", "precedent"},
                                {"input", input},
                                {"config", {{"configurable", {{"checkpoint_id", "999999"}}}}}}),
            "no_such_checkpoint");
  answerer_.held = true;
  ask("POST", "/threads/" + id + "/runs", run_of(kLetters));
  EXPECT_EQ(command(id, "run.start", {{"assistant_id", "precedent"}, {"input", input}}).status,
            409);
  answerer_.held = false;
}

TEST_F(ThreadCommandsTest, AStreamOfEventsEndsWithTheServer) {
  const std::string id = thread();
  std::atomic<bool> followed{false};
  Result<HttpResponse> ended = fail(ErrorCode::kInternal, "not asked yet");
  std::jthread following([&] {
    CurlHttpClient client;
    const CancelToken cancel;
    ended = client.stream({.method = "POST",
                           .url = url("/threads/" + id + "/stream/events"),
                           .headers = {{"Content-Type", "application/json"}},
                           .body = R"({"channels":["lifecycle"]})"},
                          {cancel, std::chrono::steady_clock::now() + std::chrono::seconds(30)},
                          [&](const HttpResponse&, std::string_view) { return followed = true; });
    followed = true;
  });
  // Its first heartbeat has come.
  while (!followed) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  server_->drain(std::chrono::milliseconds(100));
  following.join();
  ASSERT_TRUE(ended) << ended.error().text();
  EXPECT_EQ(ended->status, 200);
}

}  // namespace
}  // namespace precedent
