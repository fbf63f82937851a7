#include "tools/tool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tools/tools_lab.h"

namespace precedent {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

// Arguments that every tool over the knowledge base takes.
const std::vector<std::pair<const char*, json>> kCalls = {
    {"lookup_incident_by_id", {{"incident_id", "INC-2025-01-20-005"}}},
    {"search_similar_incidents", {{"query", "gateway"}}},
    {"get_incidents_by_application", {{"app_name", "PayU Core"}}},
    {"get_recent_incidents", json::object()},
    {"aggregate_incidents", {{"function", {"count"}}}},
    {"search_knowledge", {{"query", "gateway"}}},
    {"doc_search", {{"query", "gateway"}}},
    {"repo_search", {{"query", "gateway"}}}};

TEST(Toolset, HoldsThemInOrder) {
  std::vector<std::string> names;
  const Toolset tools = knowledge_tools();
  for (const auto& tool : tools.all()) names.push_back(tool->spec().name);
  EXPECT_THAT(names,
              ElementsAre("lookup_incident_by_id", "search_similar_incidents",
                          "get_incidents_by_application", "get_recent_incidents",
                          "aggregate_incidents", "search_knowledge", "doc_search", "repo_search"));
}

TEST(Toolset, AnUnknownToolIsToldTheNearest) {
  const Toolset tools = knowledge_tools();
  const auto typo = tools.find("search_knowlege");
  ASSERT_FALSE(typo);
  EXPECT_EQ(typo.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(typo.error().text(),
              HasSubstr("there is no tool 'search_knowlege'; did you mean 'search_knowledge'?"));
  EXPECT_THAT(tools.find("metrics").error().text(), HasSubstr("the tools are lookup_incident_by"));
}

TEST(Toolset, SchemasRequireWhatTheToolCannotDoWithout) {
  const std::map<std::string, json> required = {{"lookup_incident_by_id", {"incident_id"}},
                                                {"search_similar_incidents", {"query"}},
                                                {"get_incidents_by_application", {"app_name"}},
                                                {"get_recent_incidents", json::array()},
                                                {"aggregate_incidents", {"function"}},
                                                {"search_knowledge", {"query"}},
                                                {"doc_search", {"query"}},
                                                {"repo_search", {"query"}}};
  const Toolset tools = knowledge_tools();
  for (const auto& tool : tools.all()) {
    const json schema = json_schema(tool->spec().params);
    EXPECT_EQ(schema["required"], required.at(tool->spec().name)) << tool->spec().name;
    EXPECT_EQ(schema["additionalProperties"], false);
    EXPECT_FALSE(tool->spec().description.empty());
  }
}

TEST(ToolCall, WrongArgumentsAreAReceiptThatSaysWhich) {
  ToolsLab lab;
  const Receipt receipt = lab.call("doc_search", {{"qery", "x"}});
  EXPECT_EQ(receipt.status, ReceiptStatus::kError);
  EXPECT_EQ(receipt.text, "doc_search: unknown argument 'qery'; did you mean 'query'?");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(receipt.result));
  EXPECT_EQ(to_json(receipt)["result"], nullptr);
}

TEST(ToolCall, WhatFailsSaysNoSecretAndNoEscape) {
  ToolsLab lab;
  lab.add_shop();
  const std::string secret = std::string("AK") + "IAIOSFODNN7EXAMPLE";
  lab.index().error = Error{ErrorCode::kUnavailable, "no \x1b[31mindex with " + secret};
  const Receipt receipt = lab.call("search_knowledge", {{"query", "gateway " + secret}});
  EXPECT_EQ(receipt.status, ReceiptStatus::kError);
  EXPECT_THAT(receipt.text, HasSubstr("no index with [redacted:aws-key]"));
  EXPECT_THAT(receipt.args, HasSubstr("gateway [redacted:aws-key]"));
  EXPECT_THAT(lab.statuses().back(), HasSubstr("no index with [redacted:aws-key]"));
}

TEST(ToolCall, ArgumentsThatAreNotUtf8AreStillAReceipt) {
  ToolsLab lab;
  lab.add_shop();
  for (const auto& [tool, key] : std::vector<std::pair<const char*, const char*>>{
           {"lookup_incident_by_id", "incident_id"},
           {"search_similar_incidents", "query"},
           {"get_incidents_by_application", "app_name"},
           {"doc_search", "query"}}) {
    const Receipt receipt = lab.call(tool, {{key, "\xFF\xFEgate\x80way"}});
    EXPECT_NO_THROW(to_json(receipt).dump(-1, ' ', false, json::error_handler_t::replace)) << tool;
    EXPECT_FALSE(receipt.text.empty()) << tool;
  }
}

TEST(ToolCall, AFailingIndexIsAReceiptThatSaysWhatToDo) {
  ToolsLab lab;
  lab.add_shop();
  lab.index().error = Error{ErrorCode::kCorrupt, "segment 3 is damaged; run precedent ingest"};
  for (const auto& [tool, args] : kCalls) {
    if (std::string_view(tool) == "lookup_incident_by_id") continue;  // reads the store alone
    const Receipt receipt = lab.call(tool, args);
    EXPECT_EQ(receipt.status, ReceiptStatus::kError) << tool;
    EXPECT_EQ(receipt.text,
              std::string(tool) + " failed: segment 3 is damaged; run precedent ingest");
    EXPECT_EQ(lab.statuses().back(), receipt.text);
  }
}

TEST(ToolCall, AnExceptionNeverEscapes) {
  ToolsLab lab;
  lab.add_shop();
  lab.index().throws = true;
  for (const auto& [tool, args] : kCalls) {
    if (std::string_view(tool) == "lookup_incident_by_id") continue;
    const Receipt receipt = lab.call(tool, args);
    EXPECT_EQ(receipt.status, ReceiptStatus::kError) << tool;
    EXPECT_THAT(receipt.text, HasSubstr("the index threw; this is a fault of precedent")) << tool;
  }
}

TEST(ToolCall, ADamagedStoreIsAReceiptThatNamesTheFile) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("tool_test-" + std::to_string(::getpid()) + ".db");
  std::filesystem::remove(file);
  {
    ToolsLab(file.string()).add_shop();
  }
  ToolsLab lab(file.string());
  {
    std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
    out.seekp(0, std::ios::end);
    const auto size = out.tellp();
    out.seekp(4096);
    out << std::string(static_cast<size_t>(size) - 4096, '\xA5');
  }
  const Receipt receipt =
      lab.call("lookup_incident_by_id", {{"incident_id", "INC-2025-01-20-005"}});
  EXPECT_EQ(receipt.status, ReceiptStatus::kError) << receipt.text;
  EXPECT_THAT(receipt.text, HasSubstr(file.string()));
  for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(file.string() + end);
}

