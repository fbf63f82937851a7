#include "mcp/mcp_client.h"

#include <gmock/gmock.h>

#include "mcp/scripted_mcp_transport.h"

namespace precedent {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

json result_of(const McpMessage& message, json result) {
  return {{"jsonrpc", "2.0"}, {"id", message.id}, {"result", std::move(result)}};
}
json error_of(const McpMessage& message, int code, json data = {}) {
  return {{"jsonrpc", "2.0"},
          {"id", message.id},
          {"error", {{"code", code}, {"message", "no"}, {"data", std::move(data)}}}};
}
json tool(const std::string& name) {
  return {{"name", name},
          {"inputSchema", {{"type", "object"}}},
          {"annotations", {{"readOnlyHint", true}}}};
}
json tools(std::vector<json> list, const std::string& next = "") {
  json out = {{"tools", std::move(list)}};
  if (!next.empty()) out["nextCursor"] = next;
  return out;
}

// A server that speaks one era, over a transport that the test reaches.
class McpClientTest : public testing::Test {
 protected:
  using Answer = std::function<Result<json>(const McpMessage&)>;

  McpClient client(ScriptedMcpTransport::Script script) {
    auto transport = std::make_unique<ScriptedMcpTransport>(std::move(script));
    transport_ = transport.get();
    return McpClient("wiki", std::move(transport));
  }
  static ScriptedMcpTransport::Script stateless(Answer answer) {
    return [answer](const McpMessage& message) -> Result<json> {
      if (message.method != "server/discover") return answer(message);
      return result_of(message, {{"supportedVersions", {"2026-07-28", "2025-11-25"}}});
    };
  }
  static ScriptedMcpTransport::Script session(Answer answer) {
    return [answer](const McpMessage& message) -> Result<json> {
      if (message.method == "server/discover") return error_of(message, -32601);
      if (message.method != "initialize") return answer(message);
      return result_of(message, {{"protocolVersion", "2025-06-18"}});
    };
  }
  std::vector<std::string> methods() const {
    std::vector<std::string> all;
    for (const McpMessage& message : transport_->sent) all.push_back(message.method);
    return all;
  }
  McpWait wait() const {
    return {never_, std::chrono::steady_clock::now() + std::chrono::minutes(1)};
  }

