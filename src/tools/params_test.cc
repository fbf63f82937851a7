#include "tools/params.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace precedent {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::vector<Param> kParams = {
    {.name = "query", .description = "Words", .required = true},
    {.name = "limit",
     .type = Param::Type::kInteger,
     .description = "Most results",
     .default_value = 5,
     .minimum = 1,
     .maximum = 500},
    {.name = "typeFilter",
     .type = Param::Type::kStringList,
     .description = "Types",
     .allowed = {"runbook", "faq"}},
};

Result<Args> read(const char* text) { return read_args(kParams, json::parse(text), "the_tool"); }

std::string error_of(const char* text) {
  const auto args = read(text);
  if (args) return "";
  EXPECT_EQ(args.error().code, ErrorCode::kInvalidArgument) << text;
  return args.error().text();
}

TEST(Params, ReadsWhatFits) {
  const Args args = read(R"({"query":"a","limit":7,"typeFilter":["faq","runbook"]})").value();
  EXPECT_EQ(args.text("query"), "a");
  EXPECT_EQ(args.integer("limit"), 7);
  EXPECT_THAT(args.list("typeFilter"), ElementsAre("faq", "runbook"));
}

TEST(Params, FillsInDefaults) {
  for (const char* text : {R"({"query":"a"})", R"({"query":"a","limit":null,"typeFilter":null})"}) {
    const Args args = read(text).value();
    EXPECT_EQ(args.integer("limit"), 5);
    EXPECT_THAT(args.list("typeFilter"), IsEmpty());
  }
}

TEST(Params, ForgiveWhatModelsDo) {
  EXPECT_EQ(read(R"({"query":"a","limit":"7"})")->integer("limit"), 7);
  EXPECT_EQ(read(R"({"query":"a","limit":7.0})")->integer("limit"), 7);
  EXPECT_THAT(read(R"({"query":"a","typeFilter":"faq"})")->list("typeFilter"), ElementsAre("faq"));
  EXPECT_EQ(read(R"({"query":""})")->text("query"), "");
}

TEST(Params, ErrorsNameToolArgumentAndRemedy) {
  struct Case {
    const char* args;
    const char* message;
  };
  for (const Case& c : {
           Case{"[]", "the_tool: arguments must be a JSON object, got []"},
           Case{"\"query\"", "the_tool: arguments must be a JSON object, got \"query\""},
           Case{"{}", "the_tool: argument 'query' (a string) is missing"},
           Case{R"({"query":null})", "the_tool: argument 'query' (a string) is missing"},
           Case{R"({"query":"a","limt":3})",
                "the_tool: unknown argument 'limt'; did you mean 'limit'?"},
           Case{R"({"query":"a","zzzzzzzzzz":3})",
                "the_tool: unknown argument 'zzzzzzzzzz'; it takes query, limit, typeFilter"},
           Case{R"({"query":7})", "the_tool: argument 'query' must be a string, got 7"},
           Case{R"({"query":["a"]})", R"(the_tool: argument 'query' must be a string, got ["a"])"},
           Case{R"({"query":"a","limit":"many"})",
                "the_tool: argument 'limit' must be a whole number, got \"many\""},
           Case{R"({"query":"a","limit":""})",
                "the_tool: argument 'limit' must be a whole number, got \"\""},
           Case{R"({"query":"a","limit":2.5})",
                "the_tool: argument 'limit' must be a whole number, got 2.5"},
           Case{R"({"query":"a","limit":true})",
                "the_tool: argument 'limit' must be a whole number, got true"},
           Case{R"({"query":"a","limit":1e300})", "must be a whole number"},
           Case{R"({"query":"a","limit":18446744073709551615})", "must be a whole number"},
           Case{R"({"query":"a","limit":0})",
                "the_tool: argument 'limit' must be from 1 to 500, got 0"},
           Case{R"({"query":"a","limit":501})", "must be from 1 to 500, got 501"},
           Case{R"({"query":"a","limit":-3})", "must be from 1 to 500, got -3"},
           Case{R"({"query":"a","typeFilter":7})",
                "the_tool: argument 'typeFilter' must be a list of strings, got 7"},
           Case{R"({"query":"a","typeFilter":["faq",7]})",
                R"(the_tool: argument 'typeFilter' must be a list of strings, got ["faq",7])"},
       }) {
    EXPECT_THAT(error_of(c.args), HasSubstr(c.message)) << c.args;
  }
}

TEST(Params, ErrorsShowTheBeginningOfWhatIsLong) {
  const std::string message =
      error_of((R"({"query":"a","limit":")" + std::string(5000, '9') + "\"}").c_str());
  EXPECT_LT(message.size(), 200u);
  EXPECT_THAT(message, HasSubstr("..."));
}

TEST(Params, ErrorsStayValidUtf8WhereTheyAreCut) {
  for (size_t ascii = 50; ascii < 60; ++ascii) {
    const std::string value = std::string(ascii, 'x') + "äöüßéèêëñç";
    const auto args = read_args(kParams, {{"query", "a"}, {"limit", value}}, "the_tool");
    EXPECT_NO_THROW(json(args.error().text()).dump()) << ascii;
  }
}

TEST(Params, NearestIsATypoAway) {
  const std::vector<std::string> names = {"PayU Core", "Settlement & Reporting", "checkout-api"};
  EXPECT_EQ(nearest("PayU Cor", names), "PayU Core");
  EXPECT_EQ(nearest("payu core", names), "PayU Core");
  EXPECT_EQ(nearest("chekout-api", names), "checkout-api");
  EXPECT_EQ(nearest("Kubernetes", names), std::nullopt);
  EXPECT_EQ(nearest("", names), std::nullopt);
  EXPECT_EQ(nearest("PayU", {}), std::nullopt);
  EXPECT_EQ(nearest(std::string(100000, 'a'), names), std::nullopt);
}

TEST(Params, OtherServersToolsTakeNumbersFlagsAndAnyJson) {
  const std::vector<Param> params = {{.name = "x", .type = Param::Type::kNumber},
                                     {.name = "on", .type = Param::Type::kBoolean},
                                     {.name = "filter", .type = Param::Type::kJson},
                                     {.name = "n", .type = Param::Type::kInteger},
                                     {.name = "level", .allowed = {"low", "high"}}};
  const json given = {{"x", 0.5}, {"on", false}, {"filter", {{"a", {1, nullptr}}}}, {"n", -7}};
  const auto args = read_args(params, given, "the_tool");
  ASSERT_TRUE(args) << args.error().text();
  EXPECT_EQ(args->given(), given);
  EXPECT_FALSE(read_args(params, {{"x", "0.5"}}, "the_tool"));
  EXPECT_FALSE(read_args(params, {{"on", 1}}, "the_tool"));
  EXPECT_EQ(json_schema(params)["properties"], json::parse(R"({
    "x": {"type": "number", "description": ""}, "on": {"type": "boolean", "description": ""},
    "filter": {"description": ""}, "n": {"type": "integer", "description": ""},
    "level": {"type": "string", "description": "", "enum": ["low", "high"]}})"));
}

TEST(Params, TheSchemaIsStrict) {
  const json schema = json_schema(kParams);
  EXPECT_EQ(schema, json::parse(R"({
    "type": "object",
    "properties": {
      "query": {"type": "string", "description": "Words"},
      "limit": {"type": "integer", "description": "Most results", "minimum": 1, "maximum": 500,
                "default": 5},
      "typeFilter": {"type": "array", "description": "Types",
                     "items": {"type": "string", "enum": ["runbook", "faq"]}}},
    "required": ["query"],
    "additionalProperties": false})"));
}

}  // namespace
}  // namespace precedent
