// What MCP is asked in a chat is a turn of that chat, for all who look at it.
#include <thread>

#include "server/mcp/turn.h"
#include "server/mcp_lab.h"

namespace precedent {
namespace {

constexpr const char* kQuestion = "what to do when letters are late?";

class McpTurnTest : public McpLab {
 protected:
  McpTurnTest() { ask("POST", "/chat/prompt", prompt("session_id")); }

  static std::string prompt(const char* key) {
    return json{{"message", kQuestion}, {key, "s-1"}}.dump();
  }
  json ask_in_chat() { return call("ask", {{"question", kQuestion}, {"chat_id", "s-1"}}); }
  std::string running_turn() {
    json turn;
    while (turn.is_null()) turn = ask("GET", "/chat/messages/s-1").body["running_turn"];
    return turn;
  }
  // Whoever asks is told which turn is in the way, each protocol in its own shape.
  void expect_busy(const std::string& turn) {
    const Got prompted = ask("POST", "/chat/prompt", prompt("chat_id"));
    EXPECT_EQ(prompted.status, 409);
    EXPECT_EQ(prompted.body["turn_id"], turn);
    const json args = {{"question", kQuestion}, {"chat_id", "s-1"}};
    const json older = legacy("tools/call", {{"name", "ask"}, {"arguments", args}}).body;
    for (const json& busy : {ask_in_chat(), older}) {
      EXPECT_EQ(busy["error"]["code"], -32000) << busy;
      EXPECT_EQ(busy["error"]["data"], (json{{"chat_id", "s-1"}, {"turn_id", turn}}));
    }
  }
  // While it runs: listed, in the way of others, joined from the chat's id, and cancelled there.
  void expect_cancelled_in_chat() {
    const std::string turn = running_turn();
    EXPECT_EQ(ask("GET", "/chat/").body["chats"][0]["running_turn"], turn);
    expect_busy(turn);
    Got joined;
    std::thread joining([&] { joined = ask("GET", "/chat/s-1/stream"); });
    const Got cancelled = ask("POST", "/chat/s-1/cancel");
    joining.join();
    EXPECT_EQ(cancelled.status, 202);
    EXPECT_EQ(cancelled.body["turn_id"], turn);
    const std::vector<SseEvent> events = events_of(joined);
    ASSERT_GE(events.size(), 2U) << joined.raw.body;
    EXPECT_EQ(events.front().event, "status");
    EXPECT_EQ(parse_json(events.front().data)["question"], kQuestion);
    EXPECT_EQ(events.back().event, "error");
    EXPECT_EQ(parse_json(events.back().data)["title"], "Cancelled");
    EXPECT_TRUE(ask("GET", "/chat/").body["chats"][0]["running_turn"].is_null());
  }
};

TEST_F(McpTurnTest, ACallRunsInItsChat) {
  answerer_.held = true;
  json answer;
  std::thread asking([&] { answer = ask_in_chat(); });
  expect_cancelled_in_chat();
  asking.join();
  EXPECT_EQ(answer["result"]["isError"], true) << answer;
}

TEST_F(McpTurnTest, ACallOverAStreamRunsInItsChat) {
  answerer_.held = true;
  accept_ = "application/json, text/event-stream";
  Got got;
  std::thread asking([&] {
    got = modern("tools/call",
                 {{"name", "ask"}, {"arguments", {{"question", kQuestion}, {"chat_id", "s-1"}}}});
  });
  const std::string turn = running_turn();
  EXPECT_EQ(ask("POST", "/chat/s-1/cancel").body["turn_id"], turn);
  asking.join();
  const std::vector<SseEvent> events = events_of(got);
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(parse_json(events.back().data)["result"]["isError"], true);
}

TEST_F(McpTurnTest, ATaskRunsInItsChat) {
  capabilities_ = {{"extensions", {{kMcpTasksExtension, json::object()}}}};
  answerer_.held = true;
  const json task = ask_in_chat()["result"];
  ASSERT_EQ(task["resultType"], "task") << task;
  expect_cancelled_in_chat();
  EXPECT_EQ(ended(task)["status"], "cancelled");
}

TEST_F(McpTurnTest, ItsEndIsToldInItsChat) {
  const json answered = ask_in_chat()["result"];
  EXPECT_EQ(answered["isError"], false) << answered;
  const std::vector<SseEvent> events = events_of(ask("GET", "/chat/s-1/stream"));
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back().event, "complete");
  EXPECT_EQ(parse_json(events.back().data)["answer"], answered["content"][0]["text"]);
  EXPECT_EQ(ask("POST", "/chat/prompt", prompt("chat_id")).status, 200);
}

}  // namespace
}  // namespace precedent
