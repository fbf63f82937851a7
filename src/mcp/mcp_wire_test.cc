#include "mcp/mcp_wire.h"

#include <gmock/gmock.h>

namespace precedent {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

TEST(McpWire, ARequestOfTheNewerRevisionCarriesItsEnvelope) {
  const json line = json::parse(to_line({.id = 7,
                                         .method = "tools/call",
                                         .params = {{"name", "x"}},
                                         .revision = std::string(kStatelessRevision)}));
  EXPECT_EQ(line["id"], 7);
  const json& meta = line["params"]["_meta"];
  EXPECT_EQ(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
  EXPECT_EQ(meta["io.modelcontextprotocol/clientCapabilities"], json::object());
  EXPECT_EQ(meta["io.modelcontextprotocol/clientInfo"]["name"], "precedent");
  EXPECT_EQ(line["params"]["name"], "x");
}

TEST(McpWire, AnOlderOneDoesNotAndANotificationHasNoId) {
  const json line =
      json::parse(to_line({.method = "notifications/initialized", .revision = "2025-11-25"}));
  EXPECT_EQ(line, json::parse(R"({"jsonrpc": "2.0", "method": "notifications/initialized",
                                  "params": {}})"));
}

TEST(McpWire, KnowsWhatAnswersARequest) {
  EXPECT_TRUE(answers(json::parse(R"({"id": 7, "result": {}})"), 7));
  EXPECT_TRUE(answers(json::parse(R"({"id": null, "error": {}})"), 7));
  EXPECT_FALSE(answers(json::parse(R"({"id": 8, "result": {}})"), 7));
  EXPECT_FALSE(answers(json::parse(R"({"id": "7", "result": {}})"), 7));
  EXPECT_FALSE(answers(json::parse(R"({"id": 7, "method": "ping"})"), 7));
  EXPECT_FALSE(answers(json::parse(R"({"result": {}})"), 7));
  EXPECT_FALSE(answers(json::parse("[7]"), 7));
}

TEST(McpWire, ReadsErrorsWithWhatTheySupport) {
  const auto said = read_response(json::parse(
      R"({"error": {"code": -32022, "message": "no\u001b[31m", "data": {"supported": ["2099-01-01", 7]}}})"));
  ASSERT_TRUE(said && !*said);
  EXPECT_EQ((*said).error().code, -32022);
  EXPECT_EQ((*said).error().message, "no");
  EXPECT_THAT((*said).error().supported, ElementsAre("2099-01-01"));
}

TEST(McpWire, WhatIsNoResponseIsAnError) {
  for (const char* text : {"null", "[]", "{}", R"({"result": 7})", R"({"error": "no"})", "\"x\""})
    EXPECT_FALSE(read_response(json::parse(text))) << text;
}

TEST(McpWire, ReadsToolsAndLeavesOutWhatIsNone) {
  const auto page = read_tools(json::parse(R"({"nextCursor": "c", "tools": [
    {"name": "good", "description": "d", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}},
    {"name": "writes", "inputSchema": {"type": "object"}},
    {"name": "lies", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": "true"}},
    {"name": "bad\nname", "inputSchema": {"type": "object"}},
    {"name": "schemaless"}, {"name": "list", "inputSchema": {"type": "array"}}, 7, {"name": 7}]})"));
  ASSERT_TRUE(page);
  EXPECT_EQ(page->next, "c");
  ASSERT_THAT(page->tools, SizeIs(3));
  EXPECT_TRUE(page->tools[0].read_only);
  EXPECT_FALSE(page->tools[1].read_only);
  EXPECT_FALSE(page->tools[2].read_only);
  EXPECT_THAT(page->problems, SizeIs(5));
  EXPECT_FALSE(read_tools(json::parse(R"({"tools": {}})")));
  EXPECT_FALSE(read_tools(json::parse("[]")));
}

TEST(McpWire, ASchemaThatIsTooLargeIsLeftOut) {
  json tool = {{"name", "big"},
               {"inputSchema", {{"type", "object"}, {"x", std::string(70'000, 'x')}}}};
  const auto page = read_tools({{"tools", json::array({tool})}});
  ASSERT_TRUE(page);
  EXPECT_THAT(page->tools, IsEmpty());
  EXPECT_THAT(page->problems, ElementsAre(HasSubstr("'big'")));
}

TEST(McpWire, KeepsTextAndNamesTheRest) {
  const auto outcome = read_outcome(json::parse(R"({"content": [
    {"type": "text", "text": "one"}, {"type": "image", "mimeType": "image/png", "data": "AAAAAAAA"},
    {"type": "resource", "resource": {"uri": "file:///a", "text": "two"}},
    {"type": "resource", "resource": {"uri": "file:///b", "mimeType": "a/b", "blob": "AAAA"}},
    {"type": "resource_link", "uri": "https://wiki.example/x"}, {"type": "smell"}, 7],
    "structuredContent": {"n": 1}})"));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->text, "one\ntwo");
  EXPECT_EQ(outcome->structured, json({{"n", 1}}));
  EXPECT_FALSE(outcome->failed);
  EXPECT_THAT(
      outcome->left_out,
      ElementsAre("image (image/png, 6 bytes)", "resource file:///b (a/b, 3 bytes)",
                  "link to https://wiki.example/x", "a part of type 'smell'", "a part of type ''"));
}

TEST(McpWire, AQuestionBackIsNoResult) {
  const auto outcome = read_outcome(json::parse(R"({"resultType": "input_required"})"));
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kInvalidArgument);
  EXPECT_FALSE(read_outcome(json::parse(R"({"resultType": "dream", "content": []})")));
  EXPECT_FALSE(read_outcome(json::parse("{}")));
  EXPECT_FALSE(read_outcome(json::parse(R"({"content": "text"})")));
  EXPECT_TRUE(read_outcome(json::parse(R"({"content": [], "isError": true})"))->failed);
}

TEST(McpWire, CopiesArgumentsIntoHeadersWithoutLettingThemOut) {
  const json schema = json::parse(R"({"type": "object", "properties": {
    "region": {"type": "string", "x-mcp-header": "Region"}, "n": {"type": "integer", "x-mcp-header": "N"},
    "o": {"type": "object", "x-mcp-header": "O"}, "bad": {"type": "string", "x-mcp-header": "A: b\r\nC"},
    "plain": {"type": "string"}}})");
  using Header = std::pair<std::string, std::string>;
  EXPECT_THAT(
      param_headers(schema,
                    json::parse(R"({"region": "eu", "n": 7, "o": {}, "bad": "x", "plain": "y"})")),
      ElementsAre(Header("Mcp-Param-N", "7"), Header("Mcp-Param-Region", "eu")));
  EXPECT_THAT(param_headers(schema, {{"region", "a\r\nX: y"}}),
              ElementsAre(Header("Mcp-Param-Region", "=?base64?YQ0KWDogeQ==?=")));
  EXPECT_THAT(param_headers(schema, {{"region", nullptr}}), IsEmpty());
}

TEST(McpWire, ForeignWordsAreOneCleanLine) {
  EXPECT_EQ(foreign_words("a\n\x1b[31mb  c"), "a b c");
  EXPECT_EQ(foreign_words("abcdef", 3), "abc…");
  EXPECT_THAT(foreign_words("password: hunter2abc"), Not(HasSubstr("hunter2abc")));
}

}  // namespace
}  // namespace precedent
