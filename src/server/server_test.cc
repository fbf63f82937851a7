// The chat API and what surrounds it.
#include <set>

#include "server/http/openapi.h"
#include "server/http/page.h"
#include "server/http/problem.h"
#include "server/server_lab.h"
#include "server/turns/turn_events.h"

namespace precedent {
namespace {

using namespace std::chrono_literals;

class ServerTest : public ServerLab {};

constexpr auto* kAsk = R"({"message":"what to do when letters are late?"})";

TEST_F(ServerTest, AnAnswerComesWithItsChatSourcesAndReceipts) {
  const Got got = ask("POST", "/chat/prompt", kAsk);
  ASSERT_EQ(got.status, 200) << got.raw.body;
  EXPECT_NE(got.body["answer"].get<std::string>().find("swift"), std::string::npos);
  EXPECT_EQ(got.body["sources"][0]["id"], "rb-1");
  EXPECT_FALSE(got.body["receipts"].empty());
  const std::string chat = got.body["chat_id"];
  const Got said = ask("GET", "/chat/messages/" + chat);
  ASSERT_EQ(said.status, 200);
  EXPECT_EQ(said.body["messages"][0]["content"], "what to do when letters are late?");
  EXPECT_EQ(said.body["messages"][1]["content"], got.body["answer"]);
  EXPECT_TRUE(said.body["running_turn"].is_null());
}

TEST_F(ServerTest, AStreamTellsTheWorkAndEndsWithComplete) {
  const Got got = ask("POST", "/chat/prompt/stream", kAsk);
  ASSERT_EQ(got.status, 200);
  EXPECT_EQ(got.raw.header("Content-Type"), "text/event-stream");
  EXPECT_EQ(got.raw.header("X-Accel-Buffering"), "no");
  const std::vector<SseEvent> events = events_of(got);
  ASSERT_FALSE(events.empty());
  std::set<std::string> names;
  std::string text;
  for (const SseEvent& event : events) {
    names.insert(event.event);
    const json data = parse_json(event.data);
    ASSERT_TRUE(data.is_object()) << event.data;
    if (event.event == "token") text += data["text"].get<std::string>();
  }
  for (const auto* name : {"status", "plan", "tool_call", "tool_result", "token", "complete"})
    EXPECT_TRUE(names.contains(name)) << name;
  EXPECT_EQ(events.back().event, "complete");
  const json end = parse_json(events.back().data);
  EXPECT_EQ(end["answer"], text);
  // The turn is over, and is told again from any event on, from the id of the chat alone.
  const std::string chat = end["chat_id"];
  EXPECT_EQ(events_of(ask("GET", "/chat/" + chat + "/stream")), events);
  const Got rest = ask("GET", "/chat/" + chat + "/stream?after=" + events[1].id);
  EXPECT_EQ(events_of(rest), std::vector<SseEvent>(events.begin() + 2, events.end()));
  const Got same = ask("GET", "/chat/" + chat + "/stream", "", {{"Last-Event-ID", events[1].id}});
  EXPECT_EQ(events_of(same), events_of(rest));
}

TEST_F(ServerTest, ARunningTurnRefusesAnotherAndCanBeCancelled) {
  answerer_.held = true;
  Got first, followed;
  std::jthread asking(
      [&] { first = ask("POST", "/chat/prompt", R"({"message":"letters?","session_id":"s-1"})"); });
  Got second;
  do {
    second = ask("POST", "/chat/prompt", R"({"message":"letters?","chat_id":"s-1"})");
  } while (second.status == 404);
  EXPECT_EQ(second.status, 409) << second.raw.body;
  const std::string running = second.body["turn_id"];
  EXPECT_FALSE(running.empty());
  for (const auto& [method, path] :
       {std::pair{"PUT", "/chat/rename/s-1"}, {"DELETE", "/chat/archive/s-1"}}) {
    const Got busy = ask(method, path, R"({"title":"a"})");
    EXPECT_EQ(busy.status, 409) << path;
    EXPECT_TRUE(busy.body["detail"].get<std::string>().contains(running)) << busy.raw.body;
  }
  std::jthread following([&] { followed = ask("GET", "/chat/s-1/stream"); });
  const Got cancelled = ask("POST", "/chat/s-1/cancel");
  EXPECT_EQ(cancelled.status, 202);
  EXPECT_EQ(cancelled.body["turn_id"], running);
  asking.join();
  following.join();
  EXPECT_EQ(first.status, 409) << first.raw.body;
  EXPECT_TRUE(first.body["detail"].get<std::string>().starts_with("the answer was cancelled"))
      << first.raw.body;
  EXPECT_EQ(events_of(followed).back().event, "error");
  answerer_.held = false;
  EXPECT_EQ(ask("POST", "/chat/s-1/cancel").body["cancelled"], false);
}

// Cancels the turn while something is looked up: only its question is kept.
class CancellingSink final : public EventSink {
 public:
  explicit CancellingSink(CancelToken& cancel) : cancel_(cancel) {}
  void emit(const Event& event) override {
    if (event.type == Event::Type::kToolResult) cancel_.cancel();
  }

