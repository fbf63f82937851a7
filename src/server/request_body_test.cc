#include "server/request_body.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

Result<RequestBody> read(std::string body, std::string type = "application/json; charset=utf-8") {
  return RequestBody::of({.headers = {{"Content-Type", std::move(type)}}, .body = std::move(body)});
}

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
  EXPECT_NE(read("{}", "text/plain").error().message.find("text/plain"), std::string::npos);
  EXPECT_TRUE(read("{}", ""));
}

}  // namespace
}  // namespace precedent
