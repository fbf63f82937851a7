#include "server/turns/require_question.h"

#include <gtest/gtest.h>

namespace precedent {
namespace {

TEST(RequestBody, WhatNobodyWouldAnswerIsNoQuestion) {
  EXPECT_TRUE(require_question("what is a courier?", "'message'"));
  for (const std::string& text : {std::string(" \n"), std::string("a\1\2\3\4"), std::string("\1\2"),
                                  std::string(100'000, 'a')}) {
    const auto refused = require_question(text, "'message'");
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
    EXPECT_TRUE(refused.error().message.starts_with("'message'")) << refused.error().message;
  }
}

}  // namespace
}  // namespace precedent