 private:
  CancelToken& cancel_;
};

TEST_F(ServerTest, WhoHasSeenTheLastEventIsToldThatThereIsNoMore) {
  const std::string chat = ask("POST", "/chat/prompt", kAsk).body["chat_id"];
  const std::string stream = "/chat/" + chat + "/stream";
  const auto rest = [&](const std::string& seen) {
    return ask("GET", stream, "", {{"Last-Event-ID", seen}});
  };
  const std::vector<SseEvent> told = events_of(ask("GET", stream));
  ASSERT_GT(told.size(), 2U);
  EXPECT_EQ(events_of(rest(told[told.size() - 2].id)).size(), 1U);
  EXPECT_EQ(rest(told.back().id).status, 204);
  EXPECT_EQ(ask("GET", stream + "?after=" + told.back().id).status, 204);
  // A server that was started again tells it once.
  server_.reset();
  server_ = Server::start(services(), options_).value();
  const std::vector<SseEvent> again = events_of(rest(told.back().id));
  ASSERT_FALSE(again.empty());
  EXPECT_EQ(again.back().event, "complete");
  EXPECT_EQ(rest(again.back().id).status, 204);
}

TEST_F(ServerTest, ATurnThatWasCutOffIsNotToldAsAnAnswer) {
  // By a server that is gone.
  const CopilotLab gone(*search_, store_, clock_.now(), nullptr, &threads_);
  CancelToken cancel;
  CancellingSink events(cancel);
  gone.copilot().ask({"what to do when letters are late?", {}}, {.thread = "cut"}, clock_, events,
                     cancel);
  ASSERT_EQ(ask("GET", "/chat/messages/cut").body["messages"].size(), 1U) << "it was not cut off";
  const std::vector<SseEvent> told = events_of(ask("GET", "/chat/cut/stream"));
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].event, "error");
  const json error = parse_json(told[0].data);
  EXPECT_EQ(error["status"], 503);
  EXPECT_TRUE(error["detail"].get<std::string>().contains("never finished")) << error;
  EXPECT_EQ(ask("GET", "/chat/cut/answers/1").status, 404);
}

TEST_F(ServerTest, EachAnswerOfAChatIsThereWithItsEvidence) {
  const auto asked = [&](const char* message) {
    return ask("POST", "/chat/prompt", json{{"message", message}, {"session_id", "long"}}.dump())
        .body;
  };
  const json first = asked("what to do when letters are late?");
  asked("thanks");
  asked("what is a courier?");
  ASSERT_EQ(ask("PUT", "/chat/rename/long", R"({"title":"Late"})").status, 200);
  const json again = ask("GET", "/chat/long/answers/1").body;
  ASSERT_FALSE(first["claims"].empty());
  for (const char* part :
       {"answer", "claims", "receipts", "sources", "plan", "grounding", "missing", "sections"})
    EXPECT_EQ(again[part], first[part]) << part;
  EXPECT_EQ(again["chat_id"], "long");
  const json messages = ask("GET", "/chat/messages/long").body["messages"];
  EXPECT_EQ(ask("GET", "/chat/long/answers/2").body["answer"], messages[3]["content"]);
  EXPECT_EQ(ask("GET", "/chat/long/answers/3").body["answer"], messages[5]["content"]);
  EXPECT_EQ(ask("GET", "/chat/long/answers/4").status, 404);
  for (const char* number : {"0", "x", "1x", "-1", "99999999999999999999"})
    EXPECT_EQ(ask("GET", std::string("/chat/long/answers/") + number).status, 400) << number;
  EXPECT_EQ(ask("GET", "/chat/nobody/answers/1").status, 404);
}

