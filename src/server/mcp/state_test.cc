#include "server/mcp/state.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace precedent {
namespace {

using nlohmann::json;

constexpr TimePoint kNow{std::chrono::seconds(1'800'000'000)};
const json kCall = {{"question", "which one?"}};
const McpState::Pending kPending{"t-1", {{"answer", {{"message", "Which one?"}}}}, {{"round", 1}}};

ErrorCode code_of(const Result<McpState::Pending>& opened) {
  return opened ? ErrorCode::kInternal : opened.error().code;
}

TEST(McpStateTest, AStateComesBackAsItWasGiven) {
  const McpState state("key", "ada");
  const std::string sealed = state.seal(kPending, kCall, kNow);
  const auto opened = state.open(sealed, kCall, kNow + std::chrono::minutes(9));
  ASSERT_TRUE(opened) << opened.error().text();
  EXPECT_EQ(opened->chat, "t-1");
  EXPECT_EQ(opened->forms, kPending.forms);
  EXPECT_EQ(opened->kept, kPending.kept);
}

TEST(McpStateTest, AStateIsForOneCallerOneCallAndTenMinutes) {
  const McpState state("key", "ada");
  const std::string sealed = state.seal(kPending, kCall, kNow);
  EXPECT_EQ(code_of(state.open(sealed, kCall, kNow + std::chrono::minutes(10))),
            ErrorCode::kTimeout);
  EXPECT_EQ(code_of(state.open(sealed, {{"question", "another"}}, kNow)),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of(McpState("key", "bob").open(sealed, kCall, kNow)), ErrorCode::kPermission);
  EXPECT_EQ(code_of(McpState("other", "ada").open(sealed, kCall, kNow)), ErrorCode::kPermission);
  // Without a key each has one of its own.
  EXPECT_EQ(
      code_of(McpState("", "ada").open(McpState("", "ada").seal({}, kCall, kNow), kCall, kNow)),
      ErrorCode::kPermission);
}

TEST(McpStateTest, WhatWasChangedAnywhereIsRefused) {
  const McpState state("key", "");
  const std::string sealed = state.seal(kPending, kCall, kNow);
  for (size_t i = 0; i < sealed.size(); ++i) {
    std::string changed = sealed;
    changed[i] ^= 1;
    EXPECT_EQ(code_of(state.open(changed, kCall, kNow)), ErrorCode::kPermission) << i;
    EXPECT_EQ(code_of(state.open(sealed.substr(0, i), kCall, kNow)), ErrorCode::kPermission) << i;
  }
}

}  // namespace
}  // namespace precedent
