#include "llm/tool_arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "llm/call_check.h"

namespace precedent {
namespace {

using Type = ToolParameter::Type;
using testing::HasSubstr;

const ToolDescription kTool{"search",
                            "",
                            {{"query", Type::kString, "", true},
                             {"limit", Type::kInteger, "", false, {}, int64_t{5}, 1.0, 50.0},
                             {"score", Type::kNumber},
                             {"open", Type::kBoolean},
                             {"severity", Type::kStringList, "", false, {"SEV1", "SEV2"}},
                             {"order", Type::kString, "", false, {"newest", "oldest"}}}};

TEST(CheckArguments, RepairsWhatHasOneReading) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"query":"a","limit":5})", R"({"limit":5,"query":"a"})"},
      {R"({"query":"a",})", R"({"query":"a"})"},
      {R"({"query":"a","severity":["SEV1",],})", R"({"query":"a","severity":["SEV1"]})"},
      {"```json\n{\"query\":\"a\"}\n```", R"({"query":"a"})"},
      {"```\n{\"query\":\"a\",}\n```", R"({"query":"a"})"},
      {"```{\"query\":\"a\"}```", R"({"query":"a"})"},
      {R"({"query":"a")", R"({"query":"a"})"},
      {R"({"query":"a","severity":["SEV1")", R"({"query":"a","severity":["SEV1"]})"},
      {R"({"query":"a","open":true)", R"({"open":true,"query":"a"})"},
      {R"("{\"query\":\"a\"}")", R"({"query":"a"})"},
      {"{'query': 'a b', 'open': True, 'limit': None}", R"({"open":true,"query":"a b"})"},
      {R"({"query":"it's, 'here'}"})", R"({"query":"it's, 'here'}"})"},
      {R"({"query":4711})", R"({"query":"4711"})"},
      {R"({"query":"a","limit":"7"})", R"({"limit":7,"query":"a"})"},
      {R"({"query":"a","limit":7.0})", R"({"limit":7,"query":"a"})"},
      {R"({"query":"a","score":"0.5"})", R"({"query":"a","score":0.5})"},
      {R"({"query":"a","open":"False"})", R"({"open":false,"query":"a"})"},
      {R"({"query":"a","severity":"sev1"})", R"({"query":"a","severity":["SEV1"]})"},
      {R"({"query":"a","severity":"[\"SEV2\",\"SEV1\"]"})",
       R"({"query":"a","severity":["SEV2","SEV1"]})"},
      {R"({"query":"a","limit":null,"order":null})", R"({"query":"a"})"},
      {R"({"query":"a","order":"Newest"})", R"({"order":"newest","query":"a"})"},
      {"{\"query\":\"a\xFF\"}", "{\"query\":\"a\xEF\xBF\xBD\"}"},
  };
  for (const auto& [raw, expected] : cases) {
    const auto checked = check_arguments(kTool, raw);
    ASSERT_TRUE(checked) << raw << checked.error().text();
    EXPECT_EQ(checked->json, expected) << raw;
  }
}

TEST(CheckArguments, SaysWhatItRepaired) {
  EXPECT_THAT(check_arguments(kTool, R"({"query":"a","limit":5})")->repairs, testing::IsEmpty());
  EXPECT_THAT(
      check_arguments(kTool, "```\n{'query': 'a', \"limit\": \"7\", 'open': True,}\n```")->repairs,
      testing::ElementsAre("code fence", "single quotes", "literals of Python", "trailing comma",
                           R"(/limit: "7" read as 7)"));
}