TEST_F(ServerTest, ChatsAreListedFoundRenamedForkedAndPutAway) {
  const std::string one = ask("POST", "/chat/prompt", kAsk).body["chat_id"];
  const std::string other =
      ask("POST", "/chat/prompt", R"({"message":"what is a courier?"})").body["chat_id"];
  EXPECT_EQ(ask("GET", "/chat/").body["chats"].size(), 2U);
  EXPECT_EQ(ask("PUT", "/chat/rename/" + one, R"({"title":"Late again"})").status, 200);
  const Got found = ask("GET", "/chat/?search=late%20AGAIN");
  ASSERT_EQ(found.body["chats"].size(), 1U);
  EXPECT_EQ(found.body["chats"][0]["chat_id"], one);
  const Got page = ask("GET", "/chat/?limit=1");
  EXPECT_EQ(page.body["chats"].size(), 1U);
  EXPECT_EQ(page.body["next_offset"], 1);
  const Got copy = ask("POST", "/chat/" + one + "/fork");
  ASSERT_EQ(copy.status, 201);
  EXPECT_EQ(
      ask("GET", "/chat/messages/" + copy.body["chat_id"].get<std::string>()).body["messages"],
      ask("GET", "/chat/messages/" + one).body["messages"]);
  const Got beyond = ask("POST", "/chat/" + one + "/fork", R"({"questions":9})");
  EXPECT_EQ(beyond.status, 404);
  EXPECT_TRUE(beyond.body["detail"].get<std::string>().contains("has 1 questions"))
      << beyond.raw.body;
  EXPECT_EQ(ask("PUT", "/chat/rename/" + one, R"({"title":" \n"})").status, 400);
  const char* shown = R"({"title":" two\nlines\u001b "})";
  EXPECT_EQ(ask("PUT", "/chat/rename/" + one, shown).body["title"], "two lines");
  EXPECT_EQ(ask("DELETE", "/chat/archive/" + other).status, 200);
  EXPECT_EQ(ask("GET", "/chat/").body["chats"].size(), 2U);
  EXPECT_EQ(ask("GET", "/chat/?archived=true").body["chats"][0]["chat_id"], other);
}

TEST_F(ServerTest, BadInputIsAProblemThatNamesIt) {
  const auto status = [&](const std::string& body) {
    const Got got = ask("POST", "/chat/prompt", body);
    EXPECT_EQ(got.raw.header("Content-Type"), "application/problem+json") << body;
    EXPECT_EQ(got.body["status"], got.status);
    EXPECT_FALSE(got.body["detail"].get<std::string>().empty());
    return got.status;
  };
  EXPECT_EQ(status("{"), 400);
  EXPECT_EQ(status("[]"), 400);
  EXPECT_EQ(status("{}"), 400);
  EXPECT_EQ(status(R"({"message":7})"), 400);
  EXPECT_EQ(status(R"({"message":"  "})"), 400);
  EXPECT_EQ(status(R"({"message":"a","strange":1})"), 400);
  EXPECT_EQ(status("{\"message\":\"\xff\"}"), 400);
  EXPECT_EQ(status(R"({"message":"\u0001\u0002\u0003a"})"), 400);
  EXPECT_EQ(status(R"({"message":"a","chat_id":"../../etc"})"), 400);
  EXPECT_EQ(status(R"({"message":"a","chat_id":"t-unknown"})"), 404);
  EXPECT_EQ(status(R"({"message":"a","chat_id":"a","session_id":"b"})"), 400);
  EXPECT_EQ(status(R"({"message":"a","model":"gpt-9"})"), 400);
  EXPECT_EQ(ask("POST", "/chat/prompt", kAsk, {{"Content-Type", "text/plain"}}).status, 415);
  EXPECT_EQ(ask("GET", "/chat/messages/t-unknown").status, 404);
  EXPECT_EQ(ask("GET", "/chat/t-unknown/stream").status, 404);
  EXPECT_EQ(ask("POST", "/chat/t-unknown/cancel").status, 404);
  EXPECT_EQ(ask("POST", "/chat/t-unknown/fork").status, 404);
  EXPECT_EQ(ask("DELETE", "/chat/archive/t-unknown").status, 404);
  EXPECT_EQ(ask("PUT", "/chat/rename/t-unknown", R"({"title":"a"})").status, 404);
  EXPECT_EQ(ask("GET", "/chat/?limit=lots").status, 400);
  EXPECT_EQ(ask("GET", "/chat/?archived=null").status, 400);
  EXPECT_EQ(ask("GET", "/nowhere").status, 404);
  EXPECT_EQ(ask("DELETE", "/chat/prompt").status, 405);
}

