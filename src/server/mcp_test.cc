#include <gtest/gtest.h>

#include "server/server_lab.h"

namespace precedent {
namespace {

class McpTest : public ServerLab {
 protected:
  static json envelope(const std::string& version = "2026-07-28") {
    return {{"io.modelcontextprotocol/protocolVersion", version},
            {"io.modelcontextprotocol/clientCapabilities", json::object()}};
  }
  static std::string message(const std::string& method, json params = json::object(), json id = 1) {
    json body = {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
    if (!id.is_null()) body["id"] = std::move(id);
    return body.dump();
  }
  Got legacy(const std::string& method, json params = json::object(), json id = 1) {
    return ask("POST", "/mcp", message(method, std::move(params), std::move(id)),
               {{"Content-Type", "application/json"}, {"MCP-Protocol-Version", "2025-11-25"}});
  }
  Got modern(const std::string& method, json params = json::object(),
             std::vector<HttpHeader> headers = {}) {
    params["_meta"] = envelope();
    std::vector<HttpHeader> all = {{"Content-Type", "application/json"},
                                   {"MCP-Protocol-Version", "2026-07-28"},
                                   {"Mcp-Method", method}};
    if (params.contains("name")) all.push_back({"Mcp-Name", params["name"]});
    if (!headers.empty()) all = std::move(headers);
    return ask("POST", "/mcp", message(method, std::move(params)), std::move(all));
  }
};

TEST_F(McpTest, TheOlderRevisionBeginsWithInitialize) {
  const Got begun = legacy("initialize", {{"protocolVersion", "2025-06-18"}});
  ASSERT_EQ(begun.status, 200) << begun.raw.body;
  EXPECT_EQ(begun.body["result"]["protocolVersion"], "2025-06-18");
  EXPECT_EQ(begun.body["result"]["serverInfo"]["name"], "precedent");
  EXPECT_EQ(
      legacy("initialize", {{"protocolVersion", "1999-01-01"}}).body["result"]["protocolVersion"],
      "2025-11-25");
  EXPECT_EQ(legacy("notifications/initialized", json::object(), nullptr).status, 202);
  EXPECT_EQ(legacy("ping").body["result"], json::object());
  EXPECT_FALSE(legacy("tools/list").body["result"].contains("resultType"));
  const Got unknown = legacy("server/discover");
  EXPECT_EQ(unknown.status, 200);
  EXPECT_EQ(unknown.body["error"]["code"], -32601);
}

TEST_F(McpTest, TheNewerOneIsDiscovered) {
  const Got found = modern("server/discover");
  ASSERT_EQ(found.status, 200) << found.raw.body;
  EXPECT_EQ(found.body["result"]["supportedVersions"][0], "2026-07-28");
  EXPECT_EQ(found.body["result"]["resultType"], "complete");
  EXPECT_EQ(found.body["result"]["cacheScope"], "private");
  const Got gone = modern("initialize");
  EXPECT_EQ(gone.status, 404);
  EXPECT_EQ(gone.body["error"]["code"], -32601);
}

TEST_F(McpTest, EveryToolHasItsSchemasInAStableOrder) {
  const json tools = modern("tools/list").body["result"]["tools"];
  EXPECT_EQ(tools[0]["name"], "ask");
  EXPECT_EQ(tools.size(), tools_.all().size() + 1);
  for (const json& tool : tools) {
    EXPECT_EQ(tool["inputSchema"]["type"], "object") << tool["name"];
    EXPECT_EQ(tool["outputSchema"]["type"], "object") << tool["name"];
    EXPECT_EQ(tool["annotations"]["readOnlyHint"], true) << tool["name"];
  }
  EXPECT_EQ(legacy("tools/list").body["result"]["tools"], tools);
}

TEST_F(McpTest, AskAndToolsAreCalled) {
  const Got asked =
      modern("tools/call",
             {{"name", "ask"}, {"arguments", {{"question", "what to do when letters are late?"}}}});
  ASSERT_EQ(asked.status, 200) << asked.raw.body;
  const json& result = asked.body["result"];
  EXPECT_EQ(result["isError"], false);
  EXPECT_NE(result["content"][0]["text"].get<std::string>().find("swift"), std::string::npos);
  EXPECT_EQ(result["structuredContent"]["sources"][0]["id"], "rb-1");
  const std::string chat = result["structuredContent"]["chat_id"];
  legacy("tools/call",
         {{"name", "ask"}, {"arguments", {{"question", "who says so?"}, {"chat_id", chat}}}});
  EXPECT_EQ(ask("GET", "/chat/messages/" + chat).body["messages"].size(), 4U);
  const json found = legacy("tools/call", {{"name", "search_knowledge"},
                                           {"arguments", {{"query", "letters late"}}}})
                         .body["result"];
  EXPECT_EQ(found["structuredContent"]["status"], "ok");
  EXPECT_NE(found["content"][0]["text"].get<std::string>().find("Letters are late"),
            std::string::npos);
}

TEST_F(McpTest, WhatGoesWrongInAToolIsAResultForTheModel) {
  for (const json& params :
       {json{{"name", "search_knowledge"}, {"arguments", {{"strange", 1}}}},
        json{{"name", "ask"}, {"arguments", json::object()}},
        json{{"name", "ask"}, {"arguments", {{"question", "a"}, {"chat_id", "../x"}}}}}) {
    const Got got = legacy("tools/call", params);
    EXPECT_EQ(got.body["result"]["isError"], true) << got.raw.body;
  }
  EXPECT_EQ(legacy("tools/call", {{"name", "rm"}}).body["error"]["code"], -32602);
}

TEST_F(McpTest, HeadersMustSayWhatTheBodySays) {
  const auto code = [](const Got& got) { return got.body["error"]["code"].get<int>(); };
  const HttpHeader version{"MCP-Protocol-Version", "2026-07-28"},
      json_type{"Content-Type", "application/json"};
  EXPECT_EQ(
      code(modern("tools/list", json::object(), {json_type, version, {"Mcp-Method", "ping"}})),
      -32020);
  EXPECT_EQ(code(modern("tools/list", json::object(), {json_type, version})), -32020);
  EXPECT_EQ(code(modern("tools/list", json::object(), {json_type, {"Mcp-Method", "tools/list"}})),
            -32020);
  EXPECT_EQ(code(modern(
                "tools/list", json::object(),
                {json_type, {"MCP-Protocol-Version", "2025-11-25"}, {"Mcp-Method", "tools/list"}})),
            -32020);
  EXPECT_EQ(code(modern("tools/call", {{"name", "ask"}},
                        {json_type, version, {"Mcp-Method", "tools/call"}, {"Mcp-Name", "other"}})),
            -32020);
  EXPECT_EQ(code(ask("POST", "/mcp", message("tools/list"), {json_type, version})), -32602);
  EXPECT_EQ(code(ask("POST", "/mcp", message("tools/list", {{"_meta", envelope("2027-01-01")}}),
                     {json_type})),
            -32022);
  EXPECT_EQ(code(ask("POST", "/mcp", message("tools/list"),
                     {json_type, {"MCP-Protocol-Version", "1999-01-01"}})),
            -32022);
}

TEST_F(McpTest, WhatIsNoMessageIsAnError) {
  const auto code = [&](const std::string& body) {
    const Got got = ask("POST", "/mcp", body);
    EXPECT_EQ(got.status, 400) << body;
    return got.body["error"]["code"].get<int>();
  };
  EXPECT_EQ(code("{"), -32700);
  EXPECT_EQ(code("[]"), -32600);
  EXPECT_EQ(code("{}"), -32600);
  EXPECT_EQ(code(R"({"jsonrpc":"1.0","method":"ping","id":1})"), -32600);
  EXPECT_EQ(code(R"({"jsonrpc":"2.0","method":"ping","id":{}})"), -32600);
  EXPECT_EQ(ask("GET", "/mcp").status, 405);
}

}  // namespace
}  // namespace precedent