  CancelToken never_;
  ScriptedMcpTransport* transport_ = nullptr;
};

TEST_F(McpClientTest, TheNewerRevisionNeedsNoSession) {
  McpClient wiki =
      client(stateless([](const McpMessage& m) { return result_of(m, tools({tool("a")})); }));
  const auto listed = wiki.list_tools(wait());
  ASSERT_TRUE(listed) << listed.error().text();
  EXPECT_EQ(listed->revision, "2026-07-28");
  EXPECT_THAT(methods(), ElementsAre("server/discover", "tools/list"));
  EXPECT_EQ(transport_->sent[1].revision, "2026-07-28");
}

TEST_F(McpClientTest, AnOlderServerIsInitializedOnce) {
  McpClient wiki = client(session([](const McpMessage& m) { return result_of(m, tools({})); }));
  ASSERT_TRUE(wiki.list_tools(wait()));
  const auto listed = wiki.list_tools(wait());
  EXPECT_EQ(listed->revision, "2025-06-18");
  EXPECT_THAT(methods(), ElementsAre("server/discover", "initialize", "notifications/initialized",
                                     "tools/list", "tools/list"));
  EXPECT_EQ(transport_->sent[1].params["protocolVersion"], "2025-11-25");
}

TEST_F(McpClientTest, OneThatDiesOfWhatItDoesNotKnowIsInitializedInItsNextLife) {
  McpClient wiki = client([this](const McpMessage& m) -> Result<json> {
    if (m.method == "server/discover") {
      transport_->connection = 2;
      return fail(ErrorCode::kUnavailable, "it ended with exit status 1");
    }
    return result_of(
        m, m.method == "initialize" ? json{{"protocolVersion", "2024-11-05"}} : tools({}));
  });
  const auto listed = wiki.list_tools(wait());
  ASSERT_TRUE(listed) << listed.error().text();
  EXPECT_EQ(listed->revision, "2024-11-05");
}

TEST_F(McpClientTest, RevisionsThatAreNotSpokenAreNamed) {
  McpClient future = client([](const McpMessage& m) -> Result<json> {
    return error_of(m, -32022, {{"supported", {"2099-01-01"}}});
  });
  const auto one = future.list_tools(wait());
  ASSERT_FALSE(one);
  EXPECT_THAT(one.error().message,
              HasSubstr("MCP server 'wiki': it speaks the revisions 2099-01-01"));
  EXPECT_THAT(methods(), ElementsAre("server/discover"));
  McpClient liar = client([](const McpMessage& m) -> Result<json> {
    if (m.method == "server/discover") return error_of(m, -32601);
    return result_of(m, {{"protocolVersion", "1999-01-01"}});
  });
  EXPECT_THAT(liar.list_tools(wait()).error().message, HasSubstr("\"1999-01-01\""));
}

TEST_F(McpClientTest, ReadsAllPages) {
  McpClient wiki = client(stateless([](const McpMessage& m) -> Result<json> {
    if (!m.params.contains("cursor")) return result_of(m, tools({tool("a"), tool("b")}, "2"));
    return result_of(m, tools({tool("c"), tool("a")}));
  }));
  const auto listed = wiki.list_tools(wait());
  ASSERT_TRUE(listed);
  EXPECT_THAT(listed->tools, SizeIs(3));
  EXPECT_THAT(listed->problems, ElementsAre(HasSubstr("'a' twice")));
}

TEST_F(McpClientTest, AListThatDoesNotEndIsCut) {
  McpClient same =
      client(stateless([](const McpMessage& m) { return result_of(m, tools({tool("a")}, "2")); }));
  const auto once = same.list_tools(wait());
  ASSERT_TRUE(once);
  EXPECT_THAT(once->tools, SizeIs(1));
  EXPECT_THAT(once->problems.back(), HasSubstr("does not end"));
  int page = 0;
  McpClient other = client(stateless([&page](const McpMessage& m) {
    ++page;
    return result_of(m, tools({}, std::to_string(page)));
  }));
  EXPECT_THAT(other.list_tools(wait())->problems.back(), HasSubstr("does not end"));
  EXPECT_EQ(page, 50);
}

TEST_F(McpClientTest, AnErrorObjectIsToldAndNothingIsRepeated) {
  McpClient wiki = client(stateless([](const McpMessage& m) { return error_of(m, -32602); }));
  const auto outcome = wiki.call({.name = "a", .schema = json::object()}, json::object(), wait());
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(outcome.error().message, "MCP server 'wiki': it refused 'tools/call': no (-32602)");
  EXPECT_THAT(methods(), ElementsAre("server/discover", "tools/call"));
}

TEST_F(McpClientTest, ACallThatDiesIsNotMadeAgainAndTheNextOneAgreesAnew) {
  bool dies = true;
  McpClient wiki = client(stateless([&](const McpMessage& m) -> Result<json> {
    if (!dies) return result_of(m, {{"content", json::array()}});
    transport_->connection = 2;
    return fail(ErrorCode::kUnavailable, "it was ended by signal 9");
  }));
  const OfferedTool offered{.name = "a", .schema = json::object()};
  EXPECT_THAT(wiki.call(offered, json::object(), wait()).error().message, HasSubstr("signal 9"));
  dies = false;
  EXPECT_TRUE(wiki.call(offered, json::object(), wait()));
  EXPECT_THAT(methods(),
              ElementsAre("server/discover", "tools/call", "server/discover", "tools/call"));
}

TEST_F(McpClientTest, AnEndedSessionIsOpenedAgainAndTheCallIsSentAgain) {
  bool ended = true;
  McpClient wiki = client(session([&](const McpMessage& m) -> Result<json> {
    if (!ended) return result_of(m, {{"content", json::array()}});
    ended = false;
    transport_->connection = 2;
    return fail(ErrorCode::kNotFound, "it answered with HTTP 404");
  }));
  EXPECT_TRUE(wiki.call({.name = "a", .schema = json::object()}, json::object(), wait()));
  EXPECT_THAT(methods(), ElementsAre("server/discover", "initialize", "notifications/initialized",
                                     "tools/call", "server/discover", "initialize",
                                     "notifications/initialized", "tools/call"));
}

TEST_F(McpClientTest, ResultsThatAreNoneAreErrors) {
  for (const char* said : {"7", "[]", R"({"content": 7})", R"({"resultType": "x"})"}) {
    McpClient wiki =
        client(stateless([&](const McpMessage& m) { return result_of(m, json::parse(said)); }));
    EXPECT_FALSE(wiki.call({.name = "a", .schema = json::object()}, json::object(), wait()))
        << said;
    EXPECT_FALSE(wiki.list_tools(wait())) << said;
  }
}

TEST_F(McpClientTest, WhoeverCancelsIsNotAskedFor) {
  McpClient wiki = client(stateless([](const McpMessage& m) { return result_of(m, tools({})); }));
  CancelToken cancelled;
  cancelled.cancel();
  EXPECT_EQ(wiki.list_tools({cancelled, wait().deadline}).error().code, ErrorCode::kCancelled);
  EXPECT_THAT(methods(), IsEmpty());
}

}  // namespace
}  // namespace precedent