TEST_F(ServerTest, AnArchivedChatThatIsAskedAgainIsBackAmongTheOthers) {
  const std::string prompt =
      json{{"message", "what to do when letters are late?"}, {"session_id", "s-1"}}.dump();
  ASSERT_EQ(ask("POST", "/chat/prompt", prompt).status, 200);
  ASSERT_EQ(ask("DELETE", "/chat/archive/s-1").status, 200);
  EXPECT_TRUE(ask("GET", "/chat/").body["chats"].empty());
  ASSERT_EQ(ask("POST", "/chat/prompt", prompt).status, 200);
  EXPECT_EQ(ask("GET", "/chat/").body["chats"][0]["chat_id"], "s-1");
  EXPECT_TRUE(ask("GET", "/chat/?archived=true").body["chats"].empty());
  EXPECT_EQ(ask("GET", "/chat/messages/s-1").body["archived"], false);
}

TEST_F(ServerTest, AQueryIsTakenAsTheDocumentHasItOrRefused) {
  const Got unknown = ask("GET", "/chat/?limt=1");
  EXPECT_EQ(unknown.status, 400);
  EXPECT_EQ(unknown.body["detail"],
            "'limt' in the query is not known here; known are: limit, offset, search, archived");
  EXPECT_EQ(ask("GET", "/chat/?limit=1&limit=2").status, 400);
  EXPECT_EQ(ask("GET", "/documents?kind=runbook&kind=faq").status, 200) << "it is a list";
  EXPECT_EQ(ask("GET", "/whoami?verbose=1").status, 400);
  EXPECT_EQ(ask("POST", "/chat/prompt?model=x", kAsk).status, 400);
  // Probes, and clients of other protocols, say what they like.
  for (const char* path : {"/healthz?from=probe", "/v1/models?limit=5", "/threads/t/state?x=y"})
    EXPECT_NE(ask("GET", path).status, 400) << path;
}

TEST_F(ServerTest, AKeyThatIsThereTwiceIsRefused) {
  const Got twice = ask("POST", "/chat/prompt", R"({"message":"a","message":"b"})");
  EXPECT_EQ(twice.status, 400);
  EXPECT_EQ(twice.body["detail"], "'message' is there twice in the body; say it once");
  const Got within =
      ask("POST", "/v1/chat/completions", R"({"messages":[{"role":"user","role":"system"}]})");
  EXPECT_EQ(within.status, 400);
  EXPECT_TRUE(within.body["error"]["message"].get<std::string>().starts_with("'role'"));
  EXPECT_EQ(
      ask("POST", "/changes", R"({"a":{"b":1},"b":{"b":2}})").body["detail"].dump().find("twice"),
      std::string::npos)
      << "each object has keys of its own";
}

TEST_F(ServerTest, WhatIsTooLargeIsToldInTheShapeOfItsClients) {
  const std::string large(options_.http.max_body_bytes + 1, ' ');
  const Got openai = ask("POST", "/v1/responses", large);
  EXPECT_EQ(openai.status, 413);
  EXPECT_EQ(openai.body["error"]["message"], "the body is too large");
  const Got own = ask("POST", "/chat/prompt", large);
  EXPECT_EQ(own.status, 413);
  EXPECT_EQ(own.body["detail"], "the body is too large");
}

TEST_F(ServerTest, AnAnswerThatTheServerEndsSaysSo) {
  answerer_.held = true;
  Got got;
  std::thread asking([&] { got = ask("POST", "/chat/prompt", kAsk); });
  while (ask("GET", "/metrics").raw.body.find("agent_turns_running 1") == std::string::npos)
    std::this_thread::yield();
  server_->drain(0ms);
  asking.join();
  EXPECT_EQ(got.status, 503) << got.raw.body;
  EXPECT_TRUE(got.body["detail"].get<std::string>().starts_with("the server was stopped"));
}

TEST_F(ServerTest, AProblemHasTheTitleOfItsStatus) {
  const json document = parse_json(openapi_document());
  for (const auto& [path, methods] : document["paths"].items())
    for (const auto& [method, operation] : methods.items())
      for (const auto& [status, response] : operation["responses"].items())
        EXPECT_EQ(reason_phrase(std::stoi(status)) == "Internal Server Error",
                  status < "400" || status == "500")
            << method << " " << path << " " << status;
}

