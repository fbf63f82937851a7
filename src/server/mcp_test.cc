#include "server/mcp/mcp.h"

#include <gtest/gtest.h>

#include <set>

#include "server/mcp_lab.h"
#include "server/turns/chats.h"

namespace precedent {
namespace {

class McpTest : public McpLab {};

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
  EXPECT_EQ(tools[1]["name"], "investigate");
  EXPECT_EQ(tools.size(), tools_.all().size() + 2);
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
  EXPECT_EQ(code(R"({"jsonrpc":"2.0","method":"ping","id":null})"), -32600);
  EXPECT_EQ(ask("GET", "/mcp").status, 405);
  EXPECT_EQ(ask("DELETE", "/mcp").status, 405);
}

TEST_F(McpTest, ProgressComesBeforeTheAnswerOfBothRevisions) {
  accept_ = "application/json, text/event-stream";
  token_ = "p-1";
  json params = {{"name", "ask"}, {"arguments", {{"question", "what if letters are late?"}}}};
  const Got modern_one = modern("tools/call", params);
  params["_meta"] = {{"progressToken", "p-1"}};
  const Got legacy_one = ask("POST", "/mcp", message("tools/call", params),
                             {{"Content-Type", "application/json"},
                              {"MCP-Protocol-Version", "2025-11-25"},
                              {"Accept", accept_}});
  for (const Got& got : {modern_one, legacy_one}) {
    ASSERT_EQ(got.status, 200);
    EXPECT_EQ(got.raw.header("Content-Type"), "text/event-stream");
    const std::vector<SseEvent> events = events_of(got);
    ASSERT_GE(events.size(), 3U) << got.raw.body;
    double before = 0;
    for (size_t i = 0; i + 1 < events.size(); ++i) {
      const json told = parse_json(events[i].data);
      EXPECT_EQ(told["method"], "notifications/progress");
      EXPECT_EQ(told["params"]["progressToken"], "p-1");
      EXPECT_GT(told["params"]["progress"].get<double>(), before);
      EXPECT_NE(told["params"]["message"], "");
      before = told["params"]["progress"];
    }
    EXPECT_NE(got.raw.body.find("search_knowledge: ok"), std::string::npos) << got.raw.body;
    EXPECT_EQ(parse_json(events.back().data)["result"]["isError"], false);
  }
}

TEST_F(McpTest, WhoReadsNoStreamsGetsTheAnswerAlone) {
  token_ = 7;
  const json result = call("search_knowledge", {{"query", "letters"}})["result"];
  EXPECT_EQ(result["isError"], false);
}

TEST_F(McpTest, ClosingTheStreamCancelsInTheNewerRevision) {
  accept_ = "text/event-stream";
  answerer_.held = true;
  json params = {{"name", "ask"}, {"arguments", {{"question", "what if letters are late?"}}}};
  params["_meta"] = envelope();
  CurlHttpClient client;
  const CancelToken cancel;
  // Leaves at the first heartbeat.
  const auto left =
      client.stream({.method = "POST",
                     .url = url("/mcp"),
                     .headers = {{"Content-Type", "application/json"},
                                 {"MCP-Protocol-Version", "2026-07-28"},
                                 {"Mcp-Method", "tools/call"},
                                 {"Mcp-Name", "ask"},
                                 {"Accept", accept_}},
                     .body = message("tools/call", params)},
                    {cancel}, [](const HttpResponse&, std::string_view) { return false; });
  ASSERT_TRUE(left) << left.error().text();
  // The answerer is held until it is cancelled: no turn runs once it was.
  while (ask("GET", "/metrics").raw.body.find("agent_turns_running 0") == std::string::npos) {
  }
}

TEST_F(McpTest, DocumentsAndIncidentsAreListedAndRead) {
  store(Kind::kRunbook, "rb/1 a", "Letters are late", "Switch the courier. password: hunter22x");
  store(Kind::kIncident, "INC-2026-01-01-001", "No letters", "None came.");
  store(Kind::kCode, "shop:a.cc", "a.cc", "int a;");
  for (const bool newer : {true, false}) {
    const auto ask_for = [&](const char* method, json params) {
      return newer ? modern(method, std::move(params)) : legacy(method, std::move(params));
    };
    const json listed = ask_for("resources/list", json::object()).body["result"];
    ASSERT_EQ(listed["resources"].size(), 2U) << listed;
    EXPECT_EQ(listed["resources"][0]["uri"], "precedent://document/rb%2F1%20a");
    EXPECT_EQ(listed["resources"][1]["uri"], "precedent://incident/INC-2026-01-01-001");
    EXPECT_EQ(listed.contains("ttlMs"), newer);
    EXPECT_FALSE(listed.contains("nextCursor"));
    const json read =
        ask_for("resources/read", {{"uri", listed["resources"][0]["uri"]}}).body["result"];
    const std::string text = read["contents"][0]["text"];
    EXPECT_TRUE(text.starts_with("# Letters are late\n\n- id: rb/1 a\n- kind: runbook\n")) << text;
    EXPECT_NE(text.find("Switch the courier."), std::string::npos);
    EXPECT_EQ(text.find("hunter22x"), std::string::npos);
    EXPECT_EQ(read.value("cacheScope", ""), newer ? "private" : "");
    EXPECT_TRUE(ask_for("resources/read", {{"uri", "precedent://document/shop%3Aa.cc"}})
                    .body.contains("result"));
    for (const char* uri : {"precedent://document/x", "precedent://incident/shop:a.cc",
                            "precedent://document/", "file:///etc/passwd"})
      EXPECT_EQ(ask_for("resources/read", {{"uri", uri}}).body["error"]["code"],
                newer ? -32602 : -32002)
          << uri;
    EXPECT_EQ(ask_for("resources/list", {{"cursor", "x"}}).body["error"]["code"], -32602);
    const json templates = ask_for("resources/templates/list", json::object()).body["result"];
    EXPECT_EQ(templates["resourceTemplates"][0]["uriTemplate"], "precedent://document/{id}");
  }
}

TEST_F(McpTest, ResourcesComeAPageAtATime) {
  for (int i = 0; i < 130; ++i) store(Kind::kFaq, "faq-" + std::to_string(i), "F", "text");
  std::set<std::string> seen;
  json cursor;
  int pages = 0;
  do {
    const json params = cursor.is_null() ? json::object() : json{{"cursor", cursor}};
    const json page = modern("resources/list", params).body["result"];
    EXPECT_LE(page["resources"].size(), 100U);
    for (const json& one : page["resources"]) EXPECT_TRUE(seen.insert(one["uri"]).second);
    cursor = page.value("nextCursor", json());
  } while (!cursor.is_null() && ++pages < 10);
  EXPECT_EQ(seen.size(), 130U);
}

TEST_F(McpTest, PromptsHaveArguments) {
  const json prompts = modern("prompts/list").body["result"]["prompts"];
  ASSERT_EQ(prompts.size(), 3U);
  EXPECT_EQ(legacy("prompts/list").body["result"]["prompts"], prompts);
  const json got = legacy("prompts/get", {{"name", "investigate_alert"},
                                          {"arguments", {{"alert", "Slow"}, {"since", "noon"}}}})
                       .body["result"];
  const std::string text = got["messages"][0]["content"]["text"];
  EXPECT_TRUE(text.starts_with("Investigate this alert: Slow\nSince: noon\n")) << text;
  const auto code = [&](json params) {
    return modern("prompts/get", std::move(params)).body["error"]["code"].get<int>();
  };
  EXPECT_EQ(code({{"name", "investigate_alert"}}), -32602);
  EXPECT_EQ(code({{"name", "hand_over"}, {"arguments", {{"strange", "x"}}}}), -32602);
  EXPECT_EQ(code({{"name", "hand_over"}, {"arguments", {{"since", 5}}}}), -32602);
  EXPECT_EQ(code({{"name", "none"}}), -32602);
}

TEST_F(McpTest, ArgumentsOfAskAreChecked) {
  EXPECT_EQ(call("ask", {{"question", "a"}, {"strange", 1}})["result"]["isError"], true);
  EXPECT_EQ(call("ask", {{"question", "a"}, {"chat_id", 5}})["result"]["isError"], true);
  EXPECT_EQ(call("ask", json::array())["result"]["isError"], true);
}

// What the copilot cannot answer without asking back.
constexpr const char* kVague = "hello there";

TEST_F(McpTest, AQuestionBackIsAFormForClientsThatHaveForms) {
  const json args = {{"question", kVague}};
  const json plain = call("ask", args)["result"];
  EXPECT_EQ(plain["structuredContent"]["status"], "needs_input");
  EXPECT_EQ(plain["resultType"], "complete");
  capabilities_["elicitation"] = json::object();
  const json back = call("ask", args)["result"];
  ASSERT_EQ(back["resultType"], "input_required") << back;
  const json& form = back["inputRequests"]["answer"];
  EXPECT_EQ(form["method"], "elicitation/create");
  EXPECT_EQ(form["params"]["message"], plain["content"][0]["text"]);
  const std::string state = back["requestState"];
  const json said = {{"action", "accept"},
                     {"content", {{"answer", "what to do when letters are late?"}}}};
  const auto again = [&](const std::string& with, const json& responses, const json& arguments) {
    return call("ask", arguments, {{"requestState", with}, {"inputResponses", responses}});
  };
  const json answered = again(state, {{"answer", said}}, args)["result"];
  EXPECT_EQ(answered["resultType"], "complete") << answered;
  EXPECT_NE(answered["content"][0]["text"].get<std::string>().find("swift"), std::string::npos);
  // Both questions are in one chat.
  const std::string chat = answered["structuredContent"]["chat_id"];
  EXPECT_EQ(ask("GET", "/chat/messages/" + chat).body["messages"].size(), 4U);
  // Not answered, or not with what was asked for: it is asked again.
  EXPECT_EQ(again(state, json::object(), args)["result"]["resultType"], "input_required");
  EXPECT_EQ(again(state, {{"other", said}}, args)["result"]["resultType"], "input_required");
  EXPECT_EQ(again(state, {{"answer", {{"action", "decline"}}}},
                  args)["result"]["structuredContent"]["status"],
            "needs_input");
  // What is not right is refused.
  const auto code = [](const json& body) { return body["error"]["code"].get<int>(); };
  EXPECT_EQ(code(again(state, {{"answer", 12}}, args)), -32602);
  EXPECT_EQ(code(again(state + "x", {{"answer", said}}, args)), -32602);
  EXPECT_EQ(code(again("0" + state.substr(1) + (state[0] == '0' ? " " : ""), {}, args)), -32602);
  EXPECT_EQ(code(again("", {}, args)), -32602);
  EXPECT_EQ(code(again(state, {{"answer", said}}, {{"question", "something else"}})), -32602);
}

TEST_F(McpTest, AskIsATaskForClientsThatDeclareTasks) {
  const json tasks = {{"extensions", {{"io.modelcontextprotocol/tasks", json::object()}}}};
  const Got undeclared = modern("tasks/get", {{"taskId", "x"}});
  EXPECT_EQ(undeclared.status, 400);
  EXPECT_EQ(undeclared.body["error"]["code"], -32021);
  EXPECT_EQ(undeclared.body["error"]["data"]["requiredCapabilities"], tasks);
  capabilities_ = tasks;
  EXPECT_TRUE(modern("server/discover")
                  .body["result"]["capabilities"]["extensions"]
                  .contains("io.modelcontextprotocol/tasks"));
  const json made = call("ask", {{"question", "what to do when letters are late?"}})["result"];
  ASSERT_EQ(made["resultType"], "task") << made;
  EXPECT_EQ(made["status"], "working");
  const json over = ended(made);
  EXPECT_EQ(over["status"], "completed");
  EXPECT_EQ(over["taskId"], made["taskId"]);
  EXPECT_NE(over["result"]["content"][0]["text"].get<std::string>().find("swift"),
            std::string::npos);
  // Another process finds it by its chat.
  const auto seat = services().seat(Caller::local()).value();
  const Chats chats(seat->copilot(), seat->threads());
  const Mcp later({.answerer = *seat,
                   .tools = tools_,
                   .call_tool = {},
                   .clock = clock_,
                   .turns = &turns_,
                   .last_turn = [&](const std::string& chat) { return chats.last_turn(chat); }});
  SilentPeer peer;
  const CancelToken never;
  const auto get = [&](const std::string& id) {
    return later
        .handle(message("tasks/get", {{"taskId", id}, {"_meta", envelope()}}), nullptr, never, peer)
        .body;
  };
  const std::string id = made["taskId"];
  EXPECT_EQ(get(id)["result"]["result"]["content"], over["result"]["content"]);
  EXPECT_EQ(get("x." + id)["error"]["code"], -32602);
  EXPECT_EQ(modern("tasks/cancel", {{"taskId", made["taskId"]}}).body["result"]["resultType"],
            "complete");
  EXPECT_EQ(ended(made)["status"], "completed");
  EXPECT_EQ(modern("tasks/list").status, 404);
}

TEST_F(McpTest, ATaskIsCancelledAndATaskAsksBack) {
  capabilities_ = {{"elicitation", json::object()},
                   {"extensions", {{"io.modelcontextprotocol/tasks", json::object()}}}};
  answerer_.held = true;
  const json held = call("ask", {{"question", "what to do when letters are late?"}})["result"];
  EXPECT_EQ(modern("tasks/get", {{"taskId", held["taskId"]}}).body["result"]["status"], "working");
  modern("tasks/cancel", {{"taskId", held["taskId"]}});
  EXPECT_EQ(ended(held)["status"], "cancelled");
  answerer_.held = false;
  const json made = call("ask", {{"question", kVague}})["result"];
  const json back = ended(made);
  ASSERT_EQ(back["status"], "input_required") << back;
  EXPECT_EQ(back["inputRequests"]["answer"]["method"], "elicitation/create");
  const json answer = {{"action", "accept"},
                       {"content", {{"answer", "what to do when letters are late?"}}}};
  const auto update = [&](json responses) {
    return modern("tasks/update", {{"taskId", made["taskId"]}, {"inputResponses", responses}}).body;
  };
  EXPECT_EQ(update(5)["error"]["code"], -32602);
  EXPECT_EQ(update({{"other", answer}})["result"]["resultType"], "complete");
  EXPECT_EQ(ended(made)["status"], "input_required");
  EXPECT_FALSE(update({{"answer", answer}})["result"].contains("taskId"));
  const json over = ended(made);
  EXPECT_EQ(over["status"], "completed");
  EXPECT_NE(over["result"]["content"][0]["text"].get<std::string>().find("swift"),
            std::string::npos);
}

}  // namespace
}  // namespace precedent