TEST(ReceiptJson, HoldsWhatALogKeeps) {
  ToolsLab lab;
  lab.add_shop();
  for (const auto& [tool, args] : kCalls) {
    const Receipt receipt = lab.call(tool, args);
    const json out = to_json(receipt);
    std::vector<std::string> keys;
    for (const auto& [key, value] : out.items()) keys.push_back(key);
    EXPECT_THAT(keys, ElementsAre("args", "at", "id", "result", "status", "text", "tool")) << tool;
    EXPECT_EQ(out["args"], args) << tool;
    EXPECT_EQ(out["status"], "ok") << tool;
    EXPECT_TRUE(to_json(receipt, true).contains("explain")) << tool;
  }
}

// The whole of a tool: what it is called, what it takes, and what it does.
class Echo : public Tool {
 public:
  Echo() : Tool({"echo", "Says the query again.", {{.name = "query", .required = true}}}) {}

 protected:
  Result<Outcome> run(const Args& args, ToolContext&) const override {
    return Outcome{.text = "Heard: " + args.text("query")};
  }
};

TEST(Toolset, AToolOfOnesOwnIsFoundDescribedAndCalledAsAnyOther) {
  EXPECT_EQ(json_schema(Echo().spec().params)["required"], json({"query"}));
  ToolsLab lab;
  lab.add_tool(std::make_unique<Echo>());
  const Receipt heard = lab.call("echo", {{"query", "hello"}});
  EXPECT_EQ(heard.status, ReceiptStatus::kOk);
  EXPECT_EQ(heard.text, "Heard: hello");
  const Receipt wrong = lab.call("echo", json::object());
  EXPECT_EQ(wrong.status, ReceiptStatus::kError);
  EXPECT_THAT(wrong.text, HasSubstr("query"));
}

}  // namespace
}  // namespace precedent
