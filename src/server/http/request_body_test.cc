#include "server/http/request_body.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

Result<RequestBody> read(std::string body) { return RequestBody::of({.body = std::move(body)}); }

TEST(RequestBody, GivesItsFields) {
  auto body = read(R"({"message":"hello","flag":true,"nothing":null})");
  ASSERT_TRUE(body) << body.error().text();
  EXPECT_EQ(body->text("message", Need::kRequired), "hello");
  EXPECT_EQ(body->text("absent"), "");
  EXPECT_EQ(body->text("nothing"), "");
  EXPECT_EQ(body->flag("flag", false), true);
  EXPECT_EQ(body->flag("other", true), true);
  EXPECT_TRUE(body->end());
}

TEST(RequestBody, AWholeNumberMayBeWrittenWithAPoint) {
  auto body = read(R"({"a":2,"b":2.0,"c":2.5,"d":-1,"e":11,"f":"2","g":1e300})");
  EXPECT_EQ(body->count("a", 10), 2U);
  EXPECT_EQ(body->count("b", 10), 2U);
  EXPECT_EQ(body->count("missing", 10), std::nullopt);
  for (const char* wrong : {"c", "d", "e", "f", "g"}) EXPECT_FALSE(body->count(wrong, 10)) << wrong;
}

TEST(RequestBody, NamesTheFieldThatIsWrong) {
  auto body = read(R"({"message":7,"flag":"yes","strange":1})");
  EXPECT_NE(body->text("message").error().message.find("'message' must be a string"),
            std::string::npos);
  EXPECT_NE(body->flag("flag", true).error().message.find("'flag'"), std::string::npos);
  EXPECT_NE(body->text("gone", Need::kRequired).error().message.find("'gone' is missing"),
            std::string::npos);
  EXPECT_NE(body->end().error().message.find("'strange'"), std::string::npos);
}

TEST(RequestBody, WhatIsNoJsonObjectIsRefused) {
  for (const auto* text : {"", "{", "[]", "\"a\"", "{\"a\":\"\xff\"}"})
    EXPECT_EQ(read(text).error().code, ErrorCode::kInvalidArgument) << text;
  EXPECT_EQ(read(std::string(100, '[')).error().code, ErrorCode::kInvalidArgument);
  EXPECT_TRUE(read("{}"));
}

TEST(RequestBody, AFlagOfTheQueryIsTrueOrFalse) {
  const auto flag = [](const char* value) {
    return read_flag({.query = {{"archived", value}}}, "archived");
  };
  EXPECT_EQ(read_flag({}, "archived"), false);
  EXPECT_EQ(flag("true"), true);
  EXPECT_EQ(flag("false"), false);
  EXPECT_NE(flag("null").error().message.find("'archived' is 'null'"), std::string::npos);
}

}  // namespace
}  // namespace precedent
