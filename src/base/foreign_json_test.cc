#include "base/foreign_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace precedent {
namespace {

using nlohmann::json;

std::string nested(int levels, std::string_view open, std::string_view close) {
  std::string text;
  for (int i = 0; i < levels; ++i) text += open;
  text += "1";
  for (int i = 0; i < levels; ++i) text += close;
  return text;
}

TEST(ForeignJson, ReadsUpToTheLimitOfDepthAndRefusesWhatIsDeeper) {
  EXPECT_EQ(parse_json(nested(kMaxJsonDepth, "[", "]")).dump(), nested(kMaxJsonDepth, "[", "]"));
  EXPECT_TRUE(parse_json(nested(kMaxJsonDepth + 1, "[", "]")).is_discarded());
  EXPECT_FALSE(parse_json(nested(kMaxJsonDepth, R"({"a":)", "}")).is_discarded());
  EXPECT_TRUE(parse_json(nested(kMaxJsonDepth + 1, R"({"a":)", "}")).is_discarded());
  EXPECT_TRUE(parse_json(nested(200'000, "[", "]")).is_discarded());
  EXPECT_TRUE(parse_ordered_json(nested(200'000, R"([{"a":)", "}]")).is_discarded());
}

TEST(ForeignJson, LenientlyTheRestIsKept) {
  const json value = parse_json_leniently("{\"a\":1,\"b\":" + nested(1000, "[", "]") + "}");
  ASSERT_TRUE(value.is_object());
  EXPECT_EQ(value["a"], 1);
  EXPECT_EQ(value["b"].dump(),
            nested(kMaxJsonDepth - 1, "[", "]").replace(kMaxJsonDepth - 1, 1, ""));
}

TEST(ForeignJson, BracketsInAStringAreNoDepth) {
  const json text = std::string(1000, '[');
  EXPECT_EQ(parse_json(text.dump()), text);
  const json quoted = "\"" + std::string(1000, '{') + "\\";
  EXPECT_EQ(parse_json(quoted.dump()), quoted);
  EXPECT_TRUE(parse_json("[\"\\\"\"," + nested(kMaxJsonDepth, "[", "]") + "]").is_discarded());
}

TEST(ForeignJson, WhatIsNoJsonIsDiscarded) {
  for (const std::string_view text : {"", "{", "[1,]", "nul", "{\"a\":1} x", "\"\xff\"", "[[[["})
    EXPECT_TRUE(parse_json(text).is_discarded()) << text;
}

TEST(ForeignJson, KeepsTheOrderWhereItIsAskedTo) {
  EXPECT_EQ(parse_ordered_json(R"({"b":1,"a":2})").dump(), R"({"b":1,"a":2})");
}

TEST(ForeignJson, WhatIsPrintedIsJsonWhateverWasRead) {
  for (const std::string& text :
       {std::string(R"({"a":[1,2]})"), std::string("{broken"), std::string("\xff\xfe"),
        nested(60'000, "[", "]"), std::string(), std::string("<discarded>")}) {
    const std::string printed = dump_json({{"args", json_or_text(text)}});
    EXPECT_FALSE(parse_json(printed).is_discarded()) << printed.substr(0, 80);
  }
  EXPECT_EQ(dump_json(parse_json("{")), "null");
  EXPECT_EQ(json_or_text(R"({"a":1})"), json({{"a", 1}}));
}

}  // namespace
}  // namespace precedent