TEST_F(ServerTest, OnlyThisMachineMayAsk) {
  EXPECT_EQ(ask("GET", "/healthz", "", {{"Host", "precedent.example"}}).status, 403);
  EXPECT_EQ(ask("GET", "/healthz", "", {{"Host", "localhost:1"}}).status, 200);
  // Names that anybody may own and point here.
  for (const char* host : {"127.0.0.1.evil.example", "127.evil.example:8484", "127.0.0.1.1",
                           "[::1].evil.example", "[::1", "localhost:1@evil.example", "127."})
    EXPECT_EQ(ask("GET", "/healthz", "", {{"Host", host}}).status, 403) << host;
  for (const char* host : {"127.0.0.1:8484", "127.1.2.3", "[::1]:8484", "LocalHost"})
    EXPECT_EQ(ask("GET", "/healthz", "", {{"Host", host}}).status, 200) << host;
  EXPECT_EQ(ask("POST", "/chat/prompt", kAsk, {{"Origin", "https://evil.example"}}).status, 403);
  EXPECT_EQ(ask("POST", "/chat/prompt", kAsk, {{"Origin", "null"}}).status, 403);
  const Got allowed = ask("GET", "/healthz", "", {{"Origin", "http://localhost:5173"}});
  EXPECT_EQ(allowed.status, 200);
  EXPECT_EQ(allowed.raw.header("Access-Control-Allow-Origin"), "http://localhost:5173");
  EXPECT_EQ(ask("OPTIONS", "/chat/prompt", "", {{"Origin", "http://localhost:5173"}}).status, 204);
  ServerOptions beyond;
  beyond.http.address = "0.0.0.0";
  const auto refused = Server::start(services(), beyond);
  EXPECT_EQ(refused.error().code, ErrorCode::kPermission);
}

TEST_F(ServerTest, AQuestionByMcpCounts) {
  const Got got = ask("POST", "/mcp",
                      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":)"
                      R"({"name":"ask","arguments":{"question":"letters?"}}})");
  ASSERT_EQ(got.status, 200) << got.raw.body;
  EXPECT_TRUE(ask("GET", "/metrics").raw.body.contains("agent_request_duration_seconds_count 1"));
}

TEST_F(ServerTest, AnotherTurnInTheThreadIsAConflict) {
  const ChatTurn turn("turn-1", "chat-1");
  Reply failed = plain_reply(AnswerStatus::kError, "busy");
  EXPECT_EQ(error_status(failed, turn), 500);
  failed.busy = true;
  EXPECT_EQ(error_status(failed, turn), 409);
}

TEST_F(ServerTest, SaysWhetherItIsAliveAndReadyAndWhatItCounted) {
  EXPECT_EQ(ask("GET", "/healthz").status, 200);
  EXPECT_EQ(ask("GET", "/version").body["model"], "offline");
  EXPECT_EQ(ask("GET", "/readyz").status, 200);
  parts_.push_back({"model", false, "it does not answer"});
  const Got unready = ask("GET", "/readyz");
  EXPECT_EQ(unready.status, 503);
  EXPECT_EQ(unready.body["parts"][1]["detail"], "it does not answer");
  ask("POST", "/chat/prompt", kAsk);
  std::string metrics;
  // A worker puts its turn away after the answer has left.
  while (!metrics.contains("agent_turns_running 0")) metrics = ask("GET", "/metrics").raw.body;
  EXPECT_NE(metrics.find("agent_request_duration_seconds_count 1"), std::string::npos) << metrics;
}

TEST_F(ServerTest, TheDocumentHasEachRouteAndNoOther) {
  const std::vector<std::string> routes = server_->routes().value();
  std::set<std::string> routed(routes.begin(), routes.end()), told;
  routed.erase("GET /");
  for (const PageFile& file : page_files()) routed.erase("GET " + std::string(file.path));
  const json document = parse_json(openapi_document());
  for (const auto& [path, methods] : document["paths"].items())
    for (const auto& [method, operation] : methods.items()) {
      told.insert(method_of(method) + " " + path);
    }
  EXPECT_EQ(routed, told);
}

TEST_F(ServerTest, WhatTheDocumentTellsIsAnsweredAsItTells) {
  const json document = parse_json(openapi_document());
  ASSERT_TRUE(document.is_object());
  EXPECT_EQ(ask("GET", "/openapi.json").body, document);
  for (const auto& [path, methods] : document["paths"].items())
    for (const auto& [method, operation] : methods.items()) {
      std::string real = path;
      for (size_t at = real.find('{'); at != std::string::npos; at = real.find('{'))
        real.replace(at, real.find('}') - at + 1, "t-unknown");
      const std::string upper = method_of(method);
      const int status = ask(upper, real).status;
      EXPECT_TRUE(operation["responses"].contains(std::to_string(status)))
          << upper << " " << path << ": " << status;
    }
}

}  // namespace
}  // namespace precedent