TEST(CheckArguments, TellsTheModelPathExpectationAndFinding) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({})", "/query: expected a string, got nothing"},
      {R"({"query":null})", "/query: expected a string, got nothing"},
      {R"({"query":["a"]})", R"(/query: expected a string, got ["a"])"},
      {R"({"query":"a","limit":"many"})",
       R"(/limit: expected a whole number from 1 to 50, got "many")"},
      {R"({"query":"a","limit":2.5})", "/limit: expected a whole number from 1 to 50, got 2.5"},
      {R"({"query":"a","limit":0})", "/limit: expected a whole number from 1 to 50, got 0"},
      {R"({"query":"a","limit":1e400})", "not one JSON object"},
      {R"({"query":"a","limit":99999999999999999999})", "/limit: expected a whole number"},
      {R"({"query":"a","open":"yes"})", R"(/open: expected true or false, got "yes")"},
      {R"({"query":"a","severity":["SEV3"]})",
       "/severity: expected a list of strings of: SEV1, SEV2"},
      {R"({"query":"a","severity":[["SEV1"]]})", "/severity: expected a list of strings"},
      {R"({"query":"a","limt":5})", "/limt: expected no such parameter, perhaps 'limit', got 5"},
      {R"({"query":"a","wholly_other":5})",
       "/wholly_other: expected one of the parameters query, limit"},
      {R"({"query":"a cut str)", "not one JSON object"},
      {R"({"query":"a","limit":1)", "not one JSON object"},
      {R"({"query":"a",)", "not one JSON object"},
      {R"({"query":)", "not one JSON object"},
      {"{'query': 'it's broken'}", "not one JSON object"},
      {"query=a", "got 'query=a'"},
      {R"(["a"])", "got a list"},
      {R"("a")", "got a string"},
      {R"({"query":"a"} {"query":"b"})", "not one JSON object"},
      {R"({"query":"a"]})", "not one JSON object"},
  };
  for (const auto& [raw, says] : cases) {
    const auto checked = check_arguments(kTool, raw);
    ASSERT_FALSE(checked) << raw << " gave " << checked->json;
    EXPECT_EQ(checked.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(checked.error().message, HasSubstr(says)) << raw;
    EXPECT_THAT(checked.error().message, HasSubstr("'search'"));
  }
}

TEST(CheckArguments, SurvivesDepthAndSize) {
  EXPECT_FALSE(check_arguments(kTool, R"({"query":)" + std::string(200'000, '[')));
  EXPECT_FALSE(check_arguments(
      kTool, R"({"query":)" + std::string(200'000, '[') + std::string(200'000, ']') + "}"));
  // What is cut out of the depth would be a call that nobody made.
  const std::string deep = std::string(70, '[') + std::string(70, ']');
  EXPECT_FALSE(check_arguments(kTool, R"({"query":"x","limit":)" + deep + "}"));
  const auto huge = check_arguments(kTool, R"({"query":")" + std::string(1'100'000, 'a') + "\"}");
  ASSERT_FALSE(huge);
  EXPECT_LT(huge.error().message.size(), 300U);
}

TEST(CheckArguments, AToolWithoutParametersTakesNothingAndEmptyText) {
  for (const char* raw : {"", "{}", "null", "  "})
    EXPECT_EQ(check_arguments({"list"}, raw)->json, "{}") << raw;
  EXPECT_FALSE(check_arguments({"list"}, R"({"x":1})"));
}

TEST(UnknownTool, NamesTheNearest) {
  const std::vector<ToolDescription> tools = {{"lookup_incident_by_id"}, {"search_knowledge"}};
  EXPECT_EQ(unknown_tool_text("search_knowlege", tools),
            "There is no tool 'search_knowlege'; the nearest is 'search_knowledge'.");
  EXPECT_EQ(unknown_tool_text("browser", tools),
            "There is no tool 'browser'; there are: lookup_incident_by_id, search_knowledge.");
  EXPECT_THAT(unknown_tool_text("x", {}), HasSubstr("answer without"));
}

// A user's message, then rounds of the same call "c<n>" with these results.
std::vector<Message> rounds(std::initializer_list<std::string> results) {
  std::vector<Message> messages = {{Role::kUser, "Well?"}};
  int n = 0;
  for (const std::string& result : results) {
    const std::string id = "c" + std::to_string(n++);
    messages.push_back({Role::kAssistant, "", "", {{id, "search", R"({"a":1, "b":2})"}}});
    messages.push_back({Role::kTool, result, "", {}, id});
  }
  return messages;
}

TEST(RepeatedCalls, AreNoticedWhateverTheirSpelling) {
  const ToolCall call{"next", "search", R"({"b":2,"a":1})"};
  EXPECT_EQ(repetition(rounds({}), call), Repetition::kNew);
  EXPECT_EQ(repetition(rounds({"x"}), call), Repetition::kRepeated);
  EXPECT_EQ(repetition(rounds({"x", repetition_text(call)}), call), Repetition::kRepeated);
  EXPECT_EQ(repetition(rounds({"x", repetition_text(call), repetition_text(call)}), call),
            Repetition::kStuck);
  EXPECT_EQ(repetition(rounds({"x", "y"}), call), Repetition::kNew) << "the result changed";
  EXPECT_EQ(repetition(rounds({"x"}), {"next", "search", R"({"a":1})"}), Repetition::kNew);
  EXPECT_EQ(repetition(rounds({"x"}), {"next", "lookup", call.args}), Repetition::kNew);
  auto earlier_turn = rounds({"x", "x", "x"});
  earlier_turn.push_back({Role::kUser, "Again?"});
  EXPECT_EQ(repetition(earlier_turn, call), Repetition::kNew);
}

}  // namespace
}  // namespace precedent
