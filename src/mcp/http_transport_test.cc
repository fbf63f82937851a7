#include "mcp/http_transport.h"

#include <gmock/gmock.h>

#include "net/scripted_http_client.h"

namespace precedent {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kOk = R"({"jsonrpc":"2.0","id":7,"result":{"n":1}})";
const HttpHeader kJson{"Content-Type", "application/json"};
const HttpHeader kEvents{"Content-Type", "text/event-stream; charset=utf-8"};

class HttpTransportTest : public testing::Test {
 protected:
  HttpTransport transport() {
    return {client_, "https://wiki.example/mcp", {{"Authorization", "Bearer t"}}};
  }
  McpWait wait() const {
    return {never_, std::chrono::steady_clock::now() + std::chrono::minutes(1)};
  }
  static McpMessage call(std::string_view revision) {
    return {.id = 7,
            .method = "tools/call",
            .params = {{"name", "get"}},
            .revision = std::string(revision),
            .name = "get",
            .headers = {{"Mcp-Param-Region", "eu"}}};
  }
  CancelToken never_;
  ScriptedHttpClient client_;
};

TEST_F(HttpTransportTest, TheNewerRevisionRepeatsTheBodyInHeaders) {
  client_.play(200, kOk, {kJson});
  HttpTransport wiki = transport();
  const auto said = wiki.exchange(call("2026-07-28"), wiki.open(wait()).value(), wait());
  ASSERT_TRUE(said) << said.error().text();
  EXPECT_EQ((*said)["result"]["n"], 1);
  const auto& headers = client_.requests()[0].headers;
  for (const HttpHeader& header :
       std::vector<HttpHeader>{{"Authorization", "Bearer t"},
                               {"MCP-Protocol-Version", "2026-07-28"},
                               {"Mcp-Method", "tools/call"},
                               {"Mcp-Name", "get"},
                               {"Mcp-Param-Region", "eu"},
                               {"Accept", "application/json, text/event-stream"}})
    EXPECT_THAT(headers, Contains(header));
  EXPECT_EQ(client_.requests()[0].method, "POST");
  EXPECT_FALSE(client_.requests()[0].follow_redirects);
}

TEST_F(HttpTransportTest, AnOlderSessionIsKeptAndSaid) {
  client_.play(200, R"({"id":1,"result":{}})", {kJson, {"mcp-session-id", "s-1"}});
  client_.play(202, "");
  client_.play(200, kOk, {kJson});
  HttpTransport wiki = transport();
  ASSERT_TRUE(wiki.exchange({.id = 1, .method = "initialize"}, 1, wait()));
  ASSERT_TRUE(
      wiki.notify({.method = "notifications/initialized", .revision = "2025-06-18"}, 1, wait()));
  ASSERT_TRUE(wiki.exchange(call("2025-06-18"), 1, wait()));
  EXPECT_THAT(client_.requests()[1].headers, Contains(HttpHeader("Mcp-Session-Id", "s-1")));
  const auto& headers = client_.requests()[2].headers;
  EXPECT_THAT(headers, Contains(HttpHeader("Mcp-Session-Id", "s-1")));
  EXPECT_THAT(headers, Contains(HttpHeader("MCP-Protocol-Version", "2025-06-18")));
  EXPECT_THAT(headers, Not(Contains(HttpHeader("Mcp-Name", "get"))));
}

TEST_F(HttpTransportTest, ASessionThatEndedIsANewConnection) {
  client_.play(200, R"({"id":1,"result":{}})", {kJson, {"Mcp-Session-Id", "s-1"}});
  client_.play(404, R"({"id":null,"error":{"code":-32001,"message":"Session not found"}})",
               {kJson});
  HttpTransport wiki = transport();
  const McpConnection first = wiki.open(wait()).value();
  ASSERT_TRUE(wiki.exchange({.id = 1, .method = "initialize"}, first, wait()));
  EXPECT_EQ(wiki.exchange(call("2025-11-25"), first, wait()).error().code, ErrorCode::kNotFound);
  EXPECT_NE(wiki.open(wait()).value(), first);
}

TEST_F(HttpTransportTest, ASessionThatWouldBreakOutOfItsHeaderIsNone) {
  client_.play(200, R"({"id":1,"result":{}})", {kJson, {"Mcp-Session-Id", "a b\r\nX: y"}});
  client_.play(200, kOk, {kJson});
  HttpTransport wiki = transport();
  ASSERT_TRUE(wiki.exchange({.id = 1, .method = "initialize"}, 1, wait()));
  ASSERT_TRUE(wiki.exchange(call("2025-06-18"), 1, wait()));
  for (const HttpHeader& header : client_.requests()[1].headers)
    EXPECT_NE(header.name, "Mcp-Session-Id");
}

TEST_F(HttpTransportTest, ReadsTheAnswerOutOfAStreamOfEvents) {
  client_.play(
      {{200, {kEvents}},
       {"data: {\"method\":\"notifications/progress\"}\n\ndata: {\"id\":9,\"result\":{}}\n\nda",
        std::string("ta: ") + kOk + "\n\n", "data: never read\n\n"}});
  HttpTransport wiki = transport();
  EXPECT_EQ(wiki.exchange(call("2025-11-25"), 1, wait()).value()["result"]["n"], 1);
}

TEST_F(HttpTransportTest, AnErrorOfTheProtocolIsReadWhateverItsStatus) {
  for (const int status : {200, 400, 500}) {
    client_.play(status, R"({"id":7,"error":{"code":-32602,"message":"no"}})", {kJson});
    HttpTransport wiki = transport();
    EXPECT_EQ(wiki.exchange(call("2025-11-25"), 1, wait()).value()["error"]["code"], -32602);
  }
  // A method that a server of the newer revision does not know.
  client_.play(404, R"({"id":7,"error":{"code":-32601,"message":"no"}})", {kJson});
  HttpTransport wiki = transport();
  EXPECT_TRUE(wiki.exchange(call("2026-07-28"), 1, wait()));
}

TEST_F(HttpTransportTest, WhatIsNoAnswerIsAnError) {
  struct Case {
    int status;
    std::string body;
    HttpHeader type;
    ErrorCode code;
  };
  for (const Case& one :
       std::vector<Case>{{200, "<html>", {"Content-Type", "text/html"}, ErrorCode::kCorrupt},
                         {200, R"({"id":8,"result":{}})", kJson, ErrorCode::kCorrupt},
                         {200, "", kJson, ErrorCode::kCorrupt},
                         {200, "data: {}\n\n", kEvents, ErrorCode::kCorrupt},
                         {302, "", kJson, ErrorCode::kInvalidArgument},
                         {400, "bad", kJson, ErrorCode::kInvalidArgument},
                         {401, kOk, kJson, ErrorCode::kPermission},
                         {403, "", kJson, ErrorCode::kPermission},
                         {404, "", kJson, ErrorCode::kNotFound},
                         {503, "", kJson, ErrorCode::kUnavailable}}) {
    client_.play(one.status, one.body, {one.type});
    HttpTransport wiki = transport();
    const auto said = wiki.exchange(call("2026-07-28"), 1, wait());
    ASSERT_FALSE(said) << one.status << one.body;
    EXPECT_EQ(said.error().code, one.code) << one.status << one.body;
    EXPECT_THAT(said.error().message, Not(HasSubstr("Bearer t")));
  }
}

TEST_F(HttpTransportTest, AConnectionThatBreaksIsItsError) {
  client_.play({{200, {kEvents}}, {"data: {\"id\""}, Error{ErrorCode::kUnavailable, "it broke"}});
  HttpTransport wiki = transport();
  EXPECT_EQ(wiki.exchange(call("2026-07-28"), 1, wait()).error().message, "it broke");
}

}  // namespace
}  // namespace precedent
