#include "server/mcp/schemas.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/foreign_json.h"
#include "server/mcp/output.h"
#include "tools/tools_lab.h"

namespace precedent {
namespace {

using nlohmann::json;

bool is_of(const json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  return type == "null" && value.is_null();
}

// What of `value` is not as the schema says. Stricter than the standard: a member that is not
// described is wrong.
void check(const json& value, const json& schema, const std::string& path,
           std::vector<std::string>& wrong) {
  if (schema.contains("type")) {
    const json types = schema["type"].is_array() ? schema["type"] : json::array({schema["type"]});
    if (std::ranges::none_of(types, [&](const json& type) { return is_of(value, type); }))
      wrong.push_back(path + " is no " + schema["type"].dump() + ": " + value.dump());
  }
  if (schema.contains("enum") && std::ranges::find(schema["enum"], value) == schema["enum"].end())
    wrong.push_back(path + " is none of " + schema["enum"].dump());
  if (value.is_array() && schema.contains("items"))
    for (const json& item : value) check(item, schema["items"], path + "[]", wrong);
  if (!value.is_object() || !schema.contains("type")) return;
  for (const json& name : schema.value("required", json::array()))
    if (!value.contains(name)) wrong.push_back(path + " has no " + name.dump());
  for (const auto& [name, member] : value.items()) {
    const json properties = schema.value("properties", json::object());
    if (properties.contains(name))
      check(member, properties[name], path + "." + name, wrong);
    else if (schema.contains("additionalProperties"))
      check(member, schema["additionalProperties"], path + "." + name, wrong);
    else
      wrong.push_back(path + "." + name + " is not described");
  }
}

std::vector<std::string> misfits(const std::string& tool, const ToolResult& result) {
  std::vector<std::string> wrong;
  check({{"tool", tool}, {"status", "ok"}, {"at", "now"}, {"result", to_json(result)}},
        output_schema(tool), tool, wrong);
  return wrong;
}

const std::vector<std::string> kFits;

TEST(McpSchemasTest, ReceiptsOfEveryToolAreAsDescribed) {
  ToolsLab lab;
  lab.add_shop();
  Document code = lab_document(Kind::kCode, "shop:src/gateway.cc", "src/gateway.cc",
                               "int gateway() {\n  return 1;\n}\n");
  code.path = "src/gateway.cc";
  code.attributes["repository"] = "shop";
  lab.add(code);
  const std::vector<std::pair<std::string, json>> calls = {
      {"lookup_incident_by_id", {{"incident_id", "INC-2025-01-20-005"}}},
      {"search_similar_incidents", {{"query", "HTTP 403 PayU"}}},
      {"get_incidents_by_application", {{"app_name", "PayU Core"}}},
      {"get_recent_incidents", {{"days", 30}}},
      {"aggregate_incidents", {{"function", {"count"}}, {"by", "month"}}},
      {"search_knowledge", {{"query", "fix PayU 403"}}},
      {"doc_search", {{"query", "restart the gateway"}}},
      {"repo_search", {{"query", "gateway"}}}};
  std::set<std::string> called;
  for (const auto& [tool, args] : calls) {
    const Receipt receipt = lab.call(tool, args);
    EXPECT_EQ(receipt.status, ReceiptStatus::kOk) << tool << ": " << receipt.text;
    EXPECT_EQ(misfits(tool, receipt.result), kFits);
    called.insert(tool);
  }
  const Toolset tools = knowledge_tools();
  for (const auto& tool : tools.all()) EXPECT_TRUE(called.contains(tool->spec().name));
}

TEST(McpSchemasTest, EveryToolHasAResultOfItsOwn) {
  const Toolset tools = all_tools();
  for (const auto& tool : tools.all())
    EXPECT_TRUE(output_schema(tool->spec().name)["properties"]["result"].contains("properties"))
        << tool->spec().name;
}

TEST(McpSchemasTest, ChangesAreAsDescribed) {
  Change change;
  change.id = "c1";
  change.title = "Deploy of api 4.3.0";
  change.version = change.environment = change.commit = change.author = "x";
  change.from = change.to = change.path = "y";
  change.written = change.at;
  change.reverts = change.files = {"z"};
  change.line = 3;
  ChangesResult result;
  result.service = "api";
  result.range = {TimePoint{}, TimePoint{}};
  result.changes = {change};
  result.asked = {{.name = "log", .found = 1}, {.name = "git", .note = "gone", .failed = true}};
  result.last_deploy = LastDeploy{.change = change};
  result.note = "n";
  EXPECT_EQ(misfits("recent_changes", result), kFits);
  EXPECT_EQ(misfits("recent_changes", ChangesResult{}), kFits);
}

TEST(McpSchemasTest, MetricsAreAsDescribed) {
  MetricsResult result;
  EXPECT_EQ(misfits("metrics_query", result), kFits);
  result.summary = WindowSummary{};
  result.silence = "no values";
  result.combined = "mean of 2 series";
  result.highest = result.lowest = SeriesPeak{{{"pod", "a"}}, 1, {}};
  result.ceiling = 2;
  result.total = WindowTotal{.count = 3, .of = 4};
  result.comparisons = {{.what = "a day earlier", .ratio = 2}, {.what = "a week earlier"}};
  result.now_against = {{.what = "w", .value = 1, .ratio = 2, .low = 0.5, .high = 3}};
  result.changes = {ChangePoint{}};
  result.episodes = {Episode{}};
  result.first_unusual = Excursion{};
  result.top = {{.labels = {{"pod", "a"}}, .mean = 1, .before = 2, .share = 0.5}};
  result.course = {1, std::nan("")};
  const Alert alert{.name = "Slow", .labels = {{"a", "b"}}, .annotations = {{"c", "d"}}};
  result.alerts = {alert};
  result.past_alerts = {{.alert = alert}};
  result.nearest = result.notes = {"n"};
  EXPECT_EQ(misfits("metrics_query", result), kFits);
}

TEST(McpOutputTest, WhatIsTooLongLosesTheEndsOfTextsAndThenOfLists) {
  json fits = {{"items", {1, 2, 3}}};
  EXPECT_EQ(shrink(fits, 100), "");
  json texts = {{"items", {std::string(10'000, 'a'), "short"}}};
  EXPECT_EQ(shrink(texts, 5000), "the ends of 1 long texts");
  EXPECT_EQ(texts["items"].size(), 2U);
  EXPECT_LE(texts.dump().size(), 5000U);
  json lists = {{"few", {1, 2}}, {"many", json::array()}};
  for (int i = 0; i < 1000; ++i) lists["many"].push_back("entry " + std::to_string(i));
  const std::string said = shrink(lists, 2000);
  EXPECT_EQ(said, std::to_string(1000 - lists["many"].size()) + " of 'many'");
  EXPECT_EQ(lists["few"].size(), 2U);
  EXPECT_EQ(lists["many"][0], "entry 0");
  json wide = json::object();
  for (int i = 0; i < 1000; ++i) wide["key " + std::to_string(i)] = i;
  EXPECT_NE(shrink(wide, 100), "");
  EXPECT_TRUE(wide.is_null());
}

TEST(McpOutputTest, ATextEndsWithHowMuchIsLeftOut) {
  EXPECT_EQ(bounded_text("abc", 3), "abc");
  EXPECT_EQ(bounded_text("abcäf", 4), "abc\n\n[3 of 6 bytes are left out; ask for less]");
}

}  // namespace
}  // namespace precedent
